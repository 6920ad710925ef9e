import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { checkoutMachine, type Quote, type QuoteRequest } from '../../../machines/buying/checkout.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { CreditBalance } from '../../../machines/model/subscription.ts';
import type { FlowInput } from '../../../machines/flows/flow-input.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import type { PaymentSession } from '../../../machines/model/purchase.ts';
import { paymentMachine, type Order, type PurchaseState } from '../../../machines/buying/payment.ts';
import { CheckoutView } from '../../../src/flows/checkout/CheckoutView.tsx';
import { answers, flowInput, rejects, underShop, waits, type Port } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';
import { quote, title } from '../../support/views/titles.ts';

type World = {
  quote?: Port<Quote, QuoteRequest>;
  startPayment?: Port<PaymentSession, Order>;
  confirmPayment?: Port<null, { transId: string; intentId: string }>;
  paymentStatus?: Port<PurchaseState, Order>;
  keptCards?: Port<Card[], undefined>;
  creditBalance?: Port<CreditBalance, undefined>;
};

const start = (world: World, params: Record<string, string> = { titleid: '1001' }, more: Partial<FlowInput> = {}) => {
  const { startPayment = waits(), confirmPayment = waits(), paymentStatus = waits() } = world;
  const payment = paymentMachine.provide({ actors: { startPayment, confirmPayment, paymentStatus } });
  const machine = checkoutMachine.provide({
    actors: {
      payment,
      quote: world.quote ?? answers(quote()),
      keptCards: world.keptCards ?? answers<Card[], undefined>([]),
      creditBalance: world.creditBalance ?? waits(),
      forgetPending: safePort(
        () => new Promise<null>(() => undefined),
        () => null,
      ),
    },
  });
  const { actor, told } = underShop(machine, flowInput(params, more));
  return { told, container: show(<CheckoutView actor={actor} />) };
};

const session = { transId: 't-1', provider: 'test', url: 'https://gateway.example/pay/t-1' };
const stands = (status: PurchaseState['status'], more: Partial<PurchaseState> = {}): PurchaseState => ({
  transId: 't-1',
  titleId: '1001',
  status,
  intentId: null,
  url: null,
  reason: null,
  ...more,
});

const press = (container: HTMLElement, event: string) => userEvent.click(pressable(container, event));
const pay = async (container: HTMLElement) => {
  await waitFor(() => expect(stateOf(container, 'checkout')).toBe('ready'));
  await press(container, 'pay.pressed');
};
const heading = () => screen.getByRole('heading', { level: 1 }).textContent;

