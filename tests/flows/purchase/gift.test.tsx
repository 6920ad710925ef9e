import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Problem } from '../../../machines/model/problem.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { store as shopStore, summary } from '../../../machines/path-models/path-model.ts';
import { cartGiftOffer, makeEntry, freeOffer, giftOffer, preview, visa } from '../../support/purchase.ts';
import { readHeading, session, stateWith, start as begin, writeGift, type Parts } from './purchase-view.tsx';

const offer = giftOffer();
const cartOffer = cartGiftOffer(makeEntry('1001'));
const titleParams = { of: 'title', as: 'gift', titleid: '1001' };
const cartParams = { of: 'cart', as: 'gift' };
const returnParams = { of: 'title', as: 'gift', transId: 't1' };

/** A gift of a title, which a saved card pays at once. */
const start = (parts: Parts = {}) =>
  begin({
    params: titleParams,
    offer,
    byCard: stateWith('paid'),
    status: stateWith('paid'),
    more: { store: shopStore },
    ...parts,
  });

test('asks for the recipient, previews the e-mail, and pays for it', async () => {
  const { container, gone, asked, paid, isIn } = start();
  await isIn('writing');
  expect(readHeading()).toBe('Give as a gift');
  await writeGift(container);
  await isIn('ready');
  const form = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };
  expect(asked).toEqual([{ titleId: '1001', titleIds: null, pii: { form } }]);
  expect(screen.getByRole('region', { name: 'The email' }).textContent).toBe(
    `To: bo@example.com${preview.subject}${preview.before.join('')}${preview.link}${preview.after.join('')}`,
  );
  expect(screen.getByText('It will be sent as soon as it’s paid for.')).toBeDefined();
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(paid).toMatchObject([{ titleId: '1001', key: 'g1', price: { amount: 9.99 }, gift: { pii: { form } } }]);
});

test('invalid fields show their problem, and the first one takes the focus', async () => {
  const { container, asked, isIn } = start();
  await isIn('writing');
  await userEvent.type(screen.getByLabelText('Recipient’s email address'), 'no address');
  await userEvent.click(findPressable(container, 'gift.submitted'));
  expect(screen.getByText('Please fill in this field.')).toBeDefined();
  expect(screen.getByText('This doesn’t look like an email address.')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText('Recipient’s name'));
  expect(asked).toEqual([]);
});

test.each([
  ['Recipient’s name', 'Bo, see evil.example/x'],
  ['Your message (optional)', 'Claim it at www.evil'],
])('a link is refused beside its field, and nothing is sent: %s, “%s”', async (label, text) => {
  const draft = { name: 'Bo', email: 'bo@example.com', message: '', day: '' };
  const { container, asked, isIn } = start({ offer: { ...offer, pii: { draft } } });
  await isIn('writing');
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), text);
  await userEvent.click(findPressable(container, 'gift.submitted'));
  expect(screen.getByText(/^Web and email addresses aren’t allowed here/)).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText(label));
  expect(asked).toEqual([]);
});

test.each([
  ['gift_link', /^Web and email addresses aren’t allowed in the name or the message/],
  ['giver_link', /^Your own name looks like a web or email address/],
])('the server’s refusal %s is explained above the form', async (code, words) => {
  const { container, isIn } = start({ preview: { kind: 'refused', code, message: '' } });
  await isIn('writing');
  await writeGift(container);
  expect(await screen.findByText(words)).toBeDefined();
});

test.each([
  ['2025-12-31', true],
  ['2026-01-01', false],
  ['2027-01-01', false],
  ['2027-01-02', true],
])('the date %s is refused: %s', async (chosen, isRefused) => {
  const draft = { name: 'Bo', email: 'bo@example.com', message: '', day: chosen };
  const { container, isIn } = start({ offer: { ...offer, pii: { draft } } });
  await isIn('writing');
  await userEvent.click(findPressable(container, 'gift.submitted'));
  await isIn(isRefused ? 'writing' : 'ready');
  const said = screen.queryByText('Please choose a date within the next year.');
  expect(said !== null).toBe(isRefused);
});

