import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { subscribingMachine, type CardPayment } from '../../../machines/buying/subscribing.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { HeldSubscription, Plan } from '../../../machines/model/subscription.ts';
import { safePort } from '../../../machines/ports.ts';
import { SubscribingView } from '../../../src/flows/subscribing/SubscribingView.tsx';
import { answers, flowInput, rejects, store, underShop } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

const plan: Plan = {
  id: 'monthly',
  name: 'All the lamps',
  description: '',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  trialDays: 7,
  credits: 0,
};
const held: HeldSubscription = {
  planId: 'monthly',
  name: 'All the lamps',
  status: 'active',
  price: plan.price,
  interval: 'month',
  credits: 0,
  until: '2027-01-31T08:00:00.000Z',
};
const page = 'subscription/purchase';
const refused = (code: string) => ({ kind: 'refused', code, message: 'No' }) as const;

type Ports = Parameters<typeof subscribingMachine.provide>[0]['actors'];

const start = (params: Record<string, string>, ports: Ports = {}, sells = true) => {
  const actors = {
    loadPlan: safePort<Plan[], { planId: string }>(
      async () => [plan],
      () => [],
    ),
    loadCards: safePort<Card[]>(
      async () => [],
      () => [],
    ),
    startByCard: answers<CardPayment, { planId: string; cardId: string }>({ subscriptionId: 's1', intentId: 'pi_1', url: null }),
    startSubscribing: answers<{ url: string }, { planId: string }>({ url: 'https://gateway.example/pay/1' }),
    confirmSubscription: answers<object, { subscriptionId: string; intentId: string }>({}),
    loadSubscription: answers<HeldSubscription | null, undefined>(held),
    ...ports,
  };
  const input = flowInput(params, { store: { ...store, enableSubscription: sells } });
  const { actor, told } = underShop(subscribingMachine.provide({ actors }), input);
  return { told, container: show(<SubscribingView actor={actor} />) };
};
const isIn = (container: HTMLElement, state: unknown) => waitFor(() => expect(stateOf(container, 'subscribing')).toEqual(state));
const returned = { page, planid: 'monthly', subscriptionid: 's1', intentId: 'pi_1' };

test('a plan says what it costs and how long it is tried; its button leads to the payment page', async () => {
  const { container, told } = start({ page, planid: 'monthly' });
  await isIn(container, { offering: 'ready' });
  for (const says of ['All the lamps', '$4.99 a month', 'the first 7 days are free', 'renewed until you cancel it'])
    expect(container.textContent).toContain(says);
  container.id = 'main';
  container.tabIndex = -1;
  await userEvent.click(pressable(container, 'subscribe.pressed'));
  await isIn(container, 'actionRequired');
  expect(document.activeElement).toBe(container);
  expect(told).toEqual([{ type: 'leave', url: 'https://gateway.example/pay/1' }]);
});

test('a beginning that fails says why, and can be tried again', async () => {
  const { container } = start({ page, planid: 'monthly' }, { startSubscribing: rejects(refused('conflict')) });
  await isIn(container, { offering: 'ready' });
  await userEvent.click(pressable(container, 'subscribe.pressed'));
  expect((await screen.findByRole('alert')).textContent).toContain('You’re already subscribing in another window.');
  expect(pressable(container, 'subscribe.pressed').hasAttribute('disabled')).toBe(false);
});

const visa: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/34' } };
const hasCard = {
  loadCards: safePort<Card[]>(
    async () => [visa],
    () => [],
  ),
};

test('who has a card subscribes by it with one press, or types another', async () => {
  const { container, told } = start({ page, planid: 'monthly' }, hasCard);
  await isIn(container, { offering: 'ready' });
  expect(pressable(container, 'subscribe.pressed').textContent).toBe('Use another card');
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe with Visa ending in 4242' }));
  await isIn(container, 'confirmed');
  expect(told).toEqual([{ type: 'leave', url: '/subscription/purchase/success' }]);
});

test('a kept card whose bank asks leads to the payment page; one that is declined says so', async () => {
  const url = 'https://gateway.example/pay/1';
  const asks = answers<CardPayment, { planId: string; cardId: string }>({ subscriptionId: 's1', intentId: 'pi_1', url });
  const asked = start({ page, planid: 'monthly' }, { ...hasCard, startByCard: asks });
  await isIn(asked.container, { offering: 'ready' });
  await userEvent.click(pressable(asked.container, 'card.pressed', 'c1'));
  await isIn(asked.container, 'actionRequired');
  expect(asked.told).toEqual([{ type: 'leave', url }]);
  const declined = start({ page, planid: 'monthly' }, { ...hasCard, startByCard: rejects(refused('card_declined')) });
  await isIn(declined.container, { offering: 'ready' });
  await userEvent.click(pressable(declined.container, 'card.pressed', 'c1'));
  await waitFor(() => expect(declined.container.textContent).toContain('Your bank declined the card.'));
});

test('who comes back from the payment page has subscribed, and all of the shop is loaded anew', async () => {
  const { container, told } = start(returned);
  await isIn(container, 'confirmed');
  expect(told).toEqual([{ type: 'leave', url: '/subscription/purchase/success' }]);
});

test.each([
  ['card_declined', 'Your bank declined the card.'],
  ['cancelled', 'The payment was cancelled.'],
  ['not_authorized', 'Your payment isn’t complete yet.'],
])('a payment that is refused as %s has come to nothing, and says so', async (code, says) => {
  const { container } = start(returned, { confirmSubscription: rejects(refused(code)) });
  await isIn(container, 'refused');
  expect(container.textContent).toContain('You haven’t subscribed');
  expect(container.textContent).toContain(says);
  await userEvent.click(pressable(container, 'retry.pressed'));
  await isIn(container, { offering: 'ready' });
});

test('of a payment that may have been taken nothing is claimed; it can be asked about', async () => {
  const { container } = start(returned, { confirmSubscription: rejects({ kind: 'offline' }) });
  await isIn(container, 'unknown');
  expect(container.textContent).toContain('You won’t be charged twice.');
  expect(pressable(container, 'status.pressed')).toBeDefined();
});

test('who has subscribed already is not charged, and led to what they have', async () => {
  const { container } = start(returned, { confirmSubscription: rejects(refused('already_subscribed')) });
  await isIn(container, 'subscribed');
  expect(container.textContent).toContain('You haven’t been charged.');
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/all', '/account']);
});

test('a code that is refused is said to be, and the customer can go on without it', async () => {
  const { container } = start({ page, planid: 'monthly' }, { startSubscribing: rejects(refused('code_used')) });
  await isIn(container, { offering: 'ready' });
  await userEvent.click(pressable(container, 'subscribe.pressed'));
  expect((await screen.findByRole('alert')).textContent).toContain('You can subscribe without it.');
});

test('the page that says thank you names the plan and its next renewal', async () => {
  const { container } = start({ page: `${page}/success` });
  await isIn(container, 'welcomed');
  expect(container.textContent).toContain('You’re subscribed.All the lamps');
  expect(container.textContent).toContain('Renews on January 31, 2027.');
});

test.each([
  ['no plan', { page }, true],
  ['a store that sells none', { page, planid: 'monthly' }, false],
])('%s: there is nothing to subscribe to', async (_, params, sells) => {
  const { container } = start(params as Record<string, string>, {}, sells);
  await isIn(container, 'notFound');
  expect(screen.getByRole('link').getAttribute('href')).toBe('/subscription');
});
