import { expect, test } from 'vitest';
import { cartSession } from '../../../src/flows/purchase/calls/cart.ts';
import { json, world } from '../../support/client/world.ts';

const price = { amount: 19.98, currency: 'USD', symbol: '$' };
const seen = {
  titleIds: ['1', '2'],
  price,
  cardId: null,
  key: 'attempt-0001',
  code: '',
  method: null,
  giftInfo: undefined,
  tax: null,
};

test('a session says which titles were seen for how much, and whose card pays [S7.checkout/cart/session]', async () => {
  const answer = { transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' };
  const { api, asked } = world([json(answer), json(answer)]);
  expect(await cartSession(api, seen)).toEqual(answer);
  await cartSession(api, { ...seen, cardId: 'c1', code: 'SPRING-20', giftInfo: '{}' });
  const [first, second] = asked.map(({ query }) => query);
  expect(first).toMatchObject({ titleids: '1,2', price: '19.98', currency: 'USD', method: 'card' });
  expect([first?.['cardId'], second?.['cardId']]).toEqual([undefined, 'c1']);
  expect([first?.['code'], second?.['code']]).toEqual([undefined, 'SPRING-20']);
  expect([first?.['giftInfo'], second?.['giftInfo']]).toEqual([undefined, '{}']);
  expect(asked[0]?.headers['idempotency-key']).toBe('attempt-0001');
});

test.each(['wallet', 'cash'])('a session says how it is paid, by card in a way that is not known: %s', async (method) => {
  const { api, asked } = world([json({ transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' })]);
  await cartSession(api, { ...seen, method });
  expect(asked[0]?.query).toMatchObject({ method: method === 'wallet' ? 'wallet' : 'card' });
});

test('a session without a page to pay on is none', async () => {
  const { api } = world([json({ transId: 'tr1', url: 'javascript:alert(1)' })]);
  await expect(cartSession(api, seen)).rejects.toMatchObject({ kind: 'malformed', field: 'url' });
});

test('a changed cart is refused', async () => {
  const { api } = world([json({ error: 'Changed', code: 'price_changed', status: 409 }, 409)]);
  await expect(cartSession(api, seen)).rejects.toMatchObject({ kind: 'refused', code: 'price_changed' });
});
