import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { cartCheckoutMachine, type CartOrder } from '../../../machines/buying/cart-checkout.ts';
import { paymentMachine, type Order, type PurchaseState } from '../../../machines/buying/payment.ts';
import type { Card } from '../../../machines/model/card.ts';
import { quoteCart, type CartEntry } from '../../../machines/model/cart.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { PaymentSession } from '../../../machines/model/purchase.ts';
import type { RedeemForm } from '../../../machines/model/redeem.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { CartCheckoutView } from '../../../src/flows/cart-checkout/CartCheckoutView.tsx';
import { summary } from '../../../machines/path-models/path-model.ts';
import { answers, flowInput, rejects, underShop } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

const entry = (titleId: string, more: Partial<CartEntry> = {}): CartEntry => ({
  titleId,
  name: `Title ${titleId}`,
  savedAt: '',
  isOwned: false,
  title: { ...summary, id: titleId },
  ...more,
});
const orderOf = (...entries: CartEntry[]): CartOrder => ({
  quote: quoteCart(entries, { locale: 'en', countries: [] }),
  key: 'k1',
  transId: null,
});
const visa: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/40' } };
const state = (status: PurchaseState['status']): PurchaseState => ({
  transId: 't1',
  titleId: '',
  status,
  intentId: 'in1',
  url: status === 'pending' ? 'https://pay.example/1' : null,
  reason: null,
});
const session: PaymentSession = { transId: 't1', provider: 'test', url: 'https://pay.example/1' };

type Coded = { countries: readonly string[]; pii: { form: RedeemForm | null } };

type Parts = {
  code?: CartOrder | Problem;
  params?: Record<string, string>;
  order?: CartOrder;
  cards?: Card[];
  starts?: PaymentSession | Problem;
  status?: PurchaseState;
};

const start = ({
  params = {},
  order = orderOf(entry('1'), entry('2')),
  cards = [],
  starts = session,
  status,
  code,
}: Parts = {}) => {
  const paid: Order[] = [];
  const typed: unknown[] = [];
  const startPayment =
    'kind' in starts
      ? rejects<PaymentSession, Order>(starts)
      : requestPort<PaymentSession, Order>(async ({ input }) => {
          paid.push(input);
          return starts;
        });
  const machine = cartCheckoutMachine.provide({
    actors: {
      payment: paymentMachine.provide({
        actors: {
          startPayment,
          payByCard: answers<PurchaseState, Order>(state('authorized')),
          confirmPayment: answers<null, { transId: string; intentId: string }>(null),
          paymentStatus: answers<PurchaseState, Order>(status ?? state('authorized')),
        },
      }),
      cartOrder: answers<CartOrder, { countries: readonly string[] }>(order),
      applyCode:
        code === undefined || 'kind' in code
          ? rejects<CartOrder, Coded>(code ?? { kind: 'offline' })
          : requestPort<CartOrder, Coded>(async ({ input }) => {
              typed.push(input.pii.form?.code);
              return code;
            }),
      removeCode: answers<CartOrder, { countries: readonly string[] }>(order),
      keptCards: answers<Card[], undefined>(cards),
      forgetPending: safePort<null>(
        async () => null,
        () => null,
      ),
    },
  });
  const { actor, told } = underShop(machine, flowInput(params));
  const container = show(<CartCheckoutView actor={actor} />);
  return {
    container,
    told,
    paid,
    typed,
    isIn: (value: string) => waitFor(() => expect(stateOf(container, 'cartCheckout')).toBe(value)),
  };
};

