import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { HeldSubscription, Plan, PlanQuote } from '../../../machines/model/buying/subscription.ts';
import type { StoreProperties } from '../../../machines/model/store/store.ts';
import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
// A lazy chunk in the shop; preloaded here before a test's clock starts.
import '../../../src/views/Markup.tsx';
import { SubscriptionView } from '../../../src/flows/subscription/SubscriptionView.tsx';
import { answeringPort, makeFlowInput, rejectingPort, store, startUnderShop, type Port } from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';

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

type LoadPort = Port<HeldSubscription | null, undefined>;
const heldSubscription: HeldSubscription = {
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
  loadSubscription: LoadPort,
  signedIn: boolean,
  properties: Partial<StoreProperties> = {},
  path = '/subscription',
  plans: Plan[] = [],
  quotePlan: Port<PlanQuote, { planId: string }> = answeringPort<PlanQuote, { planId: string }>(quote),
  changePlan: Port<{ url: string }, { quote: PlanQuote | null }> = answeringPort<{ url: string }, { quote: PlanQuote | null }>({
    url: 'https://shop.example/welcome',
  }),
) => {
  const shop = { ...store, ...properties };
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''));
  const { route } = makeFlowInput();
  const input = makeFlowInput({}, { signedIn, store: shop, route: { ...route, query } });
  const loadPlans = answeringPort<Plan[], { planId: string }>(plans);
  const actors = { loadPlans, loadSubscription, quotePlan, changePlan };
  const { actor, receivedEvents } = startUnderShop(subscriptionMachine.provide({ actors }), input);
  return { events: receivedEvents, container: renderInShop(<SubscriptionView actor={actor} />, path, shop) };
};
const readHrefs = (container: HTMLElement) => [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'));
const portWithoutSubscription = answeringPort<HeldSubscription | null, undefined>(null);
const createLoadPort = (overrides: Partial<HeldSubscription> = {}): LoadPort =>
  answeringPort<HeldSubscription | null, undefined>({ ...heldSubscription, ...overrides });

test('a visitor reads the store’s sanitised text, the credits of each renewal, and where to enter a code', async () => {
  const { container } = start(portWithoutSubscription, false, {
    subscriptionMessageHtml: '<p>All of it for <b>one price</b>.</p><script>1</script>',
    creditsPerRenewal: 2,
    creditCurrency: 'Tokens',
  });
  await waitFor(() => expect(readState(container, 'subscription')).toBe('offered'));
  await waitFor(() => expect(container.querySelector('b')?.textContent).toBe('one price'));
  expect(container.querySelector('script')).toBeNull();
  expect(container.textContent).toContain('Each renewal gives you 2 Tokens.');
  expect(readHrefs(container)).toEqual(expect.arrayContaining(['/redeem', '/signin?return=%2Fsubscription', '/all']));
});

test.each([
  [1, 'Each renewal gives you 1 credit.'],
  [3, 'Each renewal gives you 3 credits.'],
])('a store without a name for its credits has %i at each renewal', async (creditsPerRenewal, expectedText) => {
  const { container } = start(portWithoutSubscription, false, { creditsPerRenewal });
  await waitFor(() => expect(container.textContent).toContain(expectedText));
});

test('credits under their default English name are named in the customer’s language', async () => {
  const { container } = start(portWithoutSubscription, false, { creditsPerRenewal: 2, creditCurrency: 'Credits' });
  await waitFor(() => expect(container.textContent).toContain('Each renewal gives you 2 credits.'));
});

test('the store’s name for its credits is plain text, even if it looks like markup', async () => {
  const { container } = start(portWithoutSubscription, false, { creditsPerRenewal: 2, creditCurrency: '<0>Tokens</0>' });
  await waitFor(() => expect(container.textContent).toContain('Each renewal gives you 2 <0>Tokens</0>.'));
});

test('sign-in leads back with the code and the plan of the address', async () => {
  const { container } = start(portWithoutSubscription, false, {}, '/subscription?code=A%26B&planid=monthly', [monthly]);
  await waitFor(() => expect(readState(container, 'subscription')).toBe('offered'));
  const signInUrl = new URL(readHrefs(container).find((link) => link?.startsWith('/signin')) ?? '', 'https://shop.example');
  expect(signInUrl.searchParams.get('return')).toBe('/subscription?code=A%26B&planid=monthly');
});

test('a store without subscription codes and without credits mentions neither', async () => {
  const { container } = start(portWithoutSubscription, false, { enableWebSubscriptionRedeem: false });
  await waitFor(() => expect(readState(container, 'subscription')).toBe('offered'));
  expect(readHrefs(container)).not.toContain('/redeem');
  expect(container.textContent).not.toContain('renewal');
});

test('a customer sees whether they have subscribed', async () => {
  const subscribed = start(createLoadPort(), true);
  await waitFor(() => expect(readState(subscribed.container, 'subscription')).toBe('subscribed'));
  expect(subscribed.container.textContent).toContain('You’re subscribed.');
  const unsubscribed = start(portWithoutSubscription, true);
  await waitFor(() => expect(unsubscribed.container.textContent).toContain('You don’t have a subscription.'));
});

test('each plan has its price for its period, its credits and its trial; its texts are sanitised', async () => {
  const { container } = start(portWithoutSubscription, false, { creditsPerRenewal: 9 }, '/subscription', [monthly, yearly]);
  await waitFor(() => expect(container.querySelectorAll('li')).toHaveLength(2));
  await waitFor(() => expect(container.querySelector('li b')?.textContent).toBe('lamp'));
  expect(container.querySelector('script')).toBeNull();
  const [first, second] = [...container.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(first).toBe('All the lamps$4.99 a monthThe first 14 days are free.Every lampEach renewal gives you 2 credits.Subscribe');
  expect(second).toBe('A year of lamps$4.99 a yearSubscribe');
  expect(container.textContent).not.toContain('9 credits');
});

test('each plan leads to its purchase, with the code in the address, under the store’s button text', async () => {
  const { container } = start(portWithoutSubscription, true, { subscribeButtonText: 'Join' }, '/subscription?code=A%26B', [
    monthly,
    yearly,
  ]);
  await waitFor(() => expect(container.querySelectorAll('li')).toHaveLength(2));
  const buttons = [...container.querySelectorAll('li a')];
  expect(buttons.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Join', '/subscription/purchase?planid=monthly&code=A%26B'],
    ['Join', '/subscription/purchase?planid=yearly&code=A%26B'],
  ]);
});

test('a subscriber sees their own plan, and where to manage it', async () => {
  const { container } = start(createLoadPort({ changeable: false }), true, {}, '/subscription', [monthly, yearly]);
  await waitFor(() => expect(readState(container, 'subscription')).toBe('subscribed'));
  expect([...container.querySelectorAll('h2')].map(({ textContent }) => textContent)).toEqual([
    'All the lamps',
    'Other subscriptions',
  ]);
  expect(screen.queryAllByRole('button')).toEqual([]);
  expect(container.textContent).not.toContain('days are free');
  expect(readHrefs(container)).toContain('/account');
});

const findButton = (name: string) => screen.findByRole('button', { name });

test('a change to another plan is confirmed with its price now and later, and leads to the welcome page', async () => {
  const { container, events } = start(createLoadPort(), true, {}, '/subscription', [monthly, yearly]);
  await userEvent.click(await findButton('Switch to: A year of lamps'));
  const question = await screen.findByRole('group', { name: /Switch to this subscription\?/ });
  expect(question.textContent).toContain('It starts immediately. You pay $2.50 now');
  expect(question.textContent).toContain('It then renews at $4.99 a year.');
  expect(document.activeElement).toBe(question);
  await userEvent.click(await findButton('Not now'));
  expect(readState(container, 'subscription')).toBe('subscribed');
  await userEvent.click(await findButton('Switch to: A year of lamps'));
  await userEvent.click(await findButton('Switch and pay'));
  await waitFor(() => expect(events).toContainEqual({ type: 'leave', url: 'https://shop.example/welcome' }));
});

test('a change at the next renewal shows its date, and that nothing is paid before', async () => {
  const renewalQuotePort = answeringPort<PlanQuote, { planId: string }>({
    ...quote,
    starts: 'renewal',
    at: heldSubscription.until,
  });
  start(createLoadPort(), true, {}, '/subscription', [monthly, yearly], renewalQuotePort);
  await userEvent.click(await findButton('Switch to: A year of lamps'));
  const question = await screen.findByRole('group', { name: /Switch to this/ });
  expect(question.textContent).toContain(
    'It starts on 31 January 2027. You pay nothing until then, and $4.99 a year after that.',
  );
  await findButton('Switch');
});

test('without a price from the server, the page says that the payment service shows it', async () => {
  const unknownQuotePort = answeringPort<PlanQuote, { planId: string }>({ ...quote, starts: 'unknown', at: null });
  const { events } = start(createLoadPort({ price: null }), true, {}, '/subscription', [monthly, yearly], unknownQuotePort);
  await userEvent.click(await findButton('Switch to: A year of lamps'));
  const question = await screen.findByRole('group', { name: /Switch to this/ });
  expect(question.textContent).toContain('The payment service tells you what it costs and when it starts');
  await userEvent.click(await findButton('Switch'));
  await waitFor(() => expect(events).toContainEqual({ type: 'leave', url: 'https://shop.example/welcome' }));
});

test('a scheduled change is shown, and the current plan can be kept', async () => {
  const currentPlanQuotePort = answeringPort<PlanQuote, { planId: string }>({
    ...quote,
    planId: 'monthly',
    starts: 'renewal',
    at: heldSubscription.until,
  });
  const { container } = start(createLoadPort({ next }), true, {}, '/subscription', [monthly, yearly], currentPlanQuotePort);
  await userEvent.click(await findButton('Keep your subscription: All the lamps'));
  expect(container.textContent).toContain('From 31 January 2027: A year of lamps, $4.99 a year');
  expect((await screen.findByRole('group', { name: /Keep your subscription\?/ })).textContent).toContain(
    'The other one won’t start.',
  );
  await findButton('Keep it');
});

test('a change in progress can be neither repeated nor replaced', async () => {
  const { container } = start(createLoadPort({ next: { ...next, changing: true } }), true, {}, '/subscription', [
    monthly,
    yearly,
  ]);
  await waitFor(() => expect(container.textContent).toContain('You’re switching to A year of lamps.'));
  expect(screen.queryAllByRole('button')).toEqual([]);
});

test('an overdue payment must be made before a change', async () => {
  const { container } = start(createLoadPort({ status: 'pastDue', changeable: false }), true, {}, '/subscription', [
    monthly,
    yearly,
  ]);
  await waitFor(() => expect(container.textContent).toContain('Your last payment didn’t go through.'));
  expect(screen.queryAllByRole('button')).toEqual([]);
});

test('a declined card is reported, and the plans stay', async () => {
  const declinedPort = rejectingPort<{ url: string }, { quote: PlanQuote | null }>({
    kind: 'refused',
    code: 'card_declined',
    message: '',
  });
  const { container } = start(createLoadPort(), true, {}, '/subscription', [monthly, yearly], undefined, declinedPort);
  await userEvent.click(await findButton('Switch to: A year of lamps'));
  await userEvent.click(await findButton('Switch and pay'));
  await screen.findByRole('alert');
  await waitFor(() => expect(readState(container, 'subscription')).toBe('subscribed'));
  await findButton('Switch to: A year of lamps');
});

test('a subscriber cannot change to a plan in another currency', async () => {
  const yearlyInEuros = { ...yearly, price: yearly.price && { ...yearly.price, currency: 'EUR' } };
  const { container } = start(createLoadPort(), true, {}, '/subscription', [monthly, yearlyInEuros]);
  await waitFor(() => expect(readState(container, 'subscription')).toBe('subscribed'));
  expect(screen.queryAllByRole('button')).toEqual([]);
});

test('a missing plan is reported as such, with a link to the other plans [S8.plan]', async () => {
  const { container } = start(portWithoutSubscription, false, {}, '/subscription?planid=gone');
  await waitFor(() => expect(readState(container, 'subscription')).toBe('notFound'));
  expect(container.textContent).toContain('We couldn’t find this subscription.');
  expect(readHrefs(container)).toEqual(['/subscription']);
});

test('a subscription that fails to load can be requested again', async () => {
  const failedView = start(rejectingPort({ kind: 'offline' }), true);
  await waitFor(() => expect(readState(failedView.container, 'subscription')).toBe('failed'));
  expect(findPressable(failedView.container, 'retry.pressed')).toBeDefined();
});

test('a store with its subscriptions off says so, and links to its titles', () => {
  const { container } = start(portWithoutSubscription, true, { enableSubscription: false });
  expect(readState(container, 'subscription')).toBe('closed');
  expect(container.textContent).toContain('This shop doesn’t offer subscriptions.');
  expect(readHrefs(container)).toEqual(['/all']);
});

test('a plan shows which titles it includes, all of them or by name', async () => {
  const titles = [
    { id: 't1', name: 'The Wend' },
    { id: 't2', name: 'Low Water' },
  ];
  const { container } = start(portWithoutSubscription, false, {}, '/subscription', [
    { ...monthly, opensTitles: 7, titles },
    { ...yearly, opensAll: true },
  ]);
  await waitFor(() => expect(readState(container, 'subscription')).toBe('offered'));
  expect(container.querySelector('summary')?.textContent).toBe('Includes 7 titles for as long as you subscribe.');
  const titleTexts = [...container.querySelectorAll('details li')].map((item) => item.textContent);
  expect(titleTexts).toEqual(['The Wend', 'Low Water', 'and 5 more', 'See all titles']);
  expect(readHrefs(container)).toEqual(expect.arrayContaining(['/all?plan=monthly', '/all?plan=yearly']));
  expect(readHrefs(container)).toContain('/id:t1/The-Wend');
  expect(container.textContent).toContain('every title in the shop for as long as you subscribe');
});

test('a cancelled subscription shows its end date', async () => {
  const cancelledPort = answeringPort<HeldSubscription | null, undefined>({
    ...heldSubscription,
    status: 'cancelled',
    changeable: false,
  });
  const { container } = start(cancelledPort, true, {}, '/subscription', [monthly, yearly]);
  await waitFor(() => expect(readState(container, 'subscription')).toBe('subscribed'));
  expect(container.textContent).toContain('Cancelled. You have access until 31 January 2027, and won’t be charged again.');
  expect(container.textContent).not.toContain('You’re subscribed.');
});

test('a cancelled subscription that can be reactivated links to the account; a subscription from a code does not', async () => {
  const reactivatable = start(createLoadPort({ status: 'cancelled', resumable: true }), true).container;
  await waitFor(() => expect(readState(reactivatable, 'subscription')).toBe('subscribed'));
  // The text is one paragraph, since a notice puts each of its children into a row.
  expect(reactivatable.querySelector('[role="status"] > p')?.textContent).toBe(
    'Cancelled. You have access until 31 January 2027, and won’t be charged again. Changed your mind? Keep it in your account',
  );
  expect(readHrefs(reactivatable)).toContain('/account');
  const fromCode = start(
    createLoadPort({ status: 'cancelled', price: { amount: 0, currency: 'USD', symbol: '$' } }),
    true,
  ).container;
  await waitFor(() => expect(fromCode.textContent).toContain('You have access until 31 January 2027. It won’t renew.'));
  expect(fromCode.textContent).not.toContain('Changed your mind?');
});
