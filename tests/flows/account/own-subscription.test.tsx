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
const loadsWith = (part: Partial<HeldSubscription>): LoadPort =>
  answeringPort<HeldSubscription | null, undefined>({ ...monthly, ...part });
const findSection = (container: HTMLElement) => container.querySelector('[data-flow="ownSubscription"]');
const findButton = (name: string) => screen.findByRole('button', { name });

test('a subscription has its name, its price, its next renewal and the credits of it', async () => {
  const container = start(loadsWith({}));
  await findButton('Cancel subscription…');
  expect(findSection(container)?.textContent).toBe(
    'SubscriptionAll the lamps$4.99 a monthRenews on 31 January 2027.Each renewal gives you 2 credits.Use another cardCancel subscription…',
  );
});

test.each([
  ['week', '$4.99 a week'],
  ['quarter', '$4.99 every three months'],
  ['year', '$4.99 a year'],
] as const)('one of a %s', async (interval, says) => {
  const container = start(loadsWith({ interval }));
  await waitFor(() => expect(container.textContent).toContain(says));
});

test('credits have the store’s name for them', async () => {
  const container = start(loadsWith({}), { shop: { ...store, creditCurrency: 'Tokens' } });
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
] as const)('a subscription that is %s', async (status, says, buttons) => {
  const container = start(loadsWith({ status }));
  await waitFor(() => expect(container.textContent).toContain(says));
  expect(screen.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual(buttons);
  expect(screen.queryAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
    status === 'ended' ? ['/subscription'] : [],
  );
});

test('a subscription from a code is not shown as cancelled: it ends automatically', async () => {
  const container = start(loadsWith({ status: 'cancelled', price: { amount: 0, currency: 'USD', symbol: '$' } }));
  await waitFor(() => expect(container.textContent).toContain('You have access until 31 January 2027. It won’t renew.'));
  expect(container.textContent).not.toContain('Cancelled.');
});

test('another store’s subscription shows only the fields it has', async () => {
  const container = start(loadsWith({ name: '', price: null, interval: null, credits: 0, until: null }));
  await waitFor(() => expect(container.textContent).toContain('You’re subscribed.'));
});

test('cancelling asks first, with the date until which access lasts; then that date is shown', async () => {
  const states: HeldSubscription[] = [monthly, { ...monthly, status: 'cancelled' }];
  const container = start(requestPort<HeldSubscription | null>(async () => states.shift() ?? null));
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
  start(loadsWith({}), { cancelSubscription: rejectingPort({ kind: 'offline' }) });
  await userEvent.click(await findButton('Cancel subscription…'));
  await userEvent.click(await findButton('Cancel subscription'));
  await screen.findByRole('alert');
  await findButton('Cancel subscription…');
});

const loadsInTurn = (...parts: Partial<HeldSubscription>[]): LoadPort => {
  const states = parts.map((part) => ({ ...monthly, ...part }));
  return requestPort<HeldSubscription | null>(async () => states.shift() ?? null);
};

test('a cancellation whose answer was lost is shown once the server has applied it', async () => {
  const container = start(loadsInTurn({}, { status: 'cancelled', resumable: true }), {
    cancelSubscription: rejectingPort({ kind: 'timeout' }),
  });
  await userEvent.click(await findButton('Cancel subscription…'));
  await userEvent.click(await findButton('Cancel subscription'));
  await waitFor(() => expect(container.textContent).toContain('Your subscription has been cancelled.'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a cancelled subscription can be reactivated: its renewal date is shown first, then that it continues', async () => {
  const container = start(loadsInTurn({ status: 'cancelled', resumable: true }, { status: 'active', resumable: null }));
  const keep = await findButton('Keep my subscription');
  const says = document.getElementById(keep.getAttribute('aria-describedby') ?? '')?.textContent;
  expect(says).toBe('Changed your mind? You can keep it. It then renews on 31 January 2027, and you pay nothing until then.');
  keep.focus();
  await userEvent.keyboard('{Enter}');
  const notice = await screen.findByRole('status');
  expect([notice.textContent, document.activeElement]).toEqual(['Your subscription continues.', notice]);
  expect(container.textContent).toContain('Renews on 31 January 2027.');
  await findButton('Cancel subscription…');
  expect(screen.queryByRole('button', { name: 'Keep my subscription' })).toBeNull();
});

test('a failed reactivation shows the reason, and the button keeps the focus', async () => {
  start(loadsWith({ status: 'cancelled', resumable: true }), { resumeSubscription: rejectingPort({ kind: 'offline' }) });
  await userEvent.click(await findButton('Keep my subscription'));
  await screen.findByRole('alert');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep my subscription'));
});

test('a subscription that has ended in the meantime says so, with a link to the plans', async () => {
  const container = start(loadsInTurn({ status: 'cancelled', resumable: true }, { status: 'ended' }), {
    resumeSubscription: rejectingPort({ kind: 'refused', code: 'subscription_over', message: '' }),
  });
  await userEvent.click(await findButton('Keep my subscription'));
  expect((await screen.findByRole('alert')).textContent).toBe('Your subscription has ended. You can subscribe again.');
  expect(container.querySelector('a')?.getAttribute('href')).toBe('/subscription');
});

test('a subscription that the gateway cannot reactivate has no button, and says so', async () => {
  const container = start(loadsWith({ status: 'cancelled', resumable: false }));
  await waitFor(() =>
    expect(container.textContent).toContain('It can’t be kept any more. When it has ended, you can subscribe again.'),
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test('the card is changed at the gateway; when that is unreachable, the reason is shown and nothing changes', async () => {
  start(loadsWith({ status: 'pastDue' }), { openPortal: rejectingPort({ kind: 'offline' }) });
  await userEvent.click(await findButton('Use another card'));
  await screen.findByRole('alert');
  await userEvent.click(await findButton('Use another card'));
  await findButton('Cancel subscription…');
});

test('a successful retry moves the focus to the heading of its part', async () => {
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
  const without = start(answeringPort<HeldSubscription | null, undefined>(null), { sells: false });
  await waitFor(() => expect(readState(without, 'ownSubscription')).toBe('none'));
  expect(findSection(without)?.textContent).toBe('');
});
