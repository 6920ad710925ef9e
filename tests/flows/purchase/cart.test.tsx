import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { summary } from '../../../machines/path-models/path-model.ts';
import { cartOffer, makeEntry, visa } from '../../support/purchase.ts';
import { store } from '../../support/views/flow.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { stateWith, start as begin, type Parts } from './purchase-view.tsx';

const twoTitles = cartOffer(makeEntry('1'), makeEntry('2'));
const start = (parts: Parts = {}) => begin({ params: { of: 'cart' }, offer: twoTitles, ...parts });
const returnParams = { of: 'cart', transId: 't1' };

test('shows the titles and the total; Pay leads to the payment page with these titles and this price', async () => {
  const { container, gone, paid, isIn } = start({
    offer: cartOffer(makeEntry('1'), makeEntry('2'), makeEntry('3', { isOwned: true })),
  });
  await isIn('ready');
  expect([...container.querySelectorAll('li[data-line]')].map(({ textContent }) => textContent)).toEqual([
    'Title 1$9.99',
    'Title 2$9.99',
  ]);
  expect(screen.getByText('$19.98')).toBeDefined();
  expect(screen.getByText(/1 title in your cart is already in your library/)).toBeDefined();
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(paid).toMatchObject([{ titleIds: ['1', '2'], price: { amount: 19.98, currency: 'USD' }, key: 'k1', cardId: null }]);
  expect(readState(container, 'payment')).toBe('actionRequired');
});

test('a saved card pays at once, and the success page follows', async () => {
  const { container, gone, isIn } = start({ cards: [visa] });
  await isIn('ready');
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Pay $19.98');
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(screen.getByLabelText(/Visa ending in 4242/));
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(gone()).toEqual([{ type: 'go', to: '/cart/purchase/success?transId=t1', replace: true }]);
});

test.each([
  [['paypal', 'link', 'unheard_of'], 'Digital wallet: PayPal and Link'],
  [['test'], 'Test wallet'],
  [[], 'Digital wallet'],
])('the wallets of the payment page are named: %j', async (wallets, says) => {
  const { isIn } = start({ offer: { ...twoTitles, methods: ['wallet'] }, more: { store: { ...store, wallets } } });
  await isIn('ready');
  expect(screen.getByLabelText(says)).toBeDefined();
});

test('a chosen wallet pays on the gateway’s page, and stays chosen when a code is removed', async () => {
  const offer = { ...twoTitles, methods: ['wallet'] };
  const { container, gone, paid, isIn } = start({ offer, cards: [visa], code: cheaperCart });
  await isIn('ready');
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  expect(screen.getByLabelText(/Visa ending in 4242/)).toHaveProperty('checked', false);
  const statuses = screen.getAllByRole('status');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  expect(statuses).toContain(await screen.findByText('Your code has been applied.'));
  expect(screen.getByLabelText('Digital wallet')).toHaveProperty('checked', true);
  expect(screen.getByText('You’ll pay on our payment provider’s secure page.')).toBeDefined();
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(paid).toMatchObject([{ titleIds: ['1', '2'], method: 'wallet', cardId: null }]);
});

test('the payment of a customer who returns is confirmed', async () => {
  const { gone, isIn } = start({ params: returnParams });
  await isIn('succeeded');
  expect(gone()).toEqual([{ type: 'go', to: '/cart/purchase/success?transId=t1', replace: true }]);
});

test.each<[string, Parts, string, string]>([
  ['cancelled', { params: returnParams, status: stateWith('cancelled') }, 'cancelled', 'Purchase cancelled'],
  ['failed', { params: returnParams, status: stateWith('failed') }, 'failed', 'The payment didn’t go through'],
])('a payment that is %s says so, and can be started again', async (_what, parts, value, heading) => {
  const { container, gone, isIn } = start(parts);
  await isIn(value);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  await userEvent.click(findPressable(container, 'retry.pressed'));
  await isIn('ready');
  expect(gone()).toEqual([{ type: 'go', to: '/cart/checkout', replace: true }]);
});

test.each(['price_changed', 'already_owned'])('%s: the cart has changed, and nothing was charged', async (code) => {
  const { container, isIn } = start({ starts: { kind: 'refused', code, message: '' } });
  await isIn('ready');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('priceChanged');
  expect(screen.getByRole('alert').textContent).toContain('You haven’t been charged.');
});

test('another payment for one of the titles has a message for carts', async () => {
  const { container, isIn } = start({ starts: { kind: 'refused', code: 'conflict', message: 'No' } });
  await isIn('ready');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await isIn('failed');
  expect(container.textContent).toContain('You’re already paying for one of these titles in another window.');
});

test('a cart without payable titles links back to it, and so does the summary', async () => {
  const nothing = start({ offer: cartOffer(makeEntry('1', { isOwned: true })) });
  await nothing.isIn('notForSale');
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
  cleanup();
  const { isIn } = start();
  await isIn('ready');
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
});

const halfPriceSummary = { ...summary, prices: summary.prices.map((price) => ({ ...price, amount: 5 })) };
const cheaperCart = cartOffer(makeEntry('1', { title: { ...halfPriceSummary, id: '1' }, usual: summary.prices }), makeEntry('2'));

test('a typed code shows its discount and the title it applies to; removing it restores all prices', async () => {
  const { container, paid, typed, isIn } = start({ code: cheaperCart, cards: [visa] });
  await isIn('ready');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'spring 20{Enter}');
  await waitFor(() => expect(screen.getByText('Your code has been applied.')).toBeDefined());
  expect(typed).toEqual(['spring20']);
  expect(container.querySelector('[data-line="1"] s')?.textContent).toBe('$9.99');
  expect(container.querySelector('[data-line="2"] s')).toBeNull();
  expect(container.querySelector('[data-off]')?.textContent).toBe('-$4.99');
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Pay $14.99');
  await userEvent.click(findPressable(container, 'code.removed'));
  await waitFor(() => expect(container.querySelector('[data-off]')).toBeNull());
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Pay $19.98');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(paid).toMatchObject([{ price: { amount: 19.98 }, cardId: 'c1' }]));
});

test.each([
  ['code_unknown', 'We don’t recognise this code.'],
  ['code_used', 'This code has already been used.'],
  ['code_expired', 'This code has expired.'],
  ['code_misfit', 'This code doesn’t apply to any title in your cart.'],
  ['code_elsewhere', 'This code is for another shop.'],
])('a refused code (%s) shows the reason, and the cart stays unchanged', async (code, words) => {
  const { container, isIn } = start({ code: { kind: 'refused', code, message: '' } });
  await isIn('ready');
  await userEvent.click(findPressable(container, 'code.submitted'));
  expect(screen.getByLabelText('Discount code (optional)').getAttribute('aria-invalid')).toBe('true');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(words));
  expect(screen.getByText('$19.98')).toBeDefined();
});
