import { expect, test } from 'vitest';
import { fetchCreditBalance } from '../../src/client/subscription/credits.ts';
import { cancelSubscription, fetchSubscription, resumeSubscription } from '../../src/client/subscription/own-subscription.ts';
import { html, json, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

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

test('a subscription is mapped to the model; a customer without one has null', async () => {
  const { api, requests } = createFakeServer([json({ subscription: monthly })]);
  expect(await fetchSubscription(api, signal)).toEqual({ ...monthly, next: null, refunded: null, resumable: null });
  expect(requests).toMatchObject([{ method: 'GET', path: '/api/user/subscription', cache: 'default' }]);
  expect(await fetchSubscription(createFakeServer([json({ subscription: null })]).api, signal)).toBeNull();
});

test('a subscription may have numbers as text, a status in any case and a .NET date', async () => {
  const wireSubscription = {
    ...monthly,
    PlanId: 7,
    planId: undefined,
    status: 'PastDue',
    credits: '2',
    until: '/Date(1801382400000)/',
  };
  expect(await fetchSubscription(createFakeServer([json({ Subscription: wireSubscription })]).api, signal)).toMatchObject({
    planId: '7',
    status: 'pastDue',
    credits: 2,
    until: '2027-01-31T08:00:00.000Z',
  });
});

test('without the call for the subscription, its status is read', async () => {
  const olderServer = createFakeServer([notFoundResponse, json({ subscribed: true, data: 'gold' })]);
  expect(await fetchSubscription(olderServer.api, signal)).toEqual({
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
    await fetchSubscription(createFakeServer([notFoundResponse, json({ subscribed: false, data: null })]).api, signal),
  ).toBeNull();
});

test('an unreadable subscription is replaced by its status', async () => {
  const answer = json({ subscription: { ...monthly, status: 'paused' } });
  const { api } = createFakeServer([answer, json({ subscribed: false, data: null })]);
  expect(await fetchSubscription(api, signal)).toBeNull();
});

test.each([
  ['cancel', cancelSubscription],
  ['resume', resumeSubscription],
] as const)('a request to %s a subscription is sent once, also when it fails', async (name, change) => {
  const { api, requests } = createFakeServer([xml('<Result><Status>Ok</Status></Result>')]);
  expect(await change(api, signal)).toEqual({});
  expect(requests).toMatchObject([{ method: 'GET', path: `/api/user/subscription/${name}`, cache: 'no-store' }]);
  const failingServer = createFakeServer([() => new Response('', { status: 503 })]);
  expect(await catchRejection(change(failingServer.api, signal))).toMatchObject({ kind: 'http', status: 503 });
  expect(failingServer.requests).toHaveLength(1);
});

test('credits have their name; a server without the call has a balance of 0', async () => {
  const { api, requests } = createFakeServer([json({ CreditBalance: 3, CreditCurrency: 'Tokens', EnableBuyWithCredits: true })]);
  expect(await fetchCreditBalance(api, signal)).toEqual({ balance: 3, currency: 'Tokens', accepted: true });
  expect(requests).toMatchObject([{ method: 'GET', path: '/api/credits/balance' }]);
  expect(await fetchCreditBalance(createFakeServer([json({ creditbalance: '2' })]).api, signal)).toEqual({
    balance: 2,
    currency: '',
    accepted: false,
  });
  expect(await fetchCreditBalance(createFakeServer([notFoundResponse]).api, signal)).toEqual({
    balance: 0,
    currency: '',
    accepted: false,
  });
  expect(await catchRejection(fetchCreditBalance(createFakeServer([new Error('gone')]).api, signal))).toEqual({
    kind: 'offline',
  });
});
