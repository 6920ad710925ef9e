import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Problem } from '../../../machines/model/problem.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { store as shopStore, titleSummary } from '../../../machines/path-models/path-model.ts';
import { makeCartGiftOffer, makeEntry, makeFreeOffer, makeGiftOffer, preview, visa } from '../../support/purchase.ts';
import {
  readHeading,
  session,
  createPurchaseState,
  start as startPurchase,
  writeGift,
  type PurchaseSetup,
} from './purchase-view.tsx';

const offer = makeGiftOffer();
const cartOffer = makeCartGiftOffer(makeEntry('1001'));
const titleParams = { of: 'title', as: 'gift', titleid: '1001' };
const cartParams = { of: 'cart', as: 'gift' };
const returnParams = { of: 'title', as: 'gift', transId: 't1' };

/** Starts the purchase of a gift of a title; a payment by a saved card is paid at once. */
const start = (setup: PurchaseSetup = {}) =>
  startPurchase({
    params: titleParams,
    offer,
    cardPayment: createPurchaseState('paid'),
    status: createPurchaseState('paid'),
    flowInput: { store: shopStore },
    ...setup,
  });

test('the purchase of a gift asks for its recipient, previews its e-mail and leads to the payment', async () => {
  const { container, getNavigations, previewRequests, orders, waitForState } = start();
  await waitForState('writing');
  expect(readHeading()).toBe('Give as a gift');
  await writeGift(container);
  await waitForState('ready');
  const form = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };
  expect(previewRequests).toEqual([{ titleId: '1001', titleIds: null, pii: { form } }]);
  expect(screen.getByRole('region', { name: 'The email' }).textContent).toBe(
    `To: bo@example.com${preview.subject}${preview.before.join('')}${preview.link}${preview.after.join('')}`,
  );
  expect(screen.getByText('It will be sent as soon as it’s paid for.')).toBeDefined();
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(getNavigations()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(orders).toMatchObject([{ titleId: '1001', key: 'g1', price: { amount: 9.99 }, gift: { pii: { form } } }]);
});

test('invalid fields show their problem, and the first one takes the focus', async () => {
  const { container, previewRequests, waitForState } = start();
  await waitForState('writing');
  await userEvent.type(screen.getByLabelText('Recipient’s email address'), 'no address');
  await userEvent.click(findPressable(container, 'gift.submitted'));
  expect(screen.getByText('Please fill in this field.')).toBeDefined();
  expect(screen.getByText('This doesn’t look like an email address.')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText('Recipient’s name'));
  expect(previewRequests).toEqual([]);
});

test.each([
  ['Recipient’s name', 'Bo, see evil.example/x'],
  ['Your message (optional)', 'Claim it at www.evil'],
])('a link is refused beside its field, and nothing is sent: %s, “%s”', async (label, text) => {
  const draft = { name: 'Bo', email: 'bo@example.com', message: '', day: '' };
  const { container, previewRequests, waitForState } = start({ offer: { ...offer, pii: { draft } } });
  await waitForState('writing');
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), text);
  await userEvent.click(findPressable(container, 'gift.submitted'));
  expect(screen.getByText(/^Web and email addresses aren’t allowed here/)).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText(label));
  expect(previewRequests).toEqual([]);
});

test.each([
  ['gift_link', /^Web and email addresses aren’t allowed in the name or the message/],
  ['giver_link', /^Your own name looks like a web or email address/],
])('the server’s refusal %s is explained above the form', async (code, expectedText) => {
  const { container, waitForState } = start({ preview: { kind: 'refused', code, message: '' } });
  await waitForState('writing');
  await writeGift(container);
  expect(await screen.findByText(expectedText)).toBeDefined();
});

test.each([
  ['2025-12-31', true],
  ['2026-01-01', false],
  ['2027-01-01', false],
  ['2027-01-02', true],
])('the date %s is refused: %s', async (day, isRefused) => {
  const draft = { name: 'Bo', email: 'bo@example.com', message: '', day };
  const { container, waitForState } = start({ offer: { ...offer, pii: { draft } } });
  await waitForState('writing');
  await userEvent.click(findPressable(container, 'gift.submitted'));
  await waitForState(isRefused ? 'writing' : 'ready');
  const dateProblem = screen.queryByText('Please choose a date within the next year.');
  expect(dateProblem !== null).toBe(isRefused);
});

