import { expect, test } from 'vitest';
import { resendGift, fetchGifts } from '../../src/client/payment/gifts.ts';
import { json, createFakeServer } from '../support/client/fake-environment.ts';

const wireGift = {
  giftId: 'g1',
  titleId: '1001',
  name: 'The Keeper’s Third Log',
  transId: 't1',
  givenAt: '2026-01-01T10:00:00.000Z',
  recipientName: 'Bo',
  recipientEmail: 'bo@example.com',
  deliverOn: null,
  sentAt: '2026-01-01T10:00:02.000Z',
  redeemedAt: null,
  status: 'sent',
};

test('the recipient of a gift is in the field `pii`', async () => {
  const { api } = createFakeServer([json({ gifts: [wireGift] })]);
  const { recipientName, recipientEmail, ...otherFields } = wireGift;
  expect(await fetchGifts(api)).toEqual([
    { ...otherFields, deliverOn: '', redeemedAt: '', pii: { name: recipientName, email: recipientEmail } },
  ]);
});

test.each([{ ...wireGift, status: 'lost' }, { ...wireGift, giftId: '' }, {}])(
  'an unreadable gift is refused: %#',
  async (gift) => {
    const { api } = createFakeServer([json({ gifts: [gift] })]);
    await expect(fetchGifts(api)).rejects.toMatchObject({ kind: 'malformed' });
  },
);

test('a gift can be sent again, to the same e-mail address or another', async () => {
  const { api, requests } = createFakeServer([json(wireGift), json(wireGift)]);
  await resendGift(api, { giftId: 'g1', email: null });
  await resendGift(api, { giftId: 'g1', email: 'bob@example.com' });
  expect(requests.map(({ body }) => JSON.parse(body ?? '') as unknown)).toEqual([
    { giftId: 'g1' },
    { giftId: 'g1', email: 'bob@example.com' },
  ]);
});
