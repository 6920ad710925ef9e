import { expect, test } from 'vitest';
import { fetchReceipt } from '../../../src/flows/receipt/calls.ts';
import { json, createFakeServer } from '../../support/client/fake-environment.ts';

const wireReceipt = {
  transId: 't1',
  titleId: '1001',
  name: 'The Wend',
  amount: 9.99,
  currency: 'USD',
  symbol: '$',
  paidAt: '2026-01-01',
};

const ownReceipt = { transId: 't1', isGift: false };

test('the copy missing in a receipt is read by the transaction, or else replaced by the title’s id', async () => {
  const { api, requests } = createFakeServer([
    json(wireReceipt),
    json({ hasTitle: true, instanceId: 'i9' }),
    json(wireReceipt),
    json({}, 404),
  ]);
  expect(await fetchReceipt(api, ownReceipt)).toEqual({ ...wireReceipt, instanceId: 'i9' });
  expect(await fetchReceipt(api, ownReceipt)).toEqual({ ...wireReceipt, instanceId: '1001' });
  expect(requests.map(({ path, query }) => [path, query])).toEqual([
    ['/api/purchase/info', { transId: 't1', shelfid: 'demo' }],
    ['/api/user/has-title', { transId: 't1', shelfid: 'demo' }],
    ['/api/purchase/info', { transId: 't1', shelfid: 'demo' }],
    ['/api/user/has-title', { transId: 't1', shelfid: 'demo' }],
  ]);
});

test('the receipt of a gift is requested as such, and counts as a gift’s even if the server omits the recipient', async () => {
  const { api, requests } = createFakeServer([json(wireReceipt)]);
  expect((await fetchReceipt(api, { transId: 't1', isGift: true })).gift).toEqual({
    deliverOn: '',
    pii: { name: '', email: '' },
  });
  expect(requests.map(({ query }) => query)).toEqual([{ transId: 't1', isgift: 'true', shelfid: 'demo' }]);
});

test('the recipient of a gift is in the receipt’s `pii`', async () => {
  const gift = { giftId: 'g1', recipientName: 'Bo', recipientEmail: 'bo@example.com', deliverOn: null, status: 'sent' };
  const { api } = createFakeServer([json({ ...wireReceipt, isGift: true, gift })]);
  expect((await fetchReceipt(api, ownReceipt)).gift).toEqual({ deliverOn: '', pii: { name: 'Bo', email: 'bo@example.com' } });
});