test('a delivery date is shown in the preview, and the entries can be changed', async () => {
  const draft = { name: 'Bo Quay', email: 'bo@example.com', message: 'Soon!', day: '2026-12-24' };
  const { container, waitForState } = start({ offer: { ...offer, pii: { draft } } });
  await waitForState('writing');
  expect(screen.getByLabelText('Your message (optional)')).toHaveProperty('value', 'Soon!');
  await userEvent.click(findPressable(container, 'gift.submitted'));
  await waitForState('ready');
  expect(screen.getByText('It will be sent on the morning of 24 December 2026.')).toBeDefined();
  await userEvent.click(findPressable(container, 'change.pressed'));
  await waitForState('writing');
  expect(screen.getByLabelText('Recipient’s name')).toHaveProperty('value', 'Bo Quay');
});

test('the page renders the e-mail when the server has no preview, and the gift can be paid', async () => {
  const draft = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };
  const { container, waitForState, orders } = start({ preview: null, offer: { ...offer, pii: { draft } } });
  await waitForState('writing');
  await userEvent.click(findPressable(container, 'gift.submitted'));
  await waitForState('ready');
  const email = screen.getByRole('region', { name: 'The email' });
  expect(email.textContent).toBe('To: bo@example.comBo Quay gets an email with your gift.Your message:Happy birthday!');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(orders).toHaveLength(1));
});

test('a saved card pays at once, the success page follows, and the entries are removed', async () => {
  const { container, getNavigations, forgottenPayments, waitForState } = start({ cards: [visa] });
  await waitForState('writing');
  await writeGift(container);
  await waitForState('ready');
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Pay $9.99');
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(screen.getByLabelText(/Visa ending in 4242/));
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitForState('succeeded');
  expect(getNavigations()).toEqual([{ type: 'go', to: '/title/purchase/success?transId=t1&isgift=true', replace: true }]);
  expect(forgottenPayments).toEqual([true]);
});

test.each<[string, PurchaseSetup]>([
  ['a title', { offer: { ...offer, methods: ['wallet'] } }],
  ['a cart', { params: cartParams, offer: { ...cartOffer, methods: ['wallet'] } }],
])('a gift of %s is paid by a wallet if chosen, on the gateway’s page', async (_, setup) => {
  const { container, getNavigations, orders, waitForState } = start({ ...setup, cards: [visa] });
  await waitForState('writing');
  await writeGift(container);
  await waitForState('ready');
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  expect(screen.getByLabelText(/Visa ending in 4242/)).toHaveProperty('checked', false);
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  expect(screen.getByText('You’ll pay on our payment provider’s secure page.')).toBeDefined();
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(screen.getByLabelText('Digital wallet')).toHaveProperty('checked', false);
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(getNavigations()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(orders).toMatchObject([{ method: 'wallet', cardId: null, price: { amount: 9.99 } }]);
});

test('a customer who must change the date of a gift chooses the payment method again', async () => {
  const paymentStart: Problem = { kind: 'refused', code: 'gift_day', message: '' };
  const { container, waitForState } = start({ offer: { ...offer, methods: ['wallet'] }, cards: [visa], paymentStart });
  await waitForState('writing');
  await writeGift(container);
  await waitForState('ready');
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitForState('writing');
  await userEvent.click(findPressable(container, 'gift.submitted'));
  await waitForState('ready');
  expect(screen.getByLabelText('Digital wallet')).toHaveProperty('checked', false);
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Pay $9.99');
});

test('a free title is sent without a payment', async () => {
  const freeGiftOffer = makeFreeOffer({ days: offer.days });
  const { container, getNavigations, waitForState } = start({
    offer: freeGiftOffer,
    cards: [visa],
    paymentStart: { ...session, transId: 'g1', url: '' },
  });
  await waitForState('writing');
  await writeGift(container);
  await waitForState('ready');
  expect(screen.queryByText('Pay with')).toBeNull();
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Send the gift');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitForState('succeeded');
  expect(getNavigations()).toEqual([{ type: 'go', to: '/title/purchase/success?transId=g1&isgift=true', replace: true }]);
});

test.each<[string, PurchaseSetup, string]>([
  ['notFound', { offer: { kind: 'refused', code: 'not_found', message: '' } }, 'We couldn’t find that title'],
  ['unavailable', { offer: { kind: 'offline' } }, 'We can’t prepare your gift right now'],
  ['notForSale', { offer: { ...offer, title: { ...titleSummary, forSale: false } } }, 'Not for sale right now'],
  ['notOffered', { flowInput: { store: { ...shopStore, enableGiftingTitle: false } } }, 'This shop doesn’t offer gifts'],
  ['notFound', { params: { of: 'title', as: 'gift' } }, 'We couldn’t find that title'],
  [
    'cancelled',
    { params: returnParams, status: createPurchaseState('cancelled', { titleId: '1001' }) },
    'Your gift hasn’t been sent',
  ],
  ['failed', { params: returnParams, status: createPurchaseState('failed') }, 'The payment didn’t go through'],
])('the purchase of a gift in the state “%s” has its own heading (%#)', async (value, setup, expectedText) => {
  const { waitForState } = start(setup);
  await waitForState(value);
  expect(readHeading()).toBe(expectedText);
});

test('after cancelling, a gift starts over with the title', async () => {
  const { container, getNavigations, waitForState } = start({
    params: returnParams,
    status: createPurchaseState('cancelled', { titleId: '1001' }),
  });
  await waitForState('cancelled');
  await userEvent.click(findPressable(container, 'retry.pressed'));
  await waitForState('writing');
  expect(getNavigations()).toEqual([{ type: 'go', to: '/title/gift?titleid=1001', replace: true }]);
});

test.each([
  ['gift_day', 'This day has passed, or is more than a year away. Please choose another.'],
  ['gift_info', 'Some of the recipient’s details don’t look right. Please check them.'],
])('a preview refused because of the form (%s) leads back to the form', async (code, expectedText) => {
  const problem: Problem = { kind: 'refused', code, message: '' };
  const purchase = start({ preview: problem });
  await purchase.waitForState('writing');
  await writeGift(purchase.container);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(expectedText));
  expect(readState(purchase.container, 'purchase')).toBe('writing');
});