test('a later date is shown; the earlier entries are still there, and can be changed', async () => {
  const draft = { name: 'Bo Quay', email: 'bo@example.com', message: 'Soon!', day: '2026-12-24' };
  const { container, isIn } = start({ offer: { ...offer, pii: { draft } } });
  await isIn('writing');
  expect(screen.getByLabelText('Your message (optional)')).toHaveProperty('value', 'Soon!');
  await userEvent.click(findPressable(container, 'gift.submitted'));
  await isIn('ready');
  expect(screen.getByText('It will be sent on the morning of 24 December 2026.')).toBeDefined();
  await userEvent.click(findPressable(container, 'change.pressed'));
  await isIn('writing');
  expect(screen.getByLabelText('Recipient’s name')).toHaveProperty('value', 'Bo Quay');
});

test('the page renders the e-mail when the server has no preview, and the gift can be paid', async () => {
  const draft = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };
  const { container, isIn, paid } = start({ preview: null, offer: { ...offer, pii: { draft } } });
  await isIn('writing');
  await userEvent.click(findPressable(container, 'gift.submitted'));
  await isIn('ready');
  const email = screen.getByRole('region', { name: 'The email' });
  expect(email.textContent).toBe('To: bo@example.comBo Quay gets an email with your gift.Your message:Happy birthday!');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(paid).toHaveLength(1));
});

test('a saved card pays at once, the success page follows, and the entries are removed', async () => {
  const { container, gone, forgotten, isIn } = start({ cards: [visa] });
  await isIn('writing');
  await writeGift(container);
  await isIn('ready');
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Pay $9.99');
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(screen.getByLabelText(/Visa ending in 4242/));
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(gone()).toEqual([{ type: 'go', to: '/title/purchase/success?transId=t1&isgift=true', replace: true }]);
  expect(forgotten).toEqual([true]);
});

test.each<[string, Parts]>([
  ['a title', { offer: { ...offer, methods: ['wallet'] } }],
  ['a cart', { params: cartParams, offer: { ...cartOffer, methods: ['wallet'] } }],
])('%s is paid by a wallet if chosen, on the gateway’s page', async (_what, parts) => {
  const { container, gone, paid, isIn } = start({ ...parts, cards: [visa] });
  await isIn('writing');
  await writeGift(container);
  await isIn('ready');
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  expect(screen.getByLabelText(/Visa ending in 4242/)).toHaveProperty('checked', false);
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  expect(screen.getByText('You’ll pay on our payment provider’s secure page.')).toBeDefined();
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(screen.getByLabelText('Digital wallet')).toHaveProperty('checked', false);
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(paid).toMatchObject([{ method: 'wallet', cardId: null, price: { amount: 9.99 } }]);
});

test('a customer who must change the date of a gift chooses the payment method again', async () => {
  const starts: Problem = { kind: 'refused', code: 'gift_day', message: '' };
  const { container, isIn } = start({ offer: { ...offer, methods: ['wallet'] }, cards: [visa], starts });
  await isIn('writing');
  await writeGift(container);
  await isIn('ready');
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('writing');
  await userEvent.click(findPressable(container, 'gift.submitted'));
  await isIn('ready');
  expect(screen.getByLabelText('Digital wallet')).toHaveProperty('checked', false);
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Pay $9.99');
});

test('a free title is sent without a payment', async () => {
  const free = freeOffer({ days: offer.days });
  const { container, gone, isIn } = start({ offer: free, cards: [visa], starts: { ...session, transId: 'g1', url: '' } });
  await isIn('writing');
  await writeGift(container);
  await isIn('ready');
  expect(screen.queryByText('Pay with')).toBeNull();
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Send the gift');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(gone()).toEqual([{ type: 'go', to: '/title/purchase/success?transId=g1&isgift=true', replace: true }]);
});

test.each<[string, Parts, string]>([
  ['notFound', { offer: { kind: 'refused', code: 'not_found', message: '' } }, 'We couldn’t find that title'],
  ['unavailable', { offer: { kind: 'offline' } }, 'We can’t prepare your gift right now'],
  ['notForSale', { offer: { ...offer, title: { ...summary, forSale: false } } }, 'Not for sale right now'],
  ['notOffered', { more: { store: { ...shopStore, enableGiftingTitle: false } } }, 'This shop doesn’t offer gifts'],
  ['notFound', { params: { of: 'title', as: 'gift' } }, 'We couldn’t find that title'],
  ['cancelled', { params: returnParams, status: stateWith('cancelled', { titleId: '1001' }) }, 'Your gift hasn’t been sent'],
  ['failed', { params: returnParams, status: stateWith('failed') }, 'The payment didn’t go through'],
])('%s (%#)', async (value, parts, words) => {
  const { isIn } = start(parts);
  await isIn(value);
  expect(readHeading()).toBe(words);
});

