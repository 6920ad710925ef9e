import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { summary } from '../../../machines/path-models/path-model.ts';
import { cartOffer, entry, visa } from '../../support/purchase.ts';
import { pressable, stateOf } from '../../support/views/show.tsx';
import { stands, start as begin, type Parts } from './purchase-view.tsx';

const two = cartOffer(entry('1'), entry('2'));
const start = (parts: Parts = {}) => begin({ params: { of: 'cart' }, offer: two, ...parts });
const returned = { of: 'cart', transId: 't1' };

test('says what is bought and the total; Pay leads to the payment page with these titles and this price', async () => {
  const { container, gone, paid, isIn } = start({ offer: cartOffer(entry('1'), entry('2'), entry('3', { isOwned: true })) });
  await isIn('ready');
  expect([...container.querySelectorAll('li[data-line]')].map(({ textContent }) => textContent)).toEqual([
    'Title 1$9.99',
    'Title 2$9.99',
  ]);
  expect(screen.getByText('$19.98')).toBeDefined();
  expect(screen.getByText(/1 title in your cart is already in your library/)).toBeDefined();
  await userEvent.click(pressable(container, 'pay.pressed'));
  await waitFor(() => expect(gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(paid).toMatchObject([{ titleIds: ['1', '2'], price: { amount: 19.98, currency: 'USD' }, key: 'k1', cardId: null }]);
  expect(stateOf(container, 'payment')).toBe('actionRequired');
});

test('a kept card pays at once, and the success page follows', async () => {
  const { container, gone, isIn } = start({ cards: [visa] });
  await isIn('ready');
  expect(pressable(container, 'pay.pressed').textContent).toBe('Pay $19.98');
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(screen.getByLabelText(/Visa ending in 4242/));
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(gone()).toEqual([{ type: 'go', to: '/cart/purchase/success?transId=t1', replace: true }]);
});

test('a wallet pays where it is chosen, on the gateway’s page, and stays chosen when a code is taken off', async () => {
  const offer = { ...two, methods: ['wallet'] };
  const { container, gone, paid, isIn } = start({ offer, cards: [visa], code: cheaper });
  await isIn('ready');
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  expect(screen.getByLabelText(/Visa ending in 4242/)).toHaveProperty('checked', false);
  const statuses = screen.getAllByRole('status');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  expect(statuses).toContain(await screen.findByText('Your code is taken off.'));
  expect(screen.getByLabelText('Digital wallet')).toHaveProperty('checked', true);
  expect(screen.getByText('You’ll pay on our payment provider’s secure page.')).toBeDefined();
  await userEvent.click(pressable(container, 'pay.pressed'));
  await waitFor(() => expect(gone()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(paid).toMatchObject([{ titleIds: ['1', '2'], method: 'wallet', cardId: null }]);
});

test('the payment of a customer who returns is confirmed', async () => {
  const { gone, isIn } = start({ params: returned });
  await isIn('succeeded');
  expect(gone()).toEqual([{ type: 'go', to: '/cart/purchase/success?transId=t1', replace: true }]);
});

test.each<[string, Parts, string, string]>([
  ['cancelled', { params: returned, status: stands('cancelled') }, 'cancelled', 'Purchase cancelled'],
  ['failed', { params: returned, status: stands('failed') }, 'failed', 'The payment didn’t go through'],
])('a payment that is %s says so, and can be begun again', async (_what, parts, value, heading) => {
  const { container, gone, isIn } = start(parts);
  await isIn(value);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  await userEvent.click(pressable(container, 'retry.pressed'));
  await isIn('ready');
  expect(gone()).toEqual([{ type: 'go', to: '/cart/checkout', replace: true }]);
});

test.each(['price_changed', 'already_owned'])('%s: the cart has changed, and nothing was charged', async (code) => {
  const { container, isIn } = start({ starts: { kind: 'refused', code, message: '' } });
  await isIn('ready');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('priceChanged');
  expect(screen.getByRole('alert').textContent).toContain('You haven’t been charged.');
});

test('another payment for one of the titles is said in words for a cart', async () => {
  const { container, isIn } = start({ starts: { kind: 'refused', code: 'conflict', message: 'No' } });
  await isIn('ready');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('failed');
  expect(container.textContent).toContain('You’re already paying for one of these titles in another window.');
});

test('a cart with nothing to pay leads back to it, and so does the summary', async () => {
  const nothing = start({ offer: cartOffer(entry('1', { isOwned: true })) });
  await nothing.isIn('notForSale');
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
  cleanup();
  const { isIn } = start();
  await isIn('ready');
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
});

const half = { ...summary, prices: summary.prices.map((price) => ({ ...price, amount: 5 })) };
const cheaper = cartOffer(entry('1', { title: { ...half, id: '1' }, usual: summary.prices }), entry('2'));

test('a code that is typed says what it takes off, of which title; taken away, all costs what it did', async () => {
  const { container, paid, typed, isIn } = start({ code: cheaper, cards: [visa] });
  await isIn('ready');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'spring 20{Enter}');
  await waitFor(() => expect(screen.getByText('Your code is taken off.')).toBeDefined());
  expect(typed).toEqual(['spring20']);
  expect(container.querySelector('[data-line="1"] s')?.textContent).toBe('$9.99');
  expect(container.querySelector('[data-line="2"] s')).toBeNull();
  expect(container.querySelector('[data-off]')?.textContent).toBe('-$4.99');
  expect(pressable(container, 'pay.pressed').textContent).toBe('Pay $14.99');
  await userEvent.click(pressable(container, 'code.removed'));
  await waitFor(() => expect(container.querySelector('[data-off]')).toBeNull());
  expect(pressable(container, 'pay.pressed').textContent).toBe('Pay $19.98');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await waitFor(() => expect(paid).toMatchObject([{ price: { amount: 19.98 }, cardId: 'c1' }]));
});

test.each([
  ['code_unknown', 'We don’t know this code.'],
  ['code_used', 'This code has already been used.'],
  ['code_expired', 'This code has expired.'],
  ['code_misfit', 'This code takes nothing off the titles in your cart.'],
  ['code_elsewhere', 'This code is for another shop.'],
])('a code that is refused (%s) shows the reason, and the cart stays as it was', async (code, words) => {
  const { container, isIn } = start({ code: { kind: 'refused', code, message: '' } });
  await isIn('ready');
  await userEvent.click(pressable(container, 'code.submitted'));
  expect(screen.getByLabelText('Discount code (optional)').getAttribute('aria-invalid')).toBe('true');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(words));
  expect(screen.getByText('$19.98')).toBeDefined();
});