test('a date that has passed while the payment was being opened leads back to the form', async () => {
  const { container, waitForState } = start({ paymentStart: { kind: 'refused', code: 'gift_day', message: '' } });
  await waitForState('writing');
  await writeGift(container);
  await waitForState('ready');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitForState('writing');
  expect(screen.getByRole('alert').textContent).toContain('This day has passed');
  expect(screen.getByLabelText('Recipient’s name')).toHaveProperty('value', 'Bo Quay');
});

test('the changed price of a gift is shown before anything is charged', async () => {
  const { container, waitForState } = start({ paymentStart: { kind: 'refused', code: 'price_changed', message: '' } });
  await waitForState('writing');
  await writeGift(container);
  await waitForState('ready');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitForState('priceChanged');
  expect(screen.getByRole('alert').textContent).toContain('You haven’t been charged.');
});

test('the whole cart is given at once, with one e-mail, and its own success page follows', async () => {
  const { container, getNavigations, previewRequests, orders, waitForState } = start({
    params: cartParams,
    offer: cartOffer,
    cards: [visa],
  });
  await waitForState('writing');
  expect(container.querySelectorAll('[data-line]')).toHaveLength(1);
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
  await writeGift(container);
  await waitForState('ready');
  expect(previewRequests).toMatchObject([{ titleId: '', titleIds: ['1001'] }]);
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitForState('succeeded');
  expect(orders).toMatchObject([{ titleId: '', titleIds: ['1001'], price: { amount: 9.99 }, cardId: 'c1', key: 'g1' }]);
  expect(getNavigations().at(-1)).toEqual({ type: 'go', to: '/cart/purchase/success?transId=t1&isgift=true', replace: true });
});

test('a cart without payable titles cannot be given', async () => {
  const { waitForState } = start({ params: cartParams, offer: { ...cartOffer, cart: { lines: [], total: null }, price: null } });
  await waitForState('notForSale');
  expect(readHeading()).toBe('There’s nothing to give');
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
});

test('a gift of a cart that has changed before the payment says so', async () => {
  const paymentStart: Problem = { kind: 'refused', code: 'price_changed', message: '' };
  const { container, waitForState } = start({ params: cartParams, offer: cartOffer, paymentStart });
  await waitForState('writing');
  await writeGift(container);
  await waitForState('ready');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitForState('priceChanged');
  expect(readHeading()).toBe('Your cart has changed');
});

test('a gift shows its price in money and in credits, and credits pay if chosen', async () => {
  const store = { ...shopStore, enableBuyWithCredits: true, creditCurrency: 'Tokens' };
  const balance = { balance: 5, currency: 'Tokens', accepted: true };
  const { container, orders, waitForState } = start({
    flowInput: { store },
    balance,
    offer: { ...offer, credits: 2 },
    paymentStart: { ...session, url: '' },
  });
  await waitForState('writing');
  expect(container.textContent).toContain('$9.99 or 2 Tokens');
  await writeGift(container);
  await waitForState('ready');
  await userEvent.click(screen.getByLabelText(/2 Tokens/));
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Give it for 2 Tokens');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitForState('succeeded');
  expect(orders).toMatchObject([{ credits: { amount: 2, currency: 'Tokens' }, cardId: null }]);
});

test('too few credits cannot be chosen', async () => {
  const balance = { balance: 1, currency: 'Tokens', accepted: true };
  const { container, waitForState } = start({ balance, offer: { ...offer, credits: 2 } });
  await waitForState('writing');
  await writeGift(container);
  await waitForState('ready');
  expect(screen.getByLabelText<HTMLInputElement>(/2 Tokens/).disabled).toBe(true);
});