test('after cancelling, a gift starts over with the title', async () => {
  const { container, gone, isIn } = start({ params: returnParams, status: stateWith('cancelled', { titleId: '1001' }) });
  await isIn('cancelled');
  await userEvent.click(findPressable(container, 'retry.pressed'));
  await isIn('writing');
  expect(gone()).toEqual([{ type: 'go', to: '/title/gift?titleid=1001', replace: true }]);
});

test.each([
  ['gift_day', 'This day has passed, or is more than a year away. Please choose another.'],
  ['gift_info', 'Some of the recipient’s details don’t look right. Please check them.'],
])('a refusal about the form (%s) leads back to it, from the preview and from the payment', async (code, words) => {
  const problem: Problem = { kind: 'refused', code, message: '' };
  const atPreview = start({ preview: problem });
  await atPreview.isIn('writing');
  await writeGift(atPreview.container);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(words));
  expect(readState(atPreview.container, 'purchase')).toBe('writing');
});

test('a date that has passed while the payment was being opened leads back to the form', async () => {
  const { container, isIn } = start({ starts: { kind: 'refused', code: 'gift_day', message: '' } });
  await isIn('writing');
  await writeGift(container);
  await isIn('ready');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('writing');
  expect(screen.getByRole('alert').textContent).toContain('This day has passed');
  expect(screen.getByLabelText('Recipient’s name')).toHaveProperty('value', 'Bo Quay');
});

test('a changed price is shown before anything is charged', async () => {
  const { container, isIn } = start({ starts: { kind: 'refused', code: 'price_changed', message: '' } });
  await isIn('writing');
  await writeGift(container);
  await isIn('ready');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('priceChanged');
  expect(screen.getByRole('alert').textContent).toContain('You haven’t been charged.');
});

test('the whole cart is given at once, with one e-mail, and its own success page follows', async () => {
  const { container, gone, asked, paid, isIn } = start({ params: cartParams, offer: cartOffer, cards: [visa] });
  await isIn('writing');
  expect(container.querySelectorAll('[data-line]')).toHaveLength(1);
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
  await writeGift(container);
  await isIn('ready');
  expect(asked).toMatchObject([{ titleId: '', titleIds: ['1001'] }]);
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(paid).toMatchObject([{ titleId: '', titleIds: ['1001'], price: { amount: 9.99 }, cardId: 'c1', key: 'g1' }]);
  expect(gone().at(-1)).toEqual({ type: 'go', to: '/cart/purchase/success?transId=t1&isgift=true', replace: true });
});

test('a cart without payable titles cannot be given', async () => {
  const { isIn } = start({ params: cartParams, offer: { ...cartOffer, cart: { lines: [], total: null }, price: null } });
  await isIn('notForSale');
  expect(readHeading()).toBe('There’s nothing to give');
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
});

test('a changed cart is reported', async () => {
  const starts: Problem = { kind: 'refused', code: 'price_changed', message: '' };
  const { container, isIn } = start({ params: cartParams, offer: cartOffer, starts });
  await isIn('writing');
  await writeGift(container);
  await isIn('ready');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('priceChanged');
  expect(readHeading()).toBe('Your cart has changed');
});

test('both prices are shown, and credits pay if chosen', async () => {
  const store = { ...shopStore, enableBuyWithCredits: true, creditCurrency: 'Tokens' };
  const balance = { balance: 5, currency: 'Tokens', accepted: true };
  const { container, paid, isIn } = start({
    more: { store },
    balance,
    offer: { ...offer, credits: 2 },
    starts: { ...session, url: '' },
  });
  await isIn('writing');
  expect(container.textContent).toContain('$9.99 or 2 Tokens');
  await writeGift(container);
  await isIn('ready');
  await userEvent.click(screen.getByLabelText(/2 Tokens/));
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Give it for 2 Tokens');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(paid).toMatchObject([{ credits: { amount: 2, currency: 'Tokens' }, cardId: null }]);
});

test('too few credits cannot be chosen', async () => {
  const balance = { balance: 1, currency: 'Tokens', accepted: true };
  const { container, isIn } = start({ balance, offer: { ...offer, credits: 2 } });
  await isIn('writing');
  await writeGift(container);
  await isIn('ready');
  expect(screen.getByLabelText<HTMLInputElement>(/2 Tokens/).disabled).toBe(true);
});
