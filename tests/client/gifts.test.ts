import { expect, test } from 'vitest';
import { resendGift, fetchGifts } from '../../src/client/payment/gifts.ts';
import { json, environment } from '../support/client/fake-environment.ts';

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

test('gifts have their recipients in a field of their own', async () => {
  const { api } = environment([json({ gifts: [wireGift] })]);
  const { recipientName, recipientEmail, ...rest } = wireGift;
  expect(await fetchGifts(api)).toEqual([
    { ...rest, deliverOn: '', redeemedAt: '', pii: { name: recipientName, email: recipientEmail } },
  ]);
});

test.each([{ ...wireGift, status: 'lost' }, { ...wireGift, giftId: '' }, {}])(
  'an unreadable gift is refused: %#',
  async (gift) => {
    const { api } = environment([json({ gifts: [gift] })]);
    await expect(fetchGifts(api)).rejects.toMatchObject({ kind: 'malformed' });
  },
);

test('a gift can be sent again, to the same address or another', async () => {
  const { api, asked } = environment([json(wireGift), json(wireGift)]);
  await resendGift(api, { giftId: 'g1', email: null });
  await resendGift(api, { giftId: 'g1', email: 'bob@example.com' });
  expect(asked.map(({ body }) => JSON.parse(body ?? '') as unknown)).toEqual([
    { giftId: 'g1' },
    { giftId: 'g1', email: 'bob@example.com' },
  ]);
});
