import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { HeldSubscription, Plan, PlanQuote } from '../../../machines/model/buying/subscription.ts';
import type { StoreProperties } from '../../../machines/model/store/store.ts';
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

type Loads = Port<HeldSubscription | null, undefined>;
const own: HeldSubscription = {
  planId: 'monthly',
  name: 'All the lamps',
  status: 'active',
  price: monthly.price,
  interval: 'month',
  credits: 2,
  until: '2027-01-31T08:00:00.000Z',
  changeable: true,
  next: null,
};
const next = { planId: 'yearly', name: 'A year of lamps', price: yearly.price, interval: 'year', changing: false } as const;
const quote: PlanQuote = {
  planId: 'yearly',
  starts: 'now',
  due: { amount: 2.5, currency: 'USD', symbol: '$' },
  at: '2027-01-16T08:00:00.000Z',
  quotedAt: '2027-01-16T08:00:00.000Z',
};

const start = (
  loadSubscription: Loads,
  signedIn: boolean,
  properties: Partial<StoreProperties> = {},
  path = '/subscription',
  plans: Plan[] = [],
  quotePlan: Port<PlanQuote, { planId: string }> = answers<PlanQuote, { planId: string }>(quote),
  changePlan: Port<{ url: string }, { quote: PlanQuote | null }> = answers<{ url: string }, { quote: PlanQuote | null }>({
    url: 'https://shop.example/welcome',
  }),
) => {
  const shop = { ...store, ...properties };
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''));
  const { route } = flowInput();
  const input = flowInput({}, { signedIn, store: shop, route: { ...route, query } });
  const loadPlans = answers<Plan[], { planId: string }>(plans);
  const actors = { loadPlans, loadSubscription, quotePlan, changePlan };
  const { actor, told } = underShop(subscriptionMachine.provide({ actors }), input);
  return { told, container: show(<SubscriptionView actor={actor} />, path, shop) };
};
const links = (container: HTMLElement) => [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'));
const hasNone = answers<HeldSubscription | null, undefined>(null);
const has = (part: Partial<HeldSubscription> = {}): Loads => answers<HeldSubscription | null, undefined>({ ...own, ...part });

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
  const one = start(has(), true);
  await waitFor(() => expect(stateOf(one.container, 'subscription')).toBe('subscribed'));
  expect(one.container.textContent).toContain('You’re subscribed.');
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
  const { container } = start(has({ changeable: false }), true, {}, '/subscription', [monthly, yearly]);
  await waitFor(() => expect(stateOf(container, 'subscription')).toBe('subscribed'));
  expect([...container.querySelectorAll('h2')].map(({ textContent }) => textContent)).toEqual([
    'All the lamps',
    'Other subscriptions',
  ]);
  expect(screen.queryAllByRole('button')).toEqual([]);
  expect(container.textContent).not.toContain('days are free');
  expect(links(container)).toContain('/account');
});

const button = (name: string) => screen.findByRole('button', { name });

test('another plan says what it costs now and then before it is changed to, and leads on', async () => {
  const { container, told } = start(has(), true, {}, '/subscription', [monthly, yearly]);
  await userEvent.click(await button('Change to: A year of lamps'));
  const question = await screen.findByRole('group', { name: /Change to this subscription\?/ });
  expect(question.textContent).toContain('It begins at once. You pay $2.50 now');
  expect(question.textContent).toContain('It then renews at $4.99 a year.');
  expect(document.activeElement).toBe(question);
  await userEvent.click(await button('Not now'));
  expect(stateOf(container, 'subscription')).toBe('subscribed');
  await userEvent.click(await button('Change to: A year of lamps'));
  await userEvent.click(await button('Change and pay'));
  await waitFor(() => expect(told).toContainEqual({ type: 'leave', url: 'https://shop.example/welcome' }));
});

test('one that begins with the next renewal says when, and that nothing is paid before', async () => {
  const later = answers<PlanQuote, { planId: string }>({ ...quote, starts: 'renewal', at: own.until });
  start(has(), true, {}, '/subscription', [monthly, yearly], later);
  await userEvent.click(await button('Change to: A year of lamps'));
  const question = await screen.findByRole('group', { name: /Change to this/ });
  expect(question.textContent).toContain('It begins on January 31, 2027. You pay nothing before, and $4.99 a year from then on.');
  await button('Change');
});

