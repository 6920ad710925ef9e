import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Problem } from '../../../machines/model/problem.ts';
import { pressable, stateOf } from '../../support/views/show.tsx';
import { store as shopStore, summary } from '../../../machines/path-models/path-model.ts';
import { cartGiftOffer, entry, freeOffer, giftOffer, letter, visa } from '../../support/purchase.ts';
import { heading, session, stands, start as begin, write, type Parts } from './purchase-view.tsx';

const offer = giftOffer();
const ofCart = cartGiftOffer(entry('1001'));
const ofTitle = { of: 'title', as: 'gift', titleid: '1001' };
const ofTheCart = { of: 'cart', as: 'gift' };
const returned = { of: 'title', as: 'gift', transId: 't1' };

/** A gift of a title, which a kept card pays at once. */
const start = (parts: Parts = {}) =>
  begin({
    params: ofTitle,
    offer,
    byCard: stands('paid'),
    status: stands('paid'),
    more: { store: shopStore },
    ...parts,
  });

test('asks whom it is for, shows the letter, and pays for it', async () => {
  const { container, gone, asked, paid, isIn } = start();
  await isIn('writing');
  expect(heading()).toBe('Give as a gift');
  await write(container);
  await isIn('ready');
  const form = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };
  expect(asked).toEqual([{ titleId: '1001', titleIds: null, pii: { form } }]);
  expect(screen.getByRole('region', { name: 'The email' }).textContent).toBe(
    `To: bo@example.com${letter.subject}${letter.before.join('')}${letter.link}${letter.after.join('')}`,
  );
  expect(screen.getByText('It goes out as soon as it’s paid for.')).toBeDefined();
  expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await waitFor(() => expect(gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(paid).toMatchObject([{ titleId: '1001', key: 'g1', price: { amount: 9.99 }, gift: { pii: { form } } }]);
});

test('what cannot be right stands beside its field, and the first takes the focus', async () => {
  const { container, asked, isIn } = start();
  await isIn('writing');
  await userEvent.type(screen.getByLabelText('Recipient’s email address'), 'no address');
  await userEvent.click(pressable(container, 'gift.submitted'));
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
  await userEvent.click(pressable(container, 'gift.submitted'));
  expect(screen.getByText(/^Web and email addresses aren’t allowed here/)).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText(label));
  expect(asked).toEqual([]);
});

test.each([
  ['gift_link', /^Web and email addresses aren’t allowed in the name or the message/],
  ['giver_link', /^Your own name looks like a web or email address/],
])('the server’s refusal %s is explained above the form', async (code, words) => {
  const { container, isIn } = start({ letter: { kind: 'refused', code, message: '' } });
  await isIn('writing');
  await write(container);
  expect(await screen.findByText(words)).toBeDefined();
});

test.each([
  ['2025-12-31', true],
  ['2026-01-01', false],
  ['2027-01-01', false],
  ['2027-01-02', true],
])('the day %s is refused: %s', async (chosen, isRefused) => {
  const draft = { name: 'Bo', email: 'bo@example.com', message: '', day: chosen };
  const { container, isIn } = start({ offer: { ...offer, pii: { draft } } });
  await isIn('writing');
  await userEvent.click(pressable(container, 'gift.submitted'));
  await isIn(isRefused ? 'writing' : 'ready');
  const said = screen.queryByText('Please choose a day from today to a year from now.');
  expect(said !== null).toBe(isRefused);
});

test('a later day is said; what was written before is there again, and can be changed', async () => {
  const draft = { name: 'Bo Quay', email: 'bo@example.com', message: 'Soon!', day: '2026-12-24' };
  const { container, isIn } = start({ offer: { ...offer, pii: { draft } } });
  await isIn('writing');
  expect(screen.getByLabelText('Your message (optional)')).toHaveProperty('value', 'Soon!');
  await userEvent.click(pressable(container, 'gift.submitted'));
  await isIn('ready');
  expect(screen.getByText('It goes out in the morning of December 24, 2026.')).toBeDefined();
  await userEvent.click(pressable(container, 'change.pressed'));
  await isIn('writing');
  expect(screen.getByLabelText('Recipient’s name')).toHaveProperty('value', 'Bo Quay');
});

