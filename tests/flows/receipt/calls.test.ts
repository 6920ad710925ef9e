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

const own = { transId: 't1', isGift: false };

test('a receipt without a copy asks for it by the transaction, and else takes the title’s id', async () => {
  const { api, asked } = world([json(wire), json({ hasTitle: true, instanceId: 'i9' }), json(wire), json({}, 404)]);
  expect(await purchaseInfo(api, own)).toEqual({ ...wire, instanceId: 'i9' });
  expect(await purchaseInfo(api, own)).toEqual({ ...wire, instanceId: '1001' });
  expect(asked.map(({ path, query }) => [path, query])).toEqual([
    ['/api/purchase/info', { transId: 't1', shelfid: 'demo' }],
    ['/api/user/has-title', { transId: 't1', shelfid: 'demo' }],
    ['/api/purchase/info', { transId: 't1', shelfid: 'demo' }],
    ['/api/user/has-title', { transId: 't1', shelfid: 'demo' }],
  ]);
});

test('a gift is asked for as one, and is one although the server does not say for whom', async () => {
  const { api, asked } = world([json(wire)]);
  expect((await purchaseInfo(api, { transId: 't1', isGift: true })).gift).toEqual({
    deliverOn: '',
    pii: { name: '', email: '' },
  });
  expect(asked.map(({ query }) => query)).toEqual([{ transId: 't1', isgift: 'true', shelfid: 'demo' }]);
});

test('of a gift, whom it is for is set apart', async () => {
  const gift = { giftId: 'g1', recipientName: 'Bo', recipientEmail: 'bo@example.com', deliverOn: null, status: 'sent' };
  const { api } = world([json({ ...wire, isGift: true, gift })]);
  expect((await purchaseInfo(api, own)).gift).toEqual({ deliverOn: '', pii: { name: 'Bo', email: 'bo@example.com' } });
});
