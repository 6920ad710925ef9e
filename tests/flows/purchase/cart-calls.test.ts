import { expect, test } from 'vitest';
import { startCartPayment } from '../../../src/flows/purchase/calls/cart.ts';
import { json, createFakeServer } from '../../support/client/fake-environment.ts';

const price = { amount: 19.98, currency: 'USD', symbol: '$' };
const cartOrder = {
  titleIds: ['1', '2'],
  price,
  cardId: null,
  key: 'attempt-0001',
  code: '',
  method: null,
  giftInfo: undefined,
  tax: null,
};

test('a session has the displayed titles and total, and the card that pays [S7.checkout/cart/session]', async () => {
  const response = { transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' };
  const { api, requests } = createFakeServer([json(response), json(response)]);
  expect(await startCartPayment(api, cartOrder)).toEqual(response);
  await startCartPayment(api, { ...cartOrder, cardId: 'c1', code: 'SPRING-20', giftInfo: '{}' });
  const [first, second] = requests.map(({ query }) => query);
  expect(first).toMatchObject({ titleids: '1,2', price: '19.98', currency: 'USD', method: 'card' });
  expect([first?.['cardId'], second?.['cardId']]).toEqual([undefined, 'c1']);
  expect([first?.['code'], second?.['code']]).toEqual([undefined, 'SPRING-20']);
  expect([first?.['giftInfo'], second?.['giftInfo']]).toEqual([undefined, '{}']);
  expect(requests[0]?.headers['idempotency-key']).toBe('attempt-0001');
});

test.each(['wallet', 'cash'])('a session has its payment method, and “card” for an unknown method: %s', async (method) => {
  const { api, requests } = createFakeServer([json({ transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' })]);
  await startCartPayment(api, { ...cartOrder, method });
  expect(requests[0]?.query).toMatchObject({ method: method === 'wallet' ? 'wallet' : 'card' });
});

test('a session without a payment page is malformed', async () => {
  const { api } = createFakeServer([json({ transId: 'tr1', url: 'javascript:alert(1)' })]);
  await expect(startCartPayment(api, cartOrder)).rejects.toMatchObject({ kind: 'malformed', field: 'url' });
});

test('a changed cart is refused', async () => {
  const { api } = createFakeServer([json({ error: 'Changed', code: 'price_changed', status: 409 }, 409)]);
  await expect(startCartPayment(api, cartOrder)).rejects.toMatchObject({ kind: 'refused', code: 'price_changed' });
});
