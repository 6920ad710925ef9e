import { expect, test } from 'vitest';
import { purchaseInfo } from '../../../src/flows/receipt/calls.ts';
import { json, world } from '../../support/client/world.ts';

const wire = {
  transId: 't1',
  titleId: '1001',
  name: 'The Wend',
  amount: 9.99,
  currency: 'USD',
  symbol: '$',
  paidAt: '2026-01-01',
};

test('a receipt without a copy of its own is known by its title', async () => {
  const { api, asked } = world([json(wire)]);
  expect(await purchaseInfo(api, 't1')).toEqual({ ...wire, instanceId: '1001' });
  expect(asked[0]?.query).toMatchObject({ transId: 't1' });
});

test('of a gift, whom it is for is set apart', async () => {
  const gift = { giftId: 'g1', recipientName: 'Bo', recipientEmail: 'bo@example.com', deliverOn: null, status: 'sent' };
  const { api } = world([json({ ...wire, isGift: true, gift })]);
  expect((await purchaseInfo(api, 't1')).gift).toEqual({ deliverOn: '', pii: { name: 'Bo', email: 'bo@example.com' } });
});
