import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ownSubscriptionMachine } from '../../../machines/account/own-subscription.ts';
import type { HeldSubscription } from '../../../machines/model/buying/subscription.ts';
import { requestPort } from '../../../machines/ports.ts';
import { raise } from '../../../src/client/wire/problem.ts';
import { OwnSubscription } from '../../../src/flows/account/OwnSubscription.tsx';
import { answers, rejects, store, underShop, type Port } from '../../support/views/flow.ts';
import { show, stateOf } from '../../support/views/show.tsx';

const monthly: HeldSubscription = {
  planId: 'monthly',
  name: 'All the lamps',
  status: 'active',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  credits: 2,
  until: '2027-01-31T08:00:00.000Z',
};

type Loads = Port<HeldSubscription | null, undefined>;

const start = (
  loadSubscription: Loads,
  {
    sells = true,
    cancelSubscription = answers<object, undefined>({}),
    resumeSubscription = answers<object, undefined>({}),
    openPortal = answers<{ url: string }, undefined>({ url: 'https://pay.example/setup/1' }),
    shop = store,
  } = {},
) => {
  const machine = ownSubscriptionMachine.provide({
    actors: { loadSubscription, cancelSubscription, resumeSubscription, openPortal },
  });
  const { actor } = underShop(machine, { sells });
  return show(<OwnSubscription actor={actor} />, '/account', shop);
};
const heldAs = (part: Partial<HeldSubscription>): Loads => answers<HeldSubscription | null, undefined>({ ...monthly, ...part });
const part = (container: HTMLElement) => container.querySelector('[data-flow="ownSubscription"]');
const button = (name: string) => screen.findByRole('button', { name });

test('a subscription has its name, its price, its next renewal and what that brings', async () => {
  const container = start(heldAs({}));
  await button('Cancel subscription…');
  expect(part(container)?.textContent).toBe(
    'SubscriptionAll the lamps$4.99 a monthRenews on January 31, 2027.Each renewal gives you 2 credits.Use another cardCancel subscription…',
  );
});

test.each([
  ['week', '$4.99 a week'],
  ['quarter', '$4.99 every three months'],
  ['year', '$4.99 a year'],
] as const)('one of a %s', async (interval, says) => {
  const container = start(heldAs({ interval }));
  await waitFor(() => expect(container.textContent).toContain(says));
});

test('credits are called what the store calls them', async () => {
  const container = start(heldAs({}), { shop: { ...store, creditCurrency: 'Tokens' } });
  await waitFor(() => expect(container.textContent).toContain('Each renewal gives you 2 Tokens.'));
});