test('the page draws the email where the server does not tell how it will look, and it can be paid', async () => {
  const draft = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };
  const { container, isIn, paid } = start({ letter: null, offer: { ...offer, pii: { draft } } });
  await isIn('writing');
  await userEvent.click(pressable(container, 'gift.submitted'));
  await isIn('ready');
  const email = screen.getByRole('region', { name: 'The email' });
  expect(email.textContent).toBe('To: bo@example.comBo Quay gets an email with your gift.Your message:Happy birthday!');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await waitFor(() => expect(paid).toHaveLength(1));
});

test('a kept card pays at once, the success page follows, and what was written is forgotten', async () => {
  const { container, gone, forgotten, isIn } = start({ cards: [visa] });
  await isIn('writing');
  await write(container);
  await isIn('ready');
  expect(pressable(container, 'pay.pressed').textContent).toBe('Pay $9.99');
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(screen.getByLabelText(/Visa ending in 4242/));
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(gone()).toEqual([{ type: 'go', to: '/title/purchase/success?transId=t1&isgift=true', replace: true }]);
  expect(forgotten).toEqual([true]);
});

test.each<[string, Parts]>([
  ['a title', { offer: { ...offer, methods: ['wallet'] } }],
  ['a cart', { params: ofTheCart, offer: { ...ofCart, methods: ['wallet'] } }],
])('%s is given by a wallet where that is chosen, on the gateway’s page', async (_what, parts) => {
  const { container, gone, paid, isIn } = start({ ...parts, cards: [visa] });
  await isIn('writing');
  await write(container);
  await isIn('ready');
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  expect(screen.getByLabelText(/Visa ending in 4242/)).toHaveProperty('checked', false);
  expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  expect(screen.getByText('You’ll pay on our payment provider’s secure page.')).toBeDefined();
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(screen.getByLabelText('Digital wallet')).toHaveProperty('checked', false);
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  await userEvent.click(pressable(container, 'pay.pressed'));
  await waitFor(() => expect(gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(paid).toMatchObject([{ method: 'wallet', cardId: null, price: { amount: 9.99 } }]);
});

test('who has to change the day of a gift chooses anew how it is paid', async () => {
  const starts: Problem = { kind: 'refused', code: 'gift_day', message: '' };
  const { container, isIn } = start({ offer: { ...offer, methods: ['wallet'] }, cards: [visa], starts });
  await isIn('writing');
  await write(container);
  await isIn('ready');
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('writing');
  await userEvent.click(pressable(container, 'gift.submitted'));
  await isIn('ready');
  expect(screen.getByLabelText('Digital wallet')).toHaveProperty('checked', false);
  expect(pressable(container, 'pay.pressed').textContent).toBe('Pay $9.99');
});

test('a free title is sent without a payment', async () => {
  const free = freeOffer({ days: offer.days });
  const { container, gone, isIn } = start({ offer: free, cards: [visa], starts: { ...session, transId: 'g1', url: '' } });
  await isIn('writing');
  await write(container);
  await isIn('ready');
  expect(screen.queryByText('Pay with')).toBeNull();
  expect(pressable(container, 'pay.pressed').textContent).toBe('Send the gift');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(gone()).toEqual([{ type: 'go', to: '/title/purchase/success?transId=g1&isgift=true', replace: true }]);
});

test.each<[string, Parts, string]>([
  ['notFound', { offer: { kind: 'refused', code: 'not_found', message: '' } }, 'We couldn’t find that title'],
  ['unavailable', { offer: { kind: 'offline' } }, 'We can’t prepare your gift right now'],
  ['notForSale', { offer: { ...offer, title: { ...summary, forSale: false } } }, 'Not for sale at the moment'],
  ['notOffered', { more: { store: { ...shopStore, enableGiftingTitle: false } } }, 'This shop has no gifts'],
  ['notFound', { params: { of: 'title', as: 'gift' } }, 'We couldn’t find that title'],
  ['cancelled', { params: returned, status: stands('cancelled', { titleId: '1001' }) }, 'Your gift hasn’t been sent'],
  ['failed', { params: returned, status: stands('failed') }, 'The payment didn’t go through'],
])('%s (%#)', async (value, parts, words) => {
  const { isIn } = start(parts);
  await isIn(value);
  expect(heading()).toBe(words);
});

test('who has cancelled begins anew, with the title', async () => {
  const { container, gone, isIn } = start({ params: returned, status: stands('cancelled', { titleId: '1001' }) });
  await isIn('cancelled');
  await userEvent.click(pressable(container, 'retry.pressed'));
  await isIn('writing');
  expect(gone()).toEqual([{ type: 'go', to: '/title/gift?titleid=1001', replace: true }]);
});

test.each([
  ['gift_day', 'This day has passed, or is more than a year away. Please choose another.'],
  ['gift_info', 'Something about the recipient can’t be right. Please check what you’ve entered.'],
])('what the server says against the form (%s) leads back to it, at the preview and at the payment', async (code, words) => {
  const problem: Problem = { kind: 'refused', code, message: '' };
  const atPreview = start({ letter: problem });
  await atPreview.isIn('writing');
  await write(atPreview.container);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(words));
  expect(stateOf(atPreview.container, 'purchase')).toBe('writing');
});

test('a day that has passed while the payment was being opened leads back to the form', async () => {
  const { container, isIn } = start({ starts: { kind: 'refused', code: 'gift_day', message: '' } });
  await isIn('writing');
  await write(container);
  await isIn('ready');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('writing');
  expect(screen.getByRole('alert').textContent).toContain('This day has passed');
  expect(screen.getByLabelText('Recipient’s name')).toHaveProperty('value', 'Bo Quay');
});

test('another price is said before anything is charged', async () => {
  const { container, isIn } = start({ starts: { kind: 'refused', code: 'price_changed', message: '' } });
  await isIn('writing');
  await write(container);
  await isIn('ready');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('priceChanged');
  expect(screen.getByRole('alert').textContent).toContain('You haven’t been charged.');
});

test('all that is in the cart is given at once, by one letter, and its own success page follows', async () => {
  const { container, gone, asked, paid, isIn } = start({ params: ofTheCart, offer: ofCart, cards: [visa] });
  await isIn('writing');
  expect(container.querySelectorAll('[data-line]')).toHaveLength(1);
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
  await write(container);
  await isIn('ready');
  expect(asked).toMatchObject([{ titleId: '', titleIds: ['1001'] }]);
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(paid).toMatchObject([{ titleId: '', titleIds: ['1001'], price: { amount: 9.99 }, cardId: 'c1', key: 'g1' }]);
  expect(gone().at(-1)).toEqual({ type: 'go', to: '/cart/purchase/success?transId=t1&isgift=true', replace: true });
});

test('of a cart with nothing to pay for nothing is given', async () => {
  const { isIn } = start({ params: ofTheCart, offer: { ...ofCart, cart: { lines: [], total: null }, price: null } });
  await isIn('notForSale');
  expect(heading()).toBe('There’s nothing to give');
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
});

test('a cart that has changed is said to have', async () => {
  const starts: Problem = { kind: 'refused', code: 'price_changed', message: '' };
  const { container, isIn } = start({ params: ofTheCart, offer: ofCart, starts });
  await isIn('writing');
  await write(container);
  await isIn('ready');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('priceChanged');
  expect(heading()).toBe('Your cart has changed');
});

test('both prices are shown, and credits pay where they are chosen', async () => {
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
  await write(container);
  await isIn('ready');
  await userEvent.click(screen.getByLabelText(/2 Tokens/));
  expect(pressable(container, 'pay.pressed').textContent).toBe('Give it for 2 Tokens');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(paid).toMatchObject([{ credits: { amount: 2, currency: 'Tokens' }, cardId: null }]);
});

test('too few credits cannot be chosen', async () => {
  const balance = { balance: 1, currency: 'Tokens', accepted: true };
  const { container, isIn } = start({ balance, offer: { ...offer, credits: 2 } });
  await isIn('writing');
  await write(container);
  await isIn('ready');
  expect(screen.getByLabelText<HTMLInputElement>(/2 Tokens/).disabled).toBe(true);
});
