import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SubscriptionStatus } from '../../../machines/app/frame.ts';
import type { Plan } from '../../../machines/model/subscription.ts';
import type { StoreProperties } from '../../../machines/model/store.ts';
import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
// Fetched late by the shop; here it is there before the clock of a test starts.
import '../../../src/views/Markup.tsx';
import { SubscriptionView } from '../../../src/flows/subscription/SubscriptionView.tsx';
import { answers, flowInput, rejects, store, underShop, type Port } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

const monthly: Plan = {
  id: 'monthly',
  name: 'All the lamps',
  description: '<p>Every <b>lamp</b></p><script>1</script>',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  trialDays: 14,
  credits: 2,
};
const yearly: Plan = {
  ...monthly,
  id: 'yearly',
  name: 'A year of lamps',
  description: '',
  interval: 'year',
  trialDays: 0,
  credits: 0,
};

type Status = Port<SubscriptionStatus, undefined>;

const start = (
  subscriptionStatus: Status,
  signedIn: boolean,
  properties: Partial<StoreProperties> = {},
  path = '/subscription',
  plans: Plan[] = [],
) => {
  const shop = { ...store, ...properties };
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''));
  const { route } = flowInput();
  const input = flowInput({}, { signedIn, store: shop, route: { ...route, query } });
  const loadPlans = answers<Plan[], { planId: string }>(plans);
  const { actor, told } = underShop(subscriptionMachine.provide({ actors: { loadPlans, subscriptionStatus } }), input);
  return { told, container: show(<SubscriptionView actor={actor} />, path, shop) };
};
const links = (container: HTMLElement) => [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'));
const hasNone = answers<SubscriptionStatus, undefined>({ subscribed: false, data: null });

test('a visitor reads the store’s sanitised text, what each renewal brings, and where a code goes', async () => {
  const { container } = start(hasNone, false, {
    subscriptionMessageHtml: '<p>All of it for <b>one price</b>.</p><script>1</script>',
    creditsPerRenewal: 2,
    creditCurrency: 'Tokens',
  });
  await waitFor(() => expect(stateOf(container, 'subscription')).toBe('offered'));
  await waitFor(() => expect(container.querySelector('b')?.textContent).toBe('one price'));
  expect(container.querySelector('script')).toBeNull();
  expect(container.textContent).toContain('Each renewal gives you 2 Tokens.');
  expect(links(container)).toEqual(expect.arrayContaining(['/redeem', '/signin?return=%2Fsubscription', '/all']));
});

test.each([
  [1, 'Each renewal gives you 1 credit.'],
  [3, 'Each renewal gives you 3 credits.'],
])('%i credits without a name of their own', async (creditsPerRenewal, says) => {
  const { container } = start(hasNone, false, { creditsPerRenewal });
  await waitFor(() => expect(container.textContent).toContain(says));
});

test('credits under their usual English name are named in the customer’s language', async () => {
  const { container } = start(hasNone, false, { creditsPerRenewal: 2, creditCurrency: 'Credits' });
  await waitFor(() => expect(container.textContent).toContain('Each renewal gives you 2 credits.'));
});

test('the store’s word for its credits is text, whatever it looks like', async () => {
  const { container } = start(hasNone, false, { creditsPerRenewal: 2, creditCurrency: '<0>Tokens</0>' });
  await waitFor(() => expect(container.textContent).toContain('Each renewal gives you 2 <0>Tokens</0>.'));
});

test('signing in leads back with the code and the plan of the address', async () => {
  const { container } = start(hasNone, false, {}, '/subscription?code=A%26B&planid=monthly', [monthly]);
  await waitFor(() => expect(stateOf(container, 'subscription')).toBe('offered'));
  const back = new URL(links(container).find((link) => link?.startsWith('/signin')) ?? '', 'https://shop.example');
  expect(back.searchParams.get('return')).toBe('/subscription?code=A%26B&planid=monthly');
});

test('a store without subscription codes and without credits mentions neither', async () => {
  const { container } = start(hasNone, false, { enableWebSubscriptionRedeem: false });
  await waitFor(() => expect(stateOf(container, 'subscription')).toBe('offered'));
  expect(links(container)).not.toContain('/redeem');
  expect(container.textContent).not.toContain('renewal');
});

test('a customer is told whether they have subscribed', async () => {
  const has = start(answers({ subscribed: true, data: 'monthly' }), true);
  await waitFor(() => expect(stateOf(has.container, 'subscription')).toBe('subscribed'));
  expect(has.container.textContent).toContain('You’re subscribed.');
  const none = start(hasNone, true);
  await waitFor(() => expect(none.container.textContent).toContain('You don’t have a subscription.'));
});

test('each plan has its price for its period, what it brings, and how long it is tried; its words are made harmless', async () => {
  const { container } = start(hasNone, false, { creditsPerRenewal: 9 }, '/subscription', [monthly, yearly]);
  await waitFor(() => expect(container.querySelectorAll('li')).toHaveLength(2));
  await waitFor(() => expect(container.querySelector('li b')?.textContent).toBe('lamp'));
  expect(container.querySelector('script')).toBeNull();
  const [first, second] = [...container.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(first).toBe('All the lamps$4.99 a monthThe first 14 days are free.Every lampEach renewal gives you 2 credits.Subscribe');
  expect(second).toBe('A year of lamps$4.99 a yearSubscribe');
  expect(container.textContent).not.toContain('9 credits');
});

test('each plan leads to its purchase, with the code of the address, in the store’s own word', async () => {
  const { container } = start(hasNone, true, { subscribeButtonText: 'Join' }, '/subscription?code=A%26B', [monthly, yearly]);
  await waitFor(() => expect(container.querySelectorAll('li')).toHaveLength(2));
  const buttons = [...container.querySelectorAll('li a')];
  expect(buttons.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Join', '/subscription/purchase?planid=monthly&code=A%26B'],
    ['Join', '/subscription/purchase?planid=yearly&code=A%26B'],
  ]);
});

test('a subscriber sees their own plan, and where to manage it', async () => {
  const has = answers<SubscriptionStatus, undefined>({ subscribed: true, data: 'monthly' });
  const { container } = start(has, true, {}, '/subscription', [monthly, yearly]);
  await waitFor(() => expect(stateOf(container, 'subscription')).toBe('subscribed'));
  expect([...container.querySelectorAll('h2')].map(({ textContent }) => textContent)).toEqual(['All the lamps']);
  expect(container.textContent).not.toContain('days are free');
  expect(links(container)).toContain('/account');
});

test('a plan that is not there is said to be missing, and the others are a step away [S8.plan]', async () => {
  const { container } = start(hasNone, false, {}, '/subscription?planid=gone');
  await waitFor(() => expect(stateOf(container, 'subscription')).toBe('notFound'));
  expect(container.textContent).toContain('We couldn’t find this subscription.');
  expect(links(container)).toEqual(['/subscription']);
});

test('a failure can be tried again', async () => {
  const failed = start(rejects({ kind: 'offline' }), true);
  await waitFor(() => expect(stateOf(failed.container, 'subscription')).toBe('failed'));
  expect(pressable(failed.container, 'retry.pressed')).toBeDefined();
});

test('a store with its subscriptions off says so, and leads to its titles', () => {
  const { container } = start(hasNone, true, { enableSubscription: false });
  expect(stateOf(container, 'subscription')).toBe('closed');
  expect(container.textContent).toContain('This shop doesn’t offer subscriptions.');
  expect(links(container)).toEqual(['/all']);
});

test('a plan says which titles its subscribers read, all of them or by name', async () => {
  const titles = [
    { id: 't1', name: 'The Wend' },
    { id: 't2', name: 'Low Water' },
  ];
  const { container } = start(hasNone, false, {}, '/subscription', [
    { ...monthly, opensTitles: 7, titles },
    { ...yearly, opensAll: true },
  ]);
  await waitFor(() => expect(stateOf(container, 'subscription')).toBe('offered'));
  expect(container.querySelector('summary')?.textContent).toBe('Includes 7 titles for as long as you subscribe.');
  const listed = [...container.querySelectorAll('details li')].map((item) => item.textContent);
  expect(listed).toEqual(['The Wend', 'Low Water', 'and 5 more']);
  expect(links(container)).toContain('/id:t1/The-Wend');
  expect(container.textContent).toContain('every title in the shop for as long as you subscribe');
});