test.each([
  ['cancelled', 'Cancelled. You have access until January 31, 2027, and won’t be charged again.', []],
  [
    'pastDue',
    'The last payment didn’t go through. You have access until January 31, 2027.',
    ['Use another card', 'Cancel subscription…'],
  ],
  ['ended', 'Your subscription ended on January 31, 2027.', []],
] as const)('one that is %s', async (status, says, buttons) => {
  const container = start(heldAs({ status }));
  await waitFor(() => expect(container.textContent).toContain(says));
  expect(screen.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual(buttons);
  expect(screen.queryAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
    status === 'ended' ? ['/subscription'] : [],
  );
});

test('one that came by a code was cancelled by nobody: it ends by itself', async () => {
  const container = start(heldAs({ status: 'cancelled', price: { amount: 0, currency: 'USD', symbol: '$' } }));
  await waitFor(() => expect(container.textContent).toContain('You have access until January 31, 2027. It ends by itself.'));
  expect(container.textContent).not.toContain('Cancelled.');
});

test('one of which another store says nothing else', async () => {
  const container = start(heldAs({ name: '', price: null, interval: null, credits: 0, until: null }));
  await waitFor(() => expect(container.textContent).toContain('You’re subscribed.'));
});

test('cancelling asks first, and says until when access stays; then that date stands there', async () => {
  const states: HeldSubscription[] = [monthly, { ...monthly, status: 'cancelled' }];
  const container = start(requestPort<HeldSubscription | null>(async () => states.shift() ?? null));
  await userEvent.click(await button('Cancel subscription…'));
  const question = screen.getByRole('group', { name: /Cancel your subscription\?/ });
  expect(question.textContent).toContain('your access stays until January 31, 2027.');
  expect(document.activeElement).toBe(question);
  await userEvent.click(await button('Keep subscription'));
  expect(stateOf(container, 'ownSubscription')).toBe('held');
  await userEvent.click(await button('Cancel subscription…'));
  await userEvent.click(await button('Cancel subscription'));
  const notice = await screen.findByRole('status');
  expect(notice.textContent).toBe('Your subscription has been cancelled.');
  expect(document.activeElement).toBe(notice);
  expect(container.textContent).toContain('You have access until January 31, 2027, and won’t be charged again.');
  expect(screen.queryByRole('button')).toBeNull();
});

test('one that could not be cancelled stays, and the reason is said', async () => {
  start(heldAs({}), { cancelSubscription: rejects({ kind: 'offline' }) });
  await userEvent.click(await button('Cancel subscription…'));
  await userEvent.click(await button('Cancel subscription'));
  await screen.findByRole('alert');
  await button('Cancel subscription…');
});

const turns = (...parts: Partial<HeldSubscription>[]): Loads => {
  const states = parts.map((part) => ({ ...monthly, ...part }));
  return requestPort<HeldSubscription | null>(async () => states.shift() ?? null);
};

test('one whose cancelling has no answer, though the server has done it, is said to be cancelled', async () => {
  const container = start(turns({}, { status: 'cancelled', resumable: true }), {
    cancelSubscription: rejects({ kind: 'timeout' }),
  });
  await userEvent.click(await button('Cancel subscription…'));
  await userEvent.click(await button('Cancel subscription'));
  await waitFor(() => expect(container.textContent).toContain('Your subscription has been cancelled.'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('one that is cancelled can be kept: it says before when it renews, and then that it goes on', async () => {
  const container = start(turns({ status: 'cancelled', resumable: true }, { status: 'active', resumable: null }));
  const keep = await button('Keep my subscription');
  const says = document.getElementById(keep.getAttribute('aria-describedby') ?? '')?.textContent;
  expect(says).toBe('Changed your mind? You can keep it. It then renews on January 31, 2027, and you pay nothing before.');
  keep.focus();
  await userEvent.keyboard('{Enter}');
  const notice = await screen.findByRole('status');
  expect([notice.textContent, document.activeElement]).toEqual(['Your subscription goes on.', notice]);
  expect(container.textContent).toContain('Renews on January 31, 2027.');
  await button('Cancel subscription…');
  expect(screen.queryByRole('button', { name: 'Keep my subscription' })).toBeNull();
});

test('one that could not be kept says why, and the button is still there and has the focus', async () => {
  start(heldAs({ status: 'cancelled', resumable: true }), { resumeSubscription: rejects({ kind: 'offline' }) });
  await userEvent.click(await button('Keep my subscription'));
  await screen.findByRole('alert');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep my subscription'));
});

test('one that has ended meanwhile says so, and where there are others', async () => {
  const container = start(turns({ status: 'cancelled', resumable: true }, { status: 'ended' }), {
    resumeSubscription: rejects({ kind: 'refused', code: 'subscription_over', message: '' }),
  });
  await userEvent.click(await button('Keep my subscription'));
  expect((await screen.findByRole('alert')).textContent).toBe('Your subscription has ended. You can subscribe again.');
  expect(container.querySelector('a')?.getAttribute('href')).toBe('/subscription');
});

test('one that the payment service does not let be kept has no button, and says so', async () => {
  const container = start(heldAs({ status: 'cancelled', resumable: false }));
  await waitFor(() =>
    expect(container.textContent).toContain('It can’t be kept any more. When it has ended, you can subscribe again.'),
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test('another card is given at the gateway; where that cannot be reached the reason is said, and nothing is lost', async () => {
  start(heldAs({ status: 'pastDue' }), { openPortal: rejects({ kind: 'offline' }) });
  await userEvent.click(await button('Use another card'));
  await screen.findByRole('alert');
  await userEvent.click(await button('Use another card'));
  await button('Cancel subscription…');
});

test('a retry that succeeds leaves the focus at the heading of its part', async () => {
  const answersInTurn = [() => raise({ kind: 'offline' }), () => monthly];
  const container = start(requestPort<HeldSubscription | null>(async () => answersInTurn.shift()?.() ?? null));
  (await button('Retry')).focus();
  await userEvent.keyboard('{Enter}');
  await button('Cancel subscription…');
  expect(document.activeElement).toBe(container.querySelector('h2'));
});

test('who has none is led to those of the store; where it has none nothing is shown', async () => {
  start(answers<HeldSubscription | null, undefined>(null));
  expect((await screen.findByRole('link')).getAttribute('href')).toBe('/subscription');
  const without = start(answers<HeldSubscription | null, undefined>(null), { sells: false });
  await waitFor(() => expect(stateOf(without, 'ownSubscription')).toBe('none'));
  expect(part(without)?.textContent).toBe('');
});
