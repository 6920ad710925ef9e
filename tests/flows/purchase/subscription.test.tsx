import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Problem } from '../../../machines/model/problem.ts';
import { planOffer, visa } from '../../support/purchase.ts';
import { store } from '../../support/views/flow.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { readHeading, stateWith, start as begin, type Parts } from './purchase-view.tsx';

const refusedProblem = (code: string): Problem => ({ kind: 'refused', code, message: 'No' });
const params = { of: 'subscription', planid: 'monthly' };
const returnParams = { ...params, subscriptionid: 's1', intentId: 'pi_1' };
const sellingStore = { store: { ...store, enableSubscription: true } };
const start = (parts: Parts = {}) => begin({ params, offer: planOffer(), more: sellingStore, ...parts });

test('a plan shows its price and its trial; its button leads to the payment page', async () => {
  const { container, gone, isIn, press } = start();
  await isIn('ready');
  for (const says of ['All the lamps', '$4.99 a month', 'the first 7 days are free', 'renewed until you cancel it'])
    expect(container.textContent).toContain(says);
  await press('pay.pressed');
  await waitFor(() => expect(readState(container, 'payment')).toBe('actionRequired'));
  expect(gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]);
});

test('a customer who gets a trial sees it, and another customer sees none', async () => {
  const gets = start({ offer: planOffer({ trialApplies: true }), cards: [visa] });
  await gets.isIn('ready');
  expect(gets.container.textContent).toContain('The first 7 days are free.');
  expect(gets.container.textContent).not.toContain('your first subscription');
  expect(gets.container.textContent).toContain('We’ll charge your card when your free days are over.');
  const pays = start({ offer: planOffer({ trialApplies: false }), cards: [visa] });
  await pays.isIn('ready');
  expect(pays.container.textContent).not.toContain('free');
  expect(pays.container.textContent).toContain('We’ll charge your card as soon as you press the button.');
});

test('a refused start shows the reason, and can be retried', async () => {
  const { isIn, press } = start({ starts: refusedProblem('conflict') });
  await isIn('ready');
  await press('pay.pressed');
  expect((await screen.findByRole('alert')).textContent).toContain('You’re already subscribing in another window.');
  await press('retry.pressed');
  await isIn('ready');
});

test('a customer with a saved card subscribes with it, or types another', async () => {
  const { container, gone, paid, isIn, press } = start({ cards: [visa] });
  await isIn('ready');
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Subscribe');
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(screen.getByLabelText(/Visa ending in 4242/));
  await press('pay.pressed');
  await isIn('succeeded');
  expect(gone()).toEqual([{ type: 'leave', url: '/subscription/purchase/success' }]);
  // One call starts and authorises it.
  expect(paid).toEqual([]);
});

test('a saved card that the bank must verify leads to the payment page; a declined one says so', async () => {
  const asked = start({ cards: [visa], byCard: stateWith('pending') });
  await asked.isIn('ready');
  await asked.press('pay.pressed');
  await waitFor(() => expect(asked.gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  const declined = start({ cards: [visa], byCard: refusedProblem('card_declined') });
  await declined.isIn('ready');
  await declined.press('pay.pressed');
  await waitFor(() => expect(declined.container.textContent).toContain('Your bank declined the card.'));
});

test('a customer who returns from the payment page is subscribed, and the shop is reloaded', async () => {
  const { container, gone, isIn, press } = start({ params: returnParams });
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
])('a payment refused as %s has failed, and says so', async (code, says) => {
  const { container, isIn, press } = start({ params: returnParams, confirms: refusedProblem(code) });
  await isIn('failed');
  expect(readHeading()).toBe('You haven’t subscribed');
  expect(container.textContent).toContain(says);
  await press('retry.pressed');
  await isIn('ready');
});

test('an uncertain payment is reported as such, and can be checked', async () => {
  const { container } = start({ params: returnParams, confirms: { kind: 'offline' } });
  await waitFor(() => expect(readState(container, 'payment')).toBe('unknown'));
  expect(container.textContent).toContain('You won’t be charged twice.');
  expect(findPressable(container, 'status.pressed')).toBeDefined();
});

test('a subscriber is not charged, and gets a link to their subscription', async () => {
  const { container, isIn } = start({ params: returnParams, confirms: refusedProblem('already_subscribed') });
  await isIn('owned');
  expect(readHeading()).toBe('You’re already subscribed');
  expect(container.textContent).toContain('You haven’t been charged.');
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/all', '/account']);
});

test('a code refused at the payment is reported, and the customer can continue without it', async () => {
  const { isIn, press } = start({ starts: refusedProblem('code_used') });
  await isIn('ready');
  await press('pay.pressed');
  expect((await screen.findByRole('alert')).textContent).toContain('You can subscribe without it.');
});

test('a typed code gives trial days; one for another plan says so', async () => {
  const longer = planOffer({ trialDays: 30 });
  const { container, typed, isIn, press } = start({ code: longer });
  await isIn('ready');
  await userEvent.click(screen.getByText('Have a code?'));
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'MONTH{Enter}');
  await waitFor(() => expect(container.textContent).toContain('With your code, the first 30 days are free.'));
  expect(typed).toEqual(['MONTH']);
  await press('code.removed');
  await waitFor(() => expect(container.textContent).toContain('the first 7 days are free'));
  const other = start({ code: refusedProblem('code_misfit') });
  await other.isIn('ready');
  await userEvent.type(screen.getAllByLabelText('Discount code (optional)').at(-1) as HTMLElement, 'OTHER{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('This code can’t be used for this subscription.');
});

test.each<[string, Parts, string]>([
  ['no plan', { params: { of: 'subscription' } }, 'notFound'],
  ['a store without plans', { more: { store: { ...store, enableSubscription: false } } }, 'notOffered'],
])('%s: no plan can be subscribed to', async (_, parts, state) => {
  const { isIn } = start(parts);
  await isIn(state);
  expect(screen.getByRole('link').getAttribute('href')).toBe('/subscription');
});