test('says what is bought and the total; Pay leads to the payment page with these titles and this price', async () => {
  const { container, told, paid, isIn } = start({ order: orderOf(entry('1'), entry('2'), entry('3', { isOwned: true })) });
  await isIn('ready');
  expect([...container.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual(['Title 1$9.99', 'Title 2$9.99']);
  expect(screen.getByText('$19.98')).toBeDefined();
  expect(screen.getByText(/1 title in your cart is already in your library/)).toBeDefined();
  await userEvent.click(pressable(container, 'pay.pressed'));
  await waitFor(() => expect(told).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(paid).toMatchObject([{ titleIds: ['1', '2'], price: { amount: 19.98, currency: 'USD' }, key: 'k1', cardId: null }]);
  expect(stateOf(container, 'payment')).toBe('actionRequired');
});

test('a kept card pays at once, and the success page follows', async () => {
  const { container, told, isIn } = start({ cards: [visa] });
  await isIn('ready');
  expect(pressable(container, 'pay.pressed').textContent).toBe('Pay $19.98');
  await userEvent.click(screen.getByLabelText('Another card'));
  expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
  await userEvent.click(screen.getByLabelText(/Visa ending in 4242/));
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('succeeded');
  expect(told).toEqual([{ type: 'go', to: '/cart/purchase/success?transId=t1', replace: true }]);
});

test('a wallet pays where it is chosen, on the gateway’s page, and stays chosen when a code is taken off', async () => {
  const order = { ...orderOf(entry('1'), entry('2')), methods: ['wallet'] };
  const { container, told, paid, isIn } = start({ order, cards: [visa], code: cheaper });
  await isIn('ready');
  await userEvent.click(screen.getByLabelText('Digital wallet'));
  expect(screen.getByLabelText(/Visa ending in 4242/)).toHaveProperty('checked', false);
  const statuses = screen.getAllByRole('status');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  expect(statuses).toContain(await screen.findByText('Your code is taken off.'));
  expect(screen.getByLabelText('Digital wallet')).toHaveProperty('checked', true);
  expect(screen.getByText('You’ll pay on our payment provider’s secure page.')).toBeDefined();
  await userEvent.click(pressable(container, 'pay.pressed'));
  await waitFor(() => expect(told).toEqual([{ type: 'leave', url: 'https://pay.example/1' }]));
  expect(paid).toMatchObject([{ titleIds: ['1', '2'], method: 'wallet', cardId: null }]);
});

test('who comes back is confirmed, or told what has become of it', async () => {
  const { told, isIn } = start({ params: { transId: 't1' } });
  await isIn('succeeded');
  expect(told).toEqual([{ type: 'go', to: '/cart/purchase/success?transId=t1', replace: true }]);
});

test.each<[string, Parts, string, string]>([
  ['cancelled', { params: { transId: 't1' }, status: state('cancelled') }, 'cancelled', 'Purchase cancelled'],
  ['failed', { params: { transId: 't1' }, status: state('failed') }, 'failed', 'The payment didn’t go through'],
])('a payment that is %s says so, and can be begun anew', async (_what, parts, value, heading) => {
  const { container, told, isIn } = start(parts);
  await isIn(value);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  await userEvent.click(pressable(container, 'retry.pressed'));
  await isIn('ready');
  expect(told).toEqual([{ type: 'go', to: '/cart/checkout', replace: true }]);
});

test.each(['price_changed', 'already_owned'])('%s: the cart has changed, and nothing was charged', async (code) => {
  const { container, isIn } = start({ starts: { kind: 'refused', code, message: '' } });
  await isIn('ready');
  await userEvent.click(pressable(container, 'pay.pressed'));
  await isIn('changed');
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
  const nothing = start({ order: orderOf(entry('1', { isOwned: true })) });
  await nothing.isIn('empty');
  expect(screen.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/purchase');
  const { container, told, isIn } = start();
  await isIn('ready');
  await userEvent.click(pressable(container, 'cancel.pressed'));
  expect(told).toEqual([{ type: 'go', to: '/purchase', replace: false }]);
});

const half = { ...summary, prices: summary.prices.map((price) => ({ ...price, amount: 5 })) };
const cheaper = orderOf(entry('1', { title: { ...half, id: '1' }, usual: summary.prices }), entry('2'));

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
])('a code that is refused (%s) is told why, and the cart stays as it was', async (code, words) => {
  const { container, isIn } = start({ code: { kind: 'refused', code, message: '' } });
  await isIn('ready');
  await userEvent.click(pressable(container, 'code.submitted'));
  expect(screen.getByLabelText('Discount code (optional)').getAttribute('aria-invalid')).toBe('true');
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(words));
  expect(screen.getByText('$19.98')).toBeDefined();
});
