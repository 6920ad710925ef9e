import { expect, test } from 'vitest';
import { creditBalance } from '../../src/client/subscription/credits.ts';
import { cancelSubscription, ownSubscription, resumeSubscription } from '../../src/client/subscription/own-subscription.ts';
import { html, json, rejection, world, xml } from '../support/client/world.ts';

const signal = new AbortController().signal;
const monthly = {
  planId: 'monthly',
  name: 'Monthly',
  status: 'active',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  credits: 2,
  until: '2027-01-31T08:00:00.000Z',
};
const notThere = () => html('<title>404</title>', 404);

test('a subscription comes as the server has it, or is none', async () => {
  const { api, asked } = world([json({ subscription: monthly })]);
  expect(await ownSubscription(api, signal)).toEqual({ ...monthly, next: null, refunded: null, resumable: null });
  expect(asked).toMatchObject([{ method: 'GET', path: '/api/user/subscription', cache: 'default' }]);
  expect(await ownSubscription(world([json({ subscription: null })]).api, signal)).toBeNull();
});

test('of another server: numbers as texts, words in any case, a date of its own', async () => {
  const said = { ...monthly, PlanId: 7, planId: undefined, status: 'PastDue', credits: '2', until: '/Date(1801382400000)/' };
  expect(await ownSubscription(world([json({ Subscription: said })]).api, signal)).toMatchObject({
    planId: '7',
    status: 'pastDue',
    credits: 2,
    until: '2027-01-31T08:00:00.000Z',
  });
});

test('a store that has no such call is asked whether the customer has subscribed', async () => {
  const plain = world([notThere, json({ subscribed: true, data: 'gold' })]);
  expect(await ownSubscription(plain.api, signal)).toEqual({
    planId: 'gold',
    name: '',
    status: 'active',
    price: null,
    interval: null,
    credits: 0,
    until: null,
    changeable: true,
  });
  expect(await ownSubscription(world([notThere, json({ subscribed: false, data: null })]).api, signal)).toBeNull();
});

test('an answer that cannot be read is replaced by the status', async () => {
  const answer = json({ subscription: { ...monthly, status: 'paused' } });
  const { api } = world([answer, json({ subscribed: false, data: null })]);
  expect(await ownSubscription(api, signal)).toBeNull();
});

test.each([
  ['cancel', cancelSubscription],
  ['resume', resumeSubscription],
] as const)('to %s it is asked once, whatever comes of it', async (name, change) => {
  const { api, asked } = world([xml('<Result><Status>Ok</Status></Result>')]);
  expect(await change(api, signal)).toEqual({});
  expect(asked).toMatchObject([{ method: 'GET', path: `/api/user/subscription/${name}`, cache: 'no-store' }]);
  const broken = world([() => new Response('', { status: 503 })]);
  expect(await rejection(change(broken.api, signal))).toMatchObject({ kind: 'http', status: 503 });
  expect(broken.asked).toHaveLength(1);
});

test('credits come with their name; a store without them has none', async () => {
  const { api, asked } = world([json({ CreditBalance: 3, CreditCurrency: 'Tokens', EnableBuyWithCredits: true })]);
  expect(await creditBalance(api, signal)).toEqual({ balance: 3, currency: 'Tokens', accepted: true });
  expect(asked).toMatchObject([{ method: 'GET', path: '/api/credits/balance' }]);
  expect(await creditBalance(world([json({ creditbalance: '2' })]).api, signal)).toEqual({
    balance: 2,
    currency: '',
    accepted: false,
  });
  expect(await creditBalance(world([notThere]).api, signal)).toEqual({ balance: 0, currency: '', accepted: false });
  expect(await rejection(creditBalance(world([new Error('gone')]).api, signal))).toEqual({ kind: 'offline' });
});
