import { expect, test } from 'vitest';
import { fetchCreditBalance } from '../../src/client/subscription/credits.ts';
import { cancelSubscription, fetchSubscription, resumeSubscription } from '../../src/client/subscription/own-subscription.ts';
import { html, json, catchRejection, environment, xml } from '../support/client/fake-environment.ts';

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
const notFoundResponse = () => html('<title>404</title>', 404);

test('a subscription is read as the server has it; null without one', async () => {
  const { api, asked } = environment([json({ subscription: monthly })]);
  expect(await fetchSubscription(api, signal)).toEqual({ ...monthly, next: null, refunded: null, resumable: null });
  expect(asked).toMatchObject([{ method: 'GET', path: '/api/user/subscription', cache: 'default' }]);
  expect(await fetchSubscription(environment([json({ subscription: null })]).api, signal)).toBeNull();
});

test('another server’s subscription: numbers as text, states in any case, its own date format', async () => {
  const said = { ...monthly, PlanId: 7, planId: undefined, status: 'PastDue', credits: '2', until: '/Date(1801382400000)/' };
  expect(await fetchSubscription(environment([json({ Subscription: said })]).api, signal)).toMatchObject({
    planId: '7',
    status: 'pastDue',
    credits: 2,
    until: '2027-01-31T08:00:00.000Z',
  });
});

test('a store that lacks the call is asked for the subscription status', async () => {
  const plain = environment([notFoundResponse, json({ subscribed: true, data: 'gold' })]);
  expect(await fetchSubscription(plain.api, signal)).toEqual({
    planId: 'gold',
    name: '',
    status: 'active',
    price: null,
    interval: null,
    credits: 0,
    until: null,
    changeable: true,
  });
  expect(
    await fetchSubscription(environment([notFoundResponse, json({ subscribed: false, data: null })]).api, signal),
  ).toBeNull();
});

test('an unreadable answer is replaced by the status', async () => {
  const answer = json({ subscription: { ...monthly, status: 'paused' } });
  const { api } = environment([answer, json({ subscribed: false, data: null })]);
  expect(await fetchSubscription(api, signal)).toBeNull();
});

test.each([
  ['cancel', cancelSubscription],
  ['resume', resumeSubscription],
] as const)('to %s sends one request, with any result', async (name, change) => {
  const { api, asked } = environment([xml('<Result><Status>Ok</Status></Result>')]);
  expect(await change(api, signal)).toEqual({});
  expect(asked).toMatchObject([{ method: 'GET', path: `/api/user/subscription/${name}`, cache: 'no-store' }]);
  const broken = environment([() => new Response('', { status: 503 })]);
  expect(await catchRejection(change(broken.api, signal))).toMatchObject({ kind: 'http', status: 503 });
  expect(broken.asked).toHaveLength(1);
});

test('credits have their name; a store without credits has none', async () => {
  const { api, asked } = environment([json({ CreditBalance: 3, CreditCurrency: 'Tokens', EnableBuyWithCredits: true })]);
  expect(await fetchCreditBalance(api, signal)).toEqual({ balance: 3, currency: 'Tokens', accepted: true });
  expect(asked).toMatchObject([{ method: 'GET', path: '/api/credits/balance' }]);
  expect(await fetchCreditBalance(environment([json({ creditbalance: '2' })]).api, signal)).toEqual({
    balance: 2,
    currency: '',
    accepted: false,
  });
  expect(await fetchCreditBalance(environment([notFoundResponse]).api, signal)).toEqual({
    balance: 0,
    currency: '',
    accepted: false,
  });
  expect(await catchRejection(fetchCreditBalance(environment([new Error('gone')]).api, signal))).toEqual({ kind: 'offline' });
});
