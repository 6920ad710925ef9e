import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ownSubscriptionMachine } from '../../../machines/account/own-subscription.ts';
import type { HeldSubscription } from '../../../machines/model/buying/subscription.ts';
import { requestPort } from '../../../machines/ports.ts';
import { throwProblem } from '../../../src/client/wire/problem.ts';
import { OwnSubscription } from '../../../src/flows/account/OwnSubscription.tsx';
import { answeringPort, rejectingPort, store, startUnderShop, type Port } from '../../support/views/flow.ts';
import { renderInShop, readState } from '../../support/views/show.tsx';

const monthly: HeldSubscription = {
  planId: 'monthly',
  name: 'All the lamps',
  status: 'active',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  credits: 2,
  until: '2027-01-31T08:00:00.000Z',
};

type LoadPort = Port<HeldSubscription | null, undefined>;

const start = (
  loadSubscription: LoadPort,
  {
    sells = true,
    cancelSubscription = answeringPort<object, undefined>({}),
    resumeSubscription = answeringPort<object, undefined>({}),
    openPortal = answeringPort<{ url: string }, undefined>({ url: 'https://pay.example/setup/1' }),
    shop = store,
  } = {},
) => {
  const machine = ownSubscriptionMachine.provide({
    actors: { loadSubscription, cancelSubscription, resumeSubscription, openPortal },
  });
  const { actor } = startUnderShop(machine, { sells });
  return renderInShop(<OwnSubscription actor={actor} />, '/account', shop);
};
const createLoadPort = (overrides: Partial<HeldSubscription>): LoadPort =>
  answeringPort<HeldSubscription | null, undefined>({ ...monthly, ...overrides });
const findSection = (container: HTMLElement) => container.querySelector('[data-flow="ownSubscription"]');
const findButton = (name: string) => screen.findByRole('button', { name });

test('a subscription shows its name, its price, its next renewal and the credits of each renewal', async () => {
  const container = start(createLoadPort({}));
  await findButton('Cancel subscription…');
  expect(findSection(container)?.textContent).toBe(
    'SubscriptionAll the lamps$4.99 a monthRenews on 31 January 2027.Each renewal gives you 2 credits.Use another cardCancel subscription…',
  );
});

test.each([
  ['week', '$4.99 a week'],
  ['quarter', '$4.99 every three months'],
  ['year', '$4.99 a year'],
] as const)('the price of a subscription names its interval, a %s', async (interval, expectedText) => {
  const container = start(createLoadPort({ interval }));
  await waitFor(() => expect(container.textContent).toContain(expectedText));
});

test('credits have the store’s name for them', async () => {
  const container = start(createLoadPort({}), { shop: { ...store, creditCurrency: 'Tokens' } });
  await waitFor(() => expect(container.textContent).toContain('Each renewal gives you 2 Tokens.'));
});

