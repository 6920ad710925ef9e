import { expect, test } from 'vitest';
import { resendGift, userGifts } from '../../src/client/payment/gifts.ts';
import { json, world } from '../support/client/world.ts';

const wire = {
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

test('gifts come with whom they are for set apart', async () => {
  const { api } = world([json({ gifts: [wire] })]);
  const { recipientName, recipientEmail, ...rest } = wire;
  expect(await userGifts(api)).toEqual([
    { ...rest, deliverOn: '', redeemedAt: '', pii: { name: recipientName, email: recipientEmail } },
  ]);
});

test.each([{ ...wire, status: 'lost' }, { ...wire, giftId: '' }, {}])(
  'a gift that cannot be read is refused: %#',
  async (gift) => {
    const { api } = world([json({ gifts: [gift] })]);
    await expect(userGifts(api)).rejects.toMatchObject({ kind: 'malformed' });
  },
);

test('a gift is sent again to the same address, or to another', async () => {
  const { api, asked } = world([json(wire), json(wire)]);
  await resendGift(api, { giftId: 'g1', email: null });
  await resendGift(api, { giftId: 'g1', email: 'bob@example.com' });
  expect(asked.map(({ body }) => JSON.parse(body ?? '') as unknown)).toEqual([
    { giftId: 'g1' },
    { giftId: 'g1', email: 'bob@example.com' },
  ]);
});
