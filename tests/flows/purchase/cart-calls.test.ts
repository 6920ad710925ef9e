import { expect, test } from 'vitest';
import { startCartPayment } from '../../../src/flows/purchase/calls/cart.ts';
import { json, environment } from '../../support/client/fake-environment.ts';

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
  const answer = { transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' };
  const { api, asked } = environment([json(answer), json(answer)]);
  expect(await startCartPayment(api, cartOrder)).toEqual(answer);
  await startCartPayment(api, { ...cartOrder, cardId: 'c1', code: 'SPRING-20', giftInfo: '{}' });
  const [first, second] = asked.map(({ query }) => query);
  expect(first).toMatchObject({ titleids: '1,2', price: '19.98', currency: 'USD', method: 'card' });
  expect([first?.['cardId'], second?.['cardId']]).toEqual([undefined, 'c1']);
  expect([first?.['code'], second?.['code']]).toEqual([undefined, 'SPRING-20']);
  expect([first?.['giftInfo'], second?.['giftInfo']]).toEqual([undefined, '{}']);
  expect(asked[0]?.headers['idempotency-key']).toBe('attempt-0001');
});

test.each(['wallet', 'cash'])('a session has its payment method, and a card for an unknown one: %s', async (method) => {
  const { api, asked } = environment([json({ transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' })]);
  await startCartPayment(api, { ...cartOrder, method });
  expect(asked[0]?.query).toMatchObject({ method: method === 'wallet' ? 'wallet' : 'card' });
});

test('a session without a payment page is malformed', async () => {
  const { api } = environment([json({ transId: 'tr1', url: 'javascript:alert(1)' })]);
  await expect(startCartPayment(api, cartOrder)).rejects.toMatchObject({ kind: 'malformed', field: 'url' });
});

test('a changed cart is refused', async () => {
  const { api } = environment([json({ error: 'Changed', code: 'price_changed', status: 409 }, 409)]);
  await expect(startCartPayment(api, cartOrder)).rejects.toMatchObject({ kind: 'refused', code: 'price_changed' });
});