test.each([
  ['cancelled', 'Cancelled. You have access until 31 January 2027, and won’t be charged again.', []],
  [
    'pastDue',
    'The last payment didn’t go through. You have access until 31 January 2027.',
    ['Use another card', 'Cancel subscription…'],
  ],
  ['ended', 'Your subscription ended on 31 January 2027.', []],
] as const)('a subscription that is %s shows its status and its remaining actions', async (status, expectedText, buttons) => {
  const container = start(createLoadPort({ status }));
  await waitFor(() => expect(container.textContent).toContain(expectedText));
  expect(screen.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual(buttons);
  expect(screen.queryAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
    status === 'ended' ? ['/subscription'] : [],
  );
});

test('a subscription from a code is not shown as cancelled: it ends automatically', async () => {
  const container = start(createLoadPort({ status: 'cancelled', price: { amount: 0, currency: 'USD', symbol: '$' } }));
  await waitFor(() => expect(container.textContent).toContain('You have access until 31 January 2027. It won’t renew.'));
  expect(container.textContent).not.toContain('Cancelled.');
});

test('a subscription of which the server sends only the status is shown without a name, a price and dates', async () => {
  const container = start(createLoadPort({ name: '', price: null, interval: null, credits: 0, until: null }));
  await waitFor(() => expect(container.textContent).toContain('You’re subscribed.'));
});

test('cancelling needs a confirmation that names the end of access, and that date is shown afterwards', async () => {
  const subscriptions: HeldSubscription[] = [monthly, { ...monthly, status: 'cancelled' }];
  const container = start(requestPort<HeldSubscription | null>(async () => subscriptions.shift() ?? null));
  await userEvent.click(await findButton('Cancel subscription…'));
  const question = screen.getByRole('group', { name: /Cancel your subscription\?/ });
  expect(question.textContent).toContain('your access stays until 31 January 2027.');
  expect(document.activeElement).toBe(question);
  await userEvent.click(await findButton('Keep subscription'));
  expect(readState(container, 'ownSubscription')).toBe('held');
  await userEvent.click(await findButton('Cancel subscription…'));
  await userEvent.click(await findButton('Cancel subscription'));
  const notice = await screen.findByRole('status');
  expect(notice.textContent).toBe('Your subscription has been cancelled.');
  expect(document.activeElement).toBe(notice);
  expect(container.textContent).toContain('You have access until 31 January 2027, and won’t be charged again.');
  expect(screen.queryByRole('button')).toBeNull();
});

test('a subscription that could not be cancelled stays, and the reason is shown', async () => {
  start(createLoadPort({}), { cancelSubscription: rejectingPort({ kind: 'offline' }) });
  await userEvent.click(await findButton('Cancel subscription…'));
  await userEvent.click(await findButton('Cancel subscription'));
  await screen.findByRole('alert');
  await findButton('Cancel subscription…');
});

const createSequentialLoadPort = (...overridesInTurn: Partial<HeldSubscription>[]): LoadPort => {
  const subscriptions = overridesInTurn.map((overrides) => ({ ...monthly, ...overrides }));
  return requestPort<HeldSubscription | null>(async () => subscriptions.shift() ?? null);
};

test('a cancellation whose response was lost is shown once the server has applied it', async () => {
  const container = start(createSequentialLoadPort({}, { status: 'cancelled', resumable: true }), {
    cancelSubscription: rejectingPort({ kind: 'timeout' }),
  });
  await userEvent.click(await findButton('Cancel subscription…'));
  await userEvent.click(await findButton('Cancel subscription'));
  await waitFor(() => expect(container.textContent).toContain('Your subscription has been cancelled.'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a cancelled subscription can be reactivated; the button names the next renewal', async () => {
  const container = start(
    createSequentialLoadPort({ status: 'cancelled', resumable: true }, { status: 'active', resumable: null }),
  );
  const keepButton = await findButton('Keep my subscription');
  const description = document.getElementById(keepButton.getAttribute('aria-describedby') ?? '')?.textContent;
  expect(description).toBe(
    'Changed your mind? You can keep it. It then renews on 31 January 2027, and you pay nothing until then.',
  );
  keepButton.focus();
  await userEvent.keyboard('{Enter}');
  const notice = await screen.findByRole('status');
  expect([notice.textContent, document.activeElement]).toEqual(['Your subscription continues.', notice]);
  expect(container.textContent).toContain('Renews on 31 January 2027.');
  await findButton('Cancel subscription…');
  expect(screen.queryByRole('button', { name: 'Keep my subscription' })).toBeNull();
});

test('a failed reactivation shows the reason, and the button keeps the focus', async () => {
  start(createLoadPort({ status: 'cancelled', resumable: true }), { resumeSubscription: rejectingPort({ kind: 'offline' }) });
  await userEvent.click(await findButton('Keep my subscription'));
  await screen.findByRole('alert');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep my subscription'));
});

test('a subscription that has ended in the meantime says so, with a link to the plans', async () => {
  const container = start(createSequentialLoadPort({ status: 'cancelled', resumable: true }, { status: 'ended' }), {
    resumeSubscription: rejectingPort({ kind: 'refused', code: 'subscription_over', message: '' }),
  });
  await userEvent.click(await findButton('Keep my subscription'));
  expect((await screen.findByRole('alert')).textContent).toBe('Your subscription has ended. You can subscribe again.');
  expect(container.querySelector('a')?.getAttribute('href')).toBe('/subscription');
});

test('a subscription that the gateway cannot reactivate has no button, and says so', async () => {
  const container = start(createLoadPort({ status: 'cancelled', resumable: false }));
  await waitFor(() =>
    expect(container.textContent).toContain('It can’t be kept any more. When it has ended, you can subscribe again.'),
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test('when the gateway’s page for cards cannot be opened, the reason is shown and the subscription stays unchanged', async () => {
  start(createLoadPort({ status: 'pastDue' }), { openPortal: rejectingPort({ kind: 'offline' }) });
  await userEvent.click(await findButton('Use another card'));
  await screen.findByRole('alert');
  await userEvent.click(await findButton('Use another card'));
  await findButton('Cancel subscription…');
});

test('a successful retry moves the focus to the heading of its section', async () => {
  const answersInTurn = [() => throwProblem({ kind: 'offline' }), () => monthly];
  const container = start(requestPort<HeldSubscription | null>(async () => answersInTurn.shift()?.() ?? null));
  (await findButton('Try again')).focus();
  await userEvent.keyboard('{Enter}');
  await findButton('Cancel subscription…');
  expect(document.activeElement).toBe(container.querySelector('h2'));
});

test('a customer without a subscription gets a link to the plans; without plans nothing is shown', async () => {
  start(answeringPort<HeldSubscription | null, undefined>(null));
  expect((await screen.findByRole('link')).getAttribute('href')).toBe('/subscription');
  const containerWithoutPlans = start(answeringPort<HeldSubscription | null, undefined>(null), { sells: false });
  await waitFor(() => expect(readState(containerWithoutPlans, 'ownSubscription')).toBe('none'));
  expect(findSection(containerWithoutPlans)?.textContent).toBe('');
});