describe('before paying', () => {
  test('the price is on its way', () => {
    const { container } = start({ quote: waits() });
    expect(stateOf(container, 'checkout')).toBe('quoting');
    expect(screen.getByRole('status').textContent).toContain('Loading your purchase');
  });

  test('the summary says what is bought, for how much, and that it stays', async () => {
    const { container } = start({});
    await waitFor(() => expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment'));
    expect(screen.getByRole('heading', { name: 'The Ferry Ledger' })).toBeDefined();
    expect(screen.getByText('$9.99')).toBeDefined();
    expect(screen.getByText('Ines Marlow')).toBeDefined();
    expect(screen.getByText('Yours to keep in My Library')).toBeDefined();
    expect(screen.getByText('Summary').closest('li')?.getAttribute('aria-current')).toBe('step');
  });

  test('what a code takes off is said beside the price', async () => {
    const { container } = start({ quote: answers(quote({ price: { amount: 7.99, currency: 'USD', symbol: '$' } })) });
    await waitFor(() => expect(stateOf(container, 'checkout')).toBe('ready'));
    expect(screen.getByText('$7.99')).toBeDefined();
    expect(screen.getByText('With your code, instead of $9.99')).toBeDefined();
  });

  test('a free title is added without payment', async () => {
    const { container } = start({ quote: answers(quote({ title: { ...title, free: true }, price: null })) });
    await waitFor(() => expect(pressable(container, 'pay.pressed').textContent).toBe('Get it for free'));
    expect(screen.queryByText('Payment')).toBeNull();
  });

  describe('a title that is to be had for credits', () => {
    const inCredits = answers<Quote, QuoteRequest>({ ...quote(), credits: 2 });
    const has = (balance: number, accepted = true) =>
      answers<CreditBalance, undefined>({ balance, currency: 'Credits', accepted });
    const isReady = (container: HTMLElement) => waitFor(() => expect(stateOf(container, 'checkout')).toBe('ready'));

    test('costs nothing else when they are chosen: neither a price nor what a code takes off', async () => {
      const reduced = quote({ price: { amount: 7.99, currency: 'USD', symbol: '$' } });
      const { container } = start({ quote: answers({ ...reduced, credits: 2 }), creditBalance: has(3) });
      await isReady(container);
      expect(container.textContent).toContain('With your code');
      await userEvent.click(screen.getByRole('radio', { name: /2 Credits/ }));
      expect([container.textContent?.includes('With your code'), container.textContent?.includes('$7.99')]).toEqual([
        false,
        false,
      ]);
      expect(screen.getAllByText('2 Credits', { exact: true })[0]?.closest('p')).not.toBeNull();
    });

    test('is given for them when they are chosen, and says so before', async () => {
      const orders: Order[] = [];
      const startPayment = requestPort<PaymentSession, Order>(async ({ input }) => {
        orders.push(input);
        return { transId: 'i-1', provider: '', url: '' };
      });
      const { container, told } = start({ quote: inCredits, creditBalance: has(3), startPayment });
      await isReady(container);
      const choice = screen.getByRole('radio', { name: /2 Credits/ });
      expect(choice.closest('label')?.textContent).toBe('2 CreditsYou have 3 Credits. ');
      await userEvent.click(choice);
      expect(pressable(container, 'pay.pressed').textContent).toBe('Get it for 2 Credits');
      expect(container.textContent).toContain('We’ll take 2 Credits from your balance as soon as you press the button.');
      await press(container, 'pay.pressed');
      await waitFor(() => expect(told).toContainEqual(expect.objectContaining({ type: 'go' })));
      expect(orders).toMatchObject([{ credits: { amount: 2, currency: 'Credits' }, cardId: null }]);
    });

    test('whoever chooses a card again pays by card', async () => {
      const { container } = start({ quote: inCredits, creditBalance: has(2) });
      await isReady(container);
      await userEvent.click(screen.getByRole('radio', { name: /2 Credits/ }));
      await userEvent.click(screen.getByRole('radio', { name: 'Card' }));
      expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
    });

    test('too few cannot be chosen; more of them come with a subscription', async () => {
      const { container } = start({ quote: inCredits, creditBalance: has(1) });
      await isReady(container);
      expect(screen.getByRole('radio', { name: /2 Credits/ })).toHaveProperty('disabled', true);
      expect(screen.getByRole('link', { name: 'Get more with a subscription' }).getAttribute('href')).toBe('/subscription');
    });

    test.each([
      ['the shop takes none', has(3, false)],
      ['the customer has none', has(0)],
      ['nobody knows how many there are', rejects<CreditBalance, undefined>({ kind: 'offline' })],
    ])('is sold for money alone where %s', async (_, creditBalance) => {
      const { container } = start({ quote: inCredits, creditBalance });
      await isReady(container);
      expect(screen.queryByRole('radio')).toBeNull();
      expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
    });

    test('is not taken for money where the session ended in between: the customer chooses again', async () => {
      const { container } = start(
        { quote: inCredits, creditBalance: has(3) },
        { titleid: '1001' },
        { signedIn: true, resume: 'choose' },
      );
      await isReady(container);
      expect(screen.getByRole('radio', { name: /2 Credits/ })).toHaveProperty('checked', false);
    });
  });

  test('a visitor is told about sign-in and then asked to sign in', async () => {
    const { container, told } = start({}, { titleid: '1001' }, { signedIn: false });
    await waitFor(() => expect(screen.getByText(/asked to sign in first/)).toBeDefined());
    await press(container, 'pay.pressed');
    expect(told).toEqual([{ type: 'signIn.needed', action: 'pay-9.99-USD' }]);
  });

  test('a payment that was pressed before sign-in goes on for the price that was seen', async () => {
    const { container } = start({}, { titleid: '1001' }, { resume: 'pay-9.99-USD' });
    await waitFor(() => expect(stateOf(container, 'payment')).toBe('submitting'));
  });

  test.each(['pay-8.50-EUR', 'pay-9.98-USD', 'pay'])('and not for another: %s', async (resume) => {
    const { container } = start({}, { titleid: '1001' }, { resume });
    await waitFor(() => expect(heading()).toMatch(/price has changed/));
    await press(container, 'retry.pressed');
    await waitFor(() => expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment'));
  });

  test('cancelling charges nothing', async () => {
    const { container } = start({});
    await waitFor(() => expect(stateOf(container, 'checkout')).toBe('ready'));
    await press(container, 'cancel.pressed');
    expect(screen.getByText('You haven’t been charged.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Back to the title' }).getAttribute('href')).toBe('/id:1001/The-Ferry-Ledger');
  });

  test.each<[string, NonNullable<World['quote']>, RegExp]>([
    ['owned', answers(quote({ instanceId: 'i-1' })), /already own/],
    ['notForSale', answers(quote({ title: { ...title, forSale: false } })), /Not for sale/],
    ['notFound', rejects({ kind: 'refused', code: 'not_found', message: '' }), /couldn’t find that title/],
    ['unavailable', rejects({ kind: 'offline' }), /can’t start your purchase/],
  ])('%s has a screen of its own', async (state, quoted, words) => {
    const { container } = start({ quote: quoted });
    await waitFor(() => expect(stateOf(container, 'checkout')).toBe(state));
    expect(heading()).toMatch(words);
  });

  test('an owned title can be opened', async () => {
    const { container, told } = start({ quote: answers(quote({ instanceId: 'i-1' })) });
    await waitFor(() => pressable(container, 'read.pressed'));
    await press(container, 'read.pressed');
    expect(told).toEqual([{ type: 'go', to: '/viewer?instanceid=i-1', replace: false }]);
  });
});

describe('paying', () => {
  test('leaves for the payment page, and can continue, check and cancel on return', async () => {
    const { container, told } = start({ startPayment: answers(session), paymentStatus: waits() });
    await pay(container);
    await waitFor(() => expect(stateOf(container, 'payment')).toBe('actionRequired'));
    await press(container, 'continue.pressed');
    expect(told).toEqual([
      { type: 'action.begun', action: 'pay-9.99-USD' },
      { type: 'leave', url: session.url },
      { type: 'leave', url: session.url },
    ]);
    await press(container, 'status.pressed');
    expect(stateOf(container, 'payment')).toBe('reconciling');
    expect(heading()).toMatch(/Checking your payment/);
  });

  test('what the check has found is said', async () => {
    const paymentStatus = answers<PurchaseState, Order>(stands('pending', { url: session.url }));
    const { container } = start({ startPayment: answers(session), paymentStatus });
    await pay(container);
    await waitFor(() => pressable(container, 'status.pressed'));
    expect(screen.queryByText(/hasn’t arrived yet/)).toBeNull();
    await press(container, 'status.pressed');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/hasn’t arrived yet/));
  });

  test.each([{ kind: 'offline' }, { kind: 'timeout' }, { kind: 'http', status: 502, message: '' }] as const)(
    'a shop that cannot be reached ($kind) has charged nothing, and can be tried again or left',
    async (problem) => {
      const { container } = start({ startPayment: rejects(problem) });
      await pay(container);
      await waitFor(() => expect(heading()).toBe('The shop can’t be reached'));
      expect(screen.getByRole('alert').textContent).toContain('You haven’t been charged.');
      expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
      await press(container, 'retry.pressed');
      await waitFor(() => expect(stateOf(container, 'payment')).toBe('unreachable'));
      await press(container, 'cancel.pressed');
      await waitFor(() => expect(stateOf(container, 'checkout')).toBe('cancelled'));
    },
  );

  test('an unknown outcome is explained and can be checked', async () => {
    const paymentStatus = answers<PurchaseState, Order>(stands('authorized', { intentId: 'pi-1' }));
    const { container } = start({ confirmPayment: rejects({ kind: 'timeout' }), paymentStatus }, { transId: 't-1' });
    await waitFor(() => expect(heading()).toBe('We don’t know yet whether your payment went through'));
    expect(screen.getByText(/You won’t be charged twice/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
    expect(screen.queryByText(/checked again/)).toBeNull();
    await press(container, 'status.pressed');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/checked again/));
  });

  test('the way back from the gateway confirms', async () => {
    const { container } = start({ paymentStatus: answers(stands('authorized', { intentId: 'pi-1' })) }, { transId: 't-1' });
    await waitFor(() => expect(stateOf(container, 'payment')).toBe('confirming'));
    expect(heading()).toMatch(/Confirming/);
  });

  test('a declined card says why and can be tried again', async () => {
    const { container } = start(
      { paymentStatus: answers(stands('failed', { reason: 'insufficient_funds' })) },
      { transId: 't-1' },
    );
    await waitFor(() => expect(stateOf(container, 'checkout')).toBe('failed'));
    expect(screen.getByRole('alert').textContent).toContain('insufficient funds');
    expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
    await press(container, 'retry.pressed');
    await waitFor(() => expect(stateOf(container, 'checkout')).toBe('ready'));
  });

  test('a changed price has its own message', async () => {
    const { container } = start({ startPayment: rejects({ kind: 'refused', code: 'price_changed', message: '' }) });
    await pay(container);
    await waitFor(() => expect(stateOf(container, 'checkout')).toBe('priceChanged'));
    expect(container.textContent).toMatch(/price has changed/);
    expect(screen.queryByRole('button', { name: 'Save a record of this visit' })).toBeNull();
  });

  test('a customer whose session has ended is charged nothing, and an unfinished purchase is kept', async () => {
    const { container } = start({ startPayment: rejects({ kind: 'unauthorized' }) });
    await pay(container);
    await waitFor(() => expect(stateOf(container, 'payment')).toBe('unknown'));
  });

  test.each([
    ['cart', '/cart/purchase/success?transId=t-1'],
    ['gift', '/title/purchase/success?transId=t-1&isgift=true'],
    ['cartGift', '/cart/purchase/success?transId=t-1&isgift=true'],
  ] as const)('a customer who returns from paying for a %s sees its receipt [S2./checkout/complete]', async (paidFor, to) => {
    const { container, told } = start({ paymentStatus: answers({ ...stands('paid'), paidFor }) }, { transId: 't-1' });
    await waitFor(() => expect(stateOf(container, 'checkout')).toBe('succeeded'));
    expect(told.at(-1)).toEqual({ type: 'go', to, replace: true });
  });

  test('a paid title leads to its receipt', async () => {
    const { container, told } = start({ paymentStatus: answers(stands('paid')) }, { transId: 't-1' });
    await waitFor(() => expect(stateOf(container, 'checkout')).toBe('succeeded'));
    expect(container.textContent).toContain('Thank you');
    expect(told).toEqual([
      { type: 'action.begun', action: 'pay' },
      { type: 'action.ended' },
      { type: 'go', to: '/title/purchase/success?transId=t-1', replace: true },
    ]);
  });
});
