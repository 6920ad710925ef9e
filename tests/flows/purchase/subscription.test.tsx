import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Problem } from '../../../machines/model/problem.ts';
import { planOffer, visa } from '../../support/purchase.ts';
import { store } from '../../support/views/flow.ts';
import { pressable, stateOf } from '../../support/views/show.tsx';
import { heading, stands, start as begin, type Parts } from './purchase-view.tsx';

const refused = (code: string): Problem => ({ kind: 'refused', code, message: 'No' });
const params = { of: 'subscription', planid: 'monthly' };
const returned = { ...params, subscriptionid: 's1', intentId: 'pi_1' };
const sells = { store: { ...store, enableSubscription: true } };
const start = (parts: Parts = {}) => begin({ params, offer: planOffer(), more: sells, ...parts });

test('a plan says what it costs and how long it is tried; its button leads to the payment page', async () => {
  const { container, gone, isIn, press } = start();
  await isIn('ready');
  for (const says of ['All the lamps', '$4.99 a month', 'the first 7 days are free', 'renewed until you cancel it'])
    expect(container.textContent).toContain(says);
  await press('pay.pressed');
  await waitFor(() => expect(stateOf(container, 'payment')).toBe('actionRequired'));
  expect(gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]);
});

test('a beginning that is refused says why, and can be tried again', async () => {
  const { isIn, press } = start({ starts: refused('conflict') });
  await isIn('ready');
  await press('pay.pressed');
  expect((await screen.findByRole('alert')).textContent).toContain('You’re already subscribing in another window.');
  await press('retry.pressed');
  await isIn('ready');
});

test('a customer with a card subscribes by it, or types another', async () => {
  const { container, gone, paid, isIn, press } = start({ cards: [visa] });
  await isIn('ready');
  expect(pressable(container, 'pay.pressed').textContent).toBe('Subscribe');
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(screen.getByLabelText(/Visa ending in 4242/));
  await press('pay.pressed');
  await isIn('succeeded');
  expect(gone()).toEqual([{ type: 'leave', url: '/subscription/purchase/success' }]);
  // One call begins and authorises it.
  expect(paid).toEqual([]);
});

test('a kept card whose bank asks leads to the payment page; one that is declined says so', async () => {
  const asked = start({ cards: [visa], byCard: stands('pending') });
  await asked.isIn('ready');
  await asked.press('pay.pressed');
  await waitFor(() => expect(asked.gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  const declined = start({ cards: [visa], byCard: refused('card_declined') });
  await declined.isIn('ready');
  await declined.press('pay.pressed');
  await waitFor(() => expect(declined.container.textContent).toContain('Your bank declined the card.'));
});

test('a customer who returns from the payment page has subscribed, and the shop is loaded again', async () => {
  const { container, gone, isIn, press } = start({ params: returned });
  await isIn('succeeded');
  expect(container.textContent).toContain('You’re subscribed.');
  await press('continue.pressed');
  const welcome = { type: 'leave', url: '/subscription/purchase/success' };
  expect(gone()).toEqual([welcome, welcome]);
});

test.each([
  ['card_declined', 'Your bank declined the card.'],
  ['cancelled', 'The payment was cancelled.'],
  ['not_authorized', 'Your payment isn’t complete yet.'],
])('a payment that is refused as %s has come to nothing, and says so', async (code, says) => {
  const { container, isIn, press } = start({ params: returned, confirms: refused(code) });
  await isIn('failed');
  expect(heading()).toBe('You haven’t subscribed');
  expect(container.textContent).toContain(says);
  await press('retry.pressed');
  await isIn('ready');
});

test('of a payment that may have been taken nothing is claimed; it can be asked about', async () => {
  const { container } = start({ params: returned, confirms: { kind: 'offline' } });
  await waitFor(() => expect(stateOf(container, 'payment')).toBe('unknown'));
  expect(container.textContent).toContain('You won’t be charged twice.');
  expect(pressable(container, 'status.pressed')).toBeDefined();
});

test('a subscriber is not charged, and led to their subscription', async () => {
  const { container, isIn } = start({ params: returned, confirms: refused('already_subscribed') });
  await isIn('owned');
  expect(heading()).toBe('You’re already subscribed');
  expect(container.textContent).toContain('You haven’t been charged.');
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/all', '/account']);
});

test('a code that is refused at the payment is said to be, and the customer can go on without it', async () => {
  const { isIn, press } = start({ starts: refused('code_used') });
  await isIn('ready');
  await press('pay.pressed');
  expect((await screen.findByRole('alert')).textContent).toContain('You can subscribe without it.');
});

test('a code that is typed gives free days; one that is not for this plan says so', async () => {
  const longer = planOffer({ trialDays: 30 });
  const { container, typed, isIn, press } = start({ code: longer });
  await isIn('ready');
  await userEvent.click(screen.getByText('Have a code?'));
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'MONTH{Enter}');
  await waitFor(() => expect(container.textContent).toContain('With your code, the first 30 days are free.'));
  expect(typed).toEqual(['MONTH']);
  await press('code.removed');
  await waitFor(() => expect(container.textContent).toContain('the first 7 days are free'));
  const other = start({ code: refused('code_misfit') });
  await other.isIn('ready');
  await userEvent.type(screen.getAllByLabelText('Discount code (optional)').at(-1) as HTMLElement, 'OTHER{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('This code can’t be used for this subscription.');
});

test.each<[string, Parts, string]>([
  ['no plan', { params: { of: 'subscription' } }, 'notFound'],
  ['a store that sells none', { more: { store: { ...store, enableSubscription: false } } }, 'notOffered'],
])('%s: there is nothing to subscribe to', async (_, parts, state) => {
  const { isIn } = start(parts);
  await isIn(state);
  expect(screen.getByRole('link').getAttribute('href')).toBe('/subscription');
});
