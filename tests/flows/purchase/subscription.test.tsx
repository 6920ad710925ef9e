import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Problem } from '../../../machines/model/problem.ts';
import { makePlanOffer, visa } from '../../support/purchase.ts';
import { store } from '../../support/views/flow.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { readHeading, createPurchaseState, start as startPurchase, type PurchaseSetup } from './purchase-view.tsx';

const refusedProblem = (code: string): Problem => ({ kind: 'refused', code, message: 'No' });
const params = { of: 'subscription', planid: 'monthly' };
const returnParams = { ...params, subscriptionid: 's1', intentId: 'pi_1' };
const sellingStore = { store: { ...store, enableSubscription: true } };
const start = (setup: PurchaseSetup = {}) => startPurchase({ params, offer: makePlanOffer(), flowInput: sellingStore, ...setup });

test('a plan shows its price and its trial; its button leads to the payment page', async () => {
  const { container, getNavigations, waitForState, press } = start();
  await waitForState('ready');
  for (const expectedText of ['All the lamps', '$4.99 a month', 'the first 7 days are free', 'renewed until you cancel it'])
    expect(container.textContent).toContain(expectedText);
  await press('pay.pressed');
  await waitFor(() => expect(readState(container, 'payment')).toBe('actionRequired'));
  expect(getNavigations()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]);
});

test('a trial is shown only to a customer who gets one', async () => {
  const trialPurchase = start({ offer: makePlanOffer({ trialApplies: true }), cards: [visa] });
  await trialPurchase.waitForState('ready');
  expect(trialPurchase.container.textContent).toContain('The first 7 days are free.');
  expect(trialPurchase.container.textContent).not.toContain('your first subscription');
  expect(trialPurchase.container.textContent).toContain('We’ll charge your card when your free days are over.');
  const payingPurchase = start({ offer: makePlanOffer({ trialApplies: false }), cards: [visa] });
  await payingPurchase.waitForState('ready');
  expect(payingPurchase.container.textContent).not.toContain('free');
  expect(payingPurchase.container.textContent).toContain('We’ll charge your card as soon as you press the button.');
});

test('a refused start shows the reason, and can be retried', async () => {
  const { waitForState, press } = start({ paymentStart: refusedProblem('conflict') });
  await waitForState('ready');
  await press('pay.pressed');
  expect((await screen.findByRole('alert')).textContent).toContain('You’re already subscribing in another window.');
  await press('retry.pressed');
  await waitForState('ready');
});

test('a customer subscribes with a saved card, or chooses another one', async () => {
  const { container, getNavigations, orders, waitForState, press } = start({ cards: [visa] });
  await waitForState('ready');
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Subscribe');
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(screen.getByLabelText(/Visa ending in 4242/));
  await press('pay.pressed');
  await waitForState('succeeded');
  expect(getNavigations()).toEqual([{ type: 'leave', url: '/subscription/purchase/success' }]);
  // One call starts and authorises the payment, so that no session is started before.
  expect(orders).toEqual([]);
});

test('a saved card that the bank must verify leads to the payment page; a declined card is reported', async () => {
  const verifiedPurchase = start({ cards: [visa], cardPayment: createPurchaseState('pending') });
  await verifiedPurchase.waitForState('ready');
  await verifiedPurchase.press('pay.pressed');
  await waitFor(() => expect(verifiedPurchase.getNavigations()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  const declinedPurchase = start({ cards: [visa], cardPayment: refusedProblem('card_declined') });
  await declinedPurchase.waitForState('ready');
  await declinedPurchase.press('pay.pressed');
  await waitFor(() => expect(declinedPurchase.container.textContent).toContain('Your bank declined the card.'));
});

test('a customer who returns from the payment page is subscribed, and goes to the thank-you page', async () => {
  const { container, getNavigations, waitForState, press } = start({ params: returnParams });
  await waitForState('succeeded');
  expect(container.textContent).toContain('You’re subscribed.');
  await press('continue.pressed');
  const welcome = { type: 'leave', url: '/subscription/purchase/success' };
  expect(getNavigations()).toEqual([welcome, welcome]);
});

test.each([
  ['card_declined', 'Your bank declined the card.'],
  ['cancelled', 'The payment was cancelled.'],
  ['not_authorized', 'Your payment isn’t complete yet.'],
])('a payment refused as %s has failed, and says so', async (code, expectedText) => {
  const { container, waitForState, press } = start({ params: returnParams, confirmation: refusedProblem(code) });
  await waitForState('failed');
  expect(readHeading()).toBe('You haven’t subscribed');
  expect(container.textContent).toContain(expectedText);
  await press('retry.pressed');
  await waitForState('ready');
});

test('an uncertain payment is reported as such, and can be checked', async () => {
  const { container } = start({ params: returnParams, confirmation: { kind: 'offline' } });
  await waitFor(() => expect(readState(container, 'payment')).toBe('unknown'));
  expect(container.textContent).toContain('You won’t be charged twice.');
  expect(findPressable(container, 'status.pressed')).toBeDefined();
});

test('a subscriber is not charged, and gets a link to their subscription', async () => {
  const { container, waitForState } = start({ params: returnParams, confirmation: refusedProblem('already_subscribed') });
  await waitForState('owned');
  expect(readHeading()).toBe('You’re already subscribed');
  expect(container.textContent).toContain('You haven’t been charged.');
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/all', '/account']);
});

test('a code refused at the payment is reported, and the customer can continue without it', async () => {
  const { waitForState, press } = start({ paymentStart: refusedProblem('code_used') });
  await waitForState('ready');
  await press('pay.pressed');
  expect((await screen.findByRole('alert')).textContent).toContain('You can subscribe without it.');
});

test('a typed code gives trial days; a code for another plan is refused', async () => {
  const longerTrialOffer = makePlanOffer({ trialDays: 30 });
  const { container, typedCodes, waitForState, press } = start({ code: longerTrialOffer });
  await waitForState('ready');
  await userEvent.click(screen.getByText('Have a code?'));
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'MONTH{Enter}');
  await waitFor(() => expect(container.textContent).toContain('With your code, the first 30 days are free.'));
  expect(typedCodes).toEqual(['MONTH']);
  await press('code.removed');
  await waitFor(() => expect(container.textContent).toContain('the first 7 days are free'));
  const otherPurchase = start({ code: refusedProblem('code_misfit') });
  await otherPurchase.waitForState('ready');
  await userEvent.type(screen.getAllByLabelText('Discount code (optional)').at(-1) as HTMLElement, 'OTHER{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('This code can’t be used for this subscription.');
});

test.each<[string, PurchaseSetup, string]>([
  ['no plan in the address', { params: { of: 'subscription' } }, 'notFound'],
  ['a store without plans', { flowInput: { store: { ...store, enableSubscription: false } } }, 'notOffered'],
])('with %s, no plan can be subscribed to', async (_, setup, state) => {
  const { waitForState } = start(setup);
  await waitForState(state);
  expect(screen.getByRole('link').getAttribute('href')).toBe('/subscription');
});
