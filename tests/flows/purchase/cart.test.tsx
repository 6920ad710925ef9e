import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { titleSummary } from '../../../machines/path-models/path-model.ts';
import { makeCartOffer, makeEntry, visa } from '../../support/purchase.ts';
import { store } from '../../support/views/flow.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { createPurchaseState, start as startPurchase, type PurchaseSetup } from './purchase-view.tsx';

const twoTitles = makeCartOffer(makeEntry('1'), makeEntry('2'));
const start = (setup: PurchaseSetup = {}) => startPurchase({ params: { of: 'cart' }, offer: twoTitles, ...setup });
const returnParams = { of: 'cart', transId: 't1' };

test('the checkout of a cart shows its titles and total, and Pay leads to the payment page', async () => {
  const { container, getNavigations, orders, waitForState } = start({
    offer: makeCartOffer(makeEntry('1'), makeEntry('2'), makeEntry('3', { isOwned: true })),
  });
  await waitForState('ready');
  expect([...container.querySelectorAll('li[data-line]')].map(({ textContent }) => textContent)).toEqual([
    'Title 1$9.99',
    'Title 2$9.99',
  ]);
  expect(screen.getByText('$19.98')).toBeDefined();
  expect(screen.getByText(/1 title in your cart is already in your library/)).toBeDefined();
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(getNavigations()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(orders).toMatchObject([{ titleIds: ['1', '2'], price: { amount: 19.98, currency: 'USD' }, key: 'k1', cardId: null }]);
  expect(readState(container, 'payment')).toBe('actionRequired');
});

test('a saved card pays at once, and the success page follows', async () => {
  const { container, getNavigations, waitForState } = start({ cards: [visa] });
  await waitForState('ready');
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Pay $19.98');
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(screen.getByLabelText(/Visa ending in 4242/));
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitForState('succeeded');
  expect(getNavigations()).toEqual([{ type: 'go', to: '/cart/purchase/success?transId=t1', replace: true }]);
});

test.each([
  [['paypal', 'link', 'unheard_of'], 'Digital wallet: PayPal and Link'],
  [['test'], 'Test wallet'],
  [[], 'Digital wallet'],
])('the wallets of the payment page are named: %j', async (wallets, label) => {
  const { waitForState } = start({ offer: { ...twoTitles, methods: ['wallet'] }, flowInput: { store: { ...store, wallets } } });
  await waitForState('ready');
  expect(screen.getByLabelText(label)).toBeDefined();
});

test('a chosen wallet pays on the gateway’s page, and stays chosen when a code is applied', async () => {
  const offer = { ...twoTitles, methods: ['wallet'] };
  const { container, getNavigations, orders, waitForState } = start({ offer, cards: [visa], code: cheaperCart });
  await waitForState('ready');
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  expect(screen.getByLabelText(/Visa ending in 4242/)).toHaveProperty('checked', false);
  const statuses = screen.getAllByRole('status');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  expect(statuses).toContain(await screen.findByText('Your code has been applied.'));
  expect(screen.getByLabelText('Digital wallet')).toHaveProperty('checked', true);
  expect(screen.getByText('You’ll pay on our payment provider’s secure page.')).toBeDefined();
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(getNavigations()).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(orders).toMatchObject([{ titleIds: ['1', '2'], method: 'wallet', cardId: null }]);
});

test('the payment of a customer who returns is confirmed', async () => {
  const { getNavigations, waitForState } = start({ params: returnParams });
  await waitForState('succeeded');
  expect(getNavigations()).toEqual([{ type: 'go', to: '/cart/purchase/success?transId=t1', replace: true }]);
});

test.each<[string, PurchaseSetup, string, string]>([
  ['cancelled', { params: returnParams, status: createPurchaseState('cancelled') }, 'cancelled', 'Purchase cancelled'],
  ['failed', { params: returnParams, status: createPurchaseState('failed') }, 'failed', 'The payment didn’t go through'],
])('a payment that is %s says so, and can be started again', async (_, setup, value, heading) => {
  const { container, getNavigations, waitForState } = start(setup);
  await waitForState(value);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  await userEvent.click(findPressable(container, 'retry.pressed'));
  await waitForState('ready');
  expect(getNavigations()).toEqual([{ type: 'go', to: '/cart/checkout', replace: true }]);
});

test.each(['price_changed', 'already_owned'])(
  'a payment refused as %s says that the cart has changed and nothing was charged',
  async (code) => {
    const { container, waitForState } = start({ paymentStart: { kind: 'refused', code, message: '' } });
    await waitForState('ready');
    await userEvent.click(findPressable(container, 'pay.pressed'));
    await waitForState('priceChanged');
    expect(screen.getByRole('alert').textContent).toContain('You haven’t been charged.');
  },
);

test('a cart whose payment conflicts with another payment says so', async () => {
  const { container, waitForState } = start({ paymentStart: { kind: 'refused', code: 'conflict', message: 'No' } });
  await waitForState('ready');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitForState('failed');
  expect(container.textContent).toContain('You’re already paying for one of these titles in another window.');
});

test('the checkout links back to the cart, also when no title in it can be paid for', async () => {
  const emptyPurchase = start({ offer: makeCartOffer(makeEntry('1', { isOwned: true })) });
  await emptyPurchase.waitForState('notForSale');
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
  cleanup();
  const { waitForState } = start();
  await waitForState('ready');
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
});

const halfPriceSummary = { ...titleSummary, prices: titleSummary.prices.map((price) => ({ ...price, amount: 5 })) };
const cheaperCart = makeCartOffer(
  makeEntry('1', { title: { ...halfPriceSummary, id: '1' }, usual: titleSummary.prices }),
  makeEntry('2'),
);

test('a typed code shows its discount and the title it applies to; removing it restores all prices', async () => {
  const { container, orders, typedCodes, waitForState } = start({ code: cheaperCart, cards: [visa] });
  await waitForState('ready');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'spring 20{Enter}');
  await waitFor(() => expect(screen.getByText('Your code has been applied.')).toBeDefined());
  expect(typedCodes).toEqual(['spring20']);
  expect(container.querySelector('[data-line="1"] s')?.textContent).toBe('$9.99');
  expect(container.querySelector('[data-line="2"] s')).toBeNull();
  expect(container.querySelector('[data-off]')?.textContent).toBe('-$4.99');
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Pay $14.99');
  await userEvent.click(findPressable(container, 'code.removed'));
  await waitFor(() => expect(container.querySelector('[data-off]')).toBeNull());
  expect(findPressable(container, 'pay.pressed').textContent).toBe('Pay $19.98');
  await userEvent.click(findPressable(container, 'pay.pressed'));
  await waitFor(() => expect(orders).toMatchObject([{ price: { amount: 19.98 }, cardId: 'c1' }]));
});

test.each([
  ['code_unknown', 'We don’t recognise this code.'],
  ['code_used', 'This code has already been used.'],
  ['code_expired', 'This code has expired.'],
  ['code_misfit', 'This code doesn’t apply to any title in your cart.'],
  ['code_elsewhere', 'This code is for another shop.'],
])('a refused code (%s) shows the reason, and the cart stays unchanged', async (code, expectedText) => {
  const { container, waitForState } = start({ code: { kind: 'refused', code, message: '' } });
  await waitForState('ready');
  await userEvent.click(findPressable(container, 'code.submitted'));
  expect(screen.getByLabelText('Discount code (optional)').getAttribute('aria-invalid')).toBe('true');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(expectedText));
  expect(screen.getByText('$19.98')).toBeDefined();
});