test('without a word of the server what it costs, the payment service is said to tell it', async () => {
  const unsaid = answers<PlanQuote, { planId: string }>({ ...quote, starts: 'unknown', at: null });
  const { told } = start(has({ price: null }), true, {}, '/subscription', [monthly, yearly], unsaid);
  await userEvent.click(await button('Change to: A year of lamps'));
  const question = await screen.findByRole('group', { name: /Change to this/ });
  expect(question.textContent).toContain('The payment service tells you what it costs and when it begins');
  await userEvent.click(await button('Change'));
  await waitFor(() => expect(told).toContainEqual({ type: 'leave', url: 'https://shop.example/welcome' }));
});

test('what follows is said, and the own plan can be kept', async () => {
  const kept = answers<PlanQuote, { planId: string }>({ ...quote, planId: 'monthly', starts: 'renewal', at: own.until });
  const { container } = start(has({ next }), true, {}, '/subscription', [monthly, yearly], kept);
  await userEvent.click(await button('Keep your subscription: All the lamps'));
  expect(container.textContent).toContain('From January 31, 2027: A year of lamps, $4.99 a year');
  expect((await screen.findByRole('group', { name: /Keep your subscription\?/ })).textContent).toContain(
    'The other one won’t begin.',
  );
  await button('Keep it');
});

test('a change that is under way can be neither repeated nor replaced', async () => {
  const { container } = start(has({ next: { ...next, changing: true } }), true, {}, '/subscription', [monthly, yearly]);
  await waitFor(() => expect(container.textContent).toContain('Your change to A year of lamps is under way.'));
  expect(screen.queryAllByRole('button')).toEqual([]);
});

test('a payment that is due is to be made before anything is changed', async () => {
  const { container } = start(has({ status: 'pastDue', changeable: false }), true, {}, '/subscription', [monthly, yearly]);
  await waitFor(() => expect(container.textContent).toContain('Your last payment didn’t go through.'));
  expect(screen.queryAllByRole('button')).toEqual([]);
});

test('a card that does not pay is said, and the plans stay', async () => {
  const declined = rejects<{ url: string }, { quote: PlanQuote | null }>({ kind: 'refused', code: 'card_declined', message: '' });
  const { container } = start(has(), true, {}, '/subscription', [monthly, yearly], undefined, declined);
  await userEvent.click(await button('Change to: A year of lamps'));
  await userEvent.click(await button('Change and pay'));
  await screen.findByRole('alert');
  await waitFor(() => expect(stateOf(container, 'subscription')).toBe('subscribed'));
  await button('Change to: A year of lamps');
});

test('a plan in another currency is none to change to', async () => {
  const dear = { ...yearly, price: yearly.price && { ...yearly.price, currency: 'EUR' } };
  const { container } = start(has(), true, {}, '/subscription', [monthly, dear]);
  await waitFor(() => expect(stateOf(container, 'subscription')).toBe('subscribed'));
  expect(screen.queryAllByRole('button')).toEqual([]);
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
  expect(listed).toEqual(['The Wend', 'Low Water', 'and 5 more', 'See all titles']);
  expect(links(container)).toEqual(expect.arrayContaining(['/all?plan=monthly', '/all?plan=yearly']));
  expect(links(container)).toContain('/id:t1/The-Wend');
  expect(container.textContent).toContain('every title in the shop for as long as you subscribe');
});

test('a cancelled subscription says until when it lasts', async () => {
  const held = answers<HeldSubscription | null, undefined>({ ...own, status: 'cancelled', changeable: false });
  const { container } = start(held, true, {}, '/subscription', [monthly, yearly]);
  await waitFor(() => expect(stateOf(container, 'subscription')).toBe('subscribed'));
  expect(container.textContent).toContain('Cancelled. You have access until January 31, 2027, and won’t be charged again.');
  expect(container.textContent).not.toContain('You’re subscribed.');
});

test('one that was cancelled and can be kept leads to where that is done; one that came by a code ends by itself', async () => {
  const asKept = start(has({ status: 'cancelled', resumable: true }), true).container;
  await waitFor(() => expect(stateOf(asKept, 'subscription')).toBe('subscribed'));
  // In one paragraph: a notice gives each part of its own a row.
  expect(asKept.querySelector('[role="status"] > p')?.textContent).toBe(
    'Cancelled. You have access until January 31, 2027, and won’t be charged again. Changed your mind? Keep it in your account',
  );
  expect(links(asKept)).toContain('/account');
  const byCode = start(has({ status: 'cancelled', price: { amount: 0, currency: 'USD', symbol: '$' } }), true).container;
  await waitFor(() => expect(byCode.textContent).toContain('You have access until January 31, 2027. It ends by itself.'));
  expect(byCode.textContent).not.toContain('Changed your mind?');
});
