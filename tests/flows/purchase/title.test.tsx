import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { titleSummary } from '../../../machines/path-models/path-model.ts';
import { makeFreeOffer, makeTitleOffer } from '../../support/purchase.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { readHeading, session, createPurchaseState, start, type PurchaseSetup } from './purchase-view.tsx';

const reducedOffer = makeTitleOffer({ price: { amount: 7.99, currency: 'USD', symbol: '$' }, isReduced: true });

const press = (container: HTMLElement, event: string) => userEvent.click(findPressable(container, event));
const pressPayWhenReady = async ({ container, waitForState }: ReturnType<typeof start>) => {
  await waitForState('ready');
  await press(container, 'pay.pressed');
};

describe('before paying', () => {
  test('a purchase whose price is loading says so', () => {
    const { container } = start({ offer: 'waits' });
    expect(readState(container, 'purchase')).toBe('quoting');
    expect(screen.getByRole('status').textContent).toContain('Loading your purchase');
  });

  test('the summary shows the title, its price, and that the purchase is permanent', async () => {
    const { container } = start({});
    await waitFor(() => expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment'));
    expect(screen.getByRole('heading', { name: 'The Keeper’s Third Log' })).toBeDefined();
    expect(screen.getByText('$9.99')).toBeDefined();
    expect(screen.getByText('Ines Aldous')).toBeDefined();
    expect(screen.getByText('Yours to keep in My Library')).toBeDefined();
    expect(screen.getByText('Summary').closest('li')?.getAttribute('aria-current')).toBe('step');
  });

  test('the discount of a code is beside the price', async () => {
    const { container } = start({ offer: reducedOffer });
    await waitFor(() => expect(readState(container, 'purchase')).toBe('ready'));
    expect(screen.getByText('$7.99')).toBeDefined();
    expect(screen.getByText('With your code, instead of $9.99')).toBeDefined();
  });

  test('a free title is added without payment', async () => {
    const { container } = start({ offer: makeFreeOffer() });
    await waitFor(() => expect(findPressable(container, 'pay.pressed').textContent).toBe('Get it for free'));
    expect(screen.queryByText('Payment')).toBeNull();
  });

  describe('a title that the store sells for credits', () => {
    const offer = makeTitleOffer({ credits: 2 });
    const createBalance = (balance: number, accepted = true): CreditBalance => ({ balance, currency: 'Credits', accepted });

    test('a title for which credits are chosen shows neither a price nor a discount', async () => {
      const { container, waitForState } = start({ offer: { ...reducedOffer, credits: 2 }, balance: createBalance(3) });
      await waitForState('ready');
      expect(container.textContent).toContain('With your code');
      await userEvent.click(screen.getByRole('radio', { name: /2 Credits/ }));
      expect([container.textContent?.includes('With your code'), container.textContent?.includes('$7.99')]).toEqual([
        false,
        false,
      ]);
      expect(screen.getAllByText('2 Credits', { exact: true })[0]?.closest('p')).not.toBeNull();
    });

    test('a title is bought with credits when they are chosen, and the page says so before', async () => {
      const paymentStart = { transId: 'i-1', provider: '', url: '' };
      const { container, receivedEvents, orders, waitForState } = start({ offer, balance: createBalance(3), paymentStart });
      await waitForState('ready');
      const choice = screen.getByRole('radio', { name: /2 Credits/ });
      expect(choice.closest('label')?.textContent).toBe('2 CreditsYou have 3 Credits. ');
      await userEvent.click(choice);
      expect(findPressable(container, 'pay.pressed').textContent).toBe('Get it for 2 Credits');
      expect(container.textContent).toContain('We’ll take 2 Credits from your balance as soon as you press the button.');
      await press(container, 'pay.pressed');
      await waitFor(() => expect(receivedEvents).toContainEqual(expect.objectContaining({ type: 'go' })));
      expect(orders).toMatchObject([{ credits: { amount: 2, currency: 'Credits' }, cardId: null }]);
    });

    test('a customer who chooses a card again pays by card', async () => {
      const { container, waitForState } = start({ offer, balance: createBalance(2) });
      await waitForState('ready');
      await userEvent.click(screen.getByRole('radio', { name: /2 Credits/ }));
      await userEvent.click(screen.getByRole('radio', { name: 'Card' }));
      expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
    });

    test('too few credits cannot be chosen, and a link leads to the subscriptions that give more', async () => {
      const { waitForState } = start({ offer, balance: createBalance(1) });
      await waitForState('ready');
      expect(screen.getByRole('radio', { name: /2 Credits/ })).toHaveProperty('disabled', true);
      expect(screen.getByRole('link', { name: 'Get more with a subscription' }).getAttribute('href')).toBe('/subscription');
    });

    test.each([
      ['the shop takes none', createBalance(3, false)],
      ['the customer has none', createBalance(0)],
      ['the balance is unknown', { kind: 'offline' } as const],
    ])('a title is sold for money only where %s', async (_, balance) => {
      const { container, waitForState } = start({ offer, balance });
      await waitForState('ready');
      expect(screen.queryByRole('radio')).toBeNull();
      expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
    });

    test('a customer who signs in before a payment chooses the payment method again', async () => {
      const { waitForState } = start({ offer, balance: createBalance(3), flowInput: { resume: 'choose' } });
      await waitForState('ready');
      expect(screen.getByRole('radio', { name: /2 Credits/ })).toHaveProperty('checked', false);
    });
  });

  test('a visitor reads about sign-in and is then asked to sign in', async () => {
    const { container, receivedEvents } = start({ flowInput: { signedIn: false } });
    await waitFor(() => expect(screen.getByText(/asked to sign in first/)).toBeDefined());
    await press(container, 'pay.pressed');
    expect(receivedEvents).toEqual([{ type: 'signIn.needed', action: 'pay-9.99-USD' }]);
  });

  test('a payment pressed before sign-in resumes at the displayed price', async () => {
    const { container } = start({ paymentStart: 'waits', flowInput: { resume: 'pay-9.99-USD' } });
    await waitFor(() => expect(readState(container, 'payment')).toBe('submitting'));
  });

  test.each(['pay-8.50-EUR', 'pay-9.98-USD', 'pay'])(
    'a payment pressed before sign-in does not resume at another price: %s',
    async (resume) => {
      const { container } = start({ flowInput: { resume } });
      await waitFor(() => expect(readHeading()).toMatch(/price has changed/));
      await press(container, 'retry.pressed');
      await waitFor(() => expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment'));
    },
  );

  test('the summary links back to the title', async () => {
    const { waitForState } = start();
    await waitForState('ready');
    expect(screen.getByRole('link', { name: 'Back to the title' }).getAttribute('href')).toBe(
      '/id:1001/The-Keeper%E2%80%99s-Third-Log',
    );
  });

  test.each<[string, NonNullable<PurchaseSetup['offer']>, RegExp]>([
    ['owned', makeTitleOffer({ instanceId: 'i-1' }), /already own/],
    ['notForSale', makeTitleOffer({ title: { ...titleSummary, forSale: false } }), /Not for sale/],
    ['notFound', { kind: 'refused', code: 'not_found', message: '' }, /couldn’t find that title/],
    ['unavailable', { kind: 'offline' }, /can’t start your purchase/],
  ])('a purchase in the state “%s” has its own heading', async (state, offer, expectedHeading) => {
    const { waitForState } = start({ offer });
    await waitForState(state);
    expect(readHeading()).toMatch(expectedHeading);
  });

  test('an owned title can be opened', async () => {
    const { container, receivedEvents } = start({ offer: makeTitleOffer({ instanceId: 'i-1' }) });
    await waitFor(() => findPressable(container, 'read.pressed'));
    await press(container, 'read.pressed');
    expect(receivedEvents).toEqual([{ type: 'go', to: '/viewer?instanceid=i-1', replace: false }]);
  });
});

describe('paying', () => {
  test('paying leads to the payment page, which can be opened again, and the status can be checked', async () => {
    const purchase = start({ status: 'waits' });
    const { container, receivedEvents } = purchase;
    await pressPayWhenReady(purchase);
    await waitFor(() => expect(readState(container, 'payment')).toBe('actionRequired'));
    await press(container, 'continue.pressed');
    expect(receivedEvents).toEqual([
      { type: 'action.started', action: 'pay-9.99-USD' },
      { type: 'leave', url: session.url },
      { type: 'leave', url: session.url },
    ]);
    await press(container, 'status.pressed');
    expect(readState(container, 'payment')).toBe('reconciling');
    expect(readHeading()).toMatch(/Checking your payment/);
  });

  test('the result of checking a payment is shown', async () => {
    const purchase = start({ status: createPurchaseState('pending') });
    const { container } = purchase;
    await pressPayWhenReady(purchase);
    await waitFor(() => findPressable(container, 'status.pressed'));
    expect(screen.queryByText(/hasn’t arrived yet/)).toBeNull();
    await press(container, 'status.pressed');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/hasn’t arrived yet/));
  });

  test.each([{ kind: 'offline' }, { kind: 'timeout' }, { kind: 'http', status: 502, message: '' }] as const)(
    'an unreachable shop ($kind) has charged nothing, and can be retried or left',
    async (problem) => {
      const purchase = start({ paymentStart: problem });
      const { container } = purchase;
      await pressPayWhenReady(purchase);
      await waitFor(() => expect(readHeading()).toBe('The shop can’t be reached'));
      expect(screen.getByRole('alert').textContent).toContain('You haven’t been charged.');
      expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
      await press(container, 'retry.pressed');
      await waitFor(() => expect(readState(container, 'payment')).toBe('unreachable'));
      await press(container, 'cancel.pressed');
      await waitFor(() => expect(readState(container, 'purchase')).toBe('cancelled'));
    },
  );

  test('an unknown outcome is explained and can be checked', async () => {
    const { container } = start({ confirmation: { kind: 'timeout' }, params: { transId: 't1' } });
    await waitFor(() => expect(readHeading()).toBe('We don’t know yet whether your payment went through'));
    expect(screen.getByText(/You won’t be charged twice/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
    expect(screen.queryByText(/checked again/)).toBeNull();
    await press(container, 'status.pressed');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/checked again/));
  });

  test('the return from the gateway confirms the payment', async () => {
    const { container } = start({ confirmation: 'waits', params: { transId: 't1' } });
    await waitFor(() => expect(readState(container, 'payment')).toBe('confirming'));
    expect(readHeading()).toMatch(/Confirming/);
  });

  test('a declined card shows the reason and can be retried', async () => {
    const { container } = start({
      status: createPurchaseState('failed', { titleId: '1001', reason: 'insufficient_funds' }),
      params: { transId: 't1' },
    });
    await waitFor(() => expect(readState(container, 'purchase')).toBe('failed'));
    expect(screen.getByRole('alert').textContent).toContain('insufficient funds');
    expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
    await press(container, 'retry.pressed');
    await waitFor(() => expect(readState(container, 'purchase')).toBe('ready'));
  });

  test('a payment refused for a changed price says so, and offers no record of the visit', async () => {
    const purchase = start({ paymentStart: { kind: 'refused', code: 'price_changed', message: '' } });
    const { container } = purchase;
    await pressPayWhenReady(purchase);
    await waitFor(() => expect(readState(container, 'purchase')).toBe('priceChanged'));
    expect(container.textContent).toMatch(/price has changed/);
    expect(screen.queryByRole('button', { name: 'Save a record of this visit' })).toBeNull();
  });

  test('a payment started in an ended session has an unknown outcome', async () => {
    const purchase = start({ paymentStart: { kind: 'unauthorized' } });
    const { container } = purchase;
    await pressPayWhenReady(purchase);
    await waitFor(() => expect(readState(container, 'payment')).toBe('unknown'));
  });

  test.each([
    ['cart', '/cart/purchase/success?transId=t1'],
    ['gift', '/title/purchase/success?transId=t1&isgift=true'],
    ['cartGift', '/cart/purchase/success?transId=t1&isgift=true'],
  ] as const)('a customer who returns from paying for a %s sees its receipt [S2./checkout/complete]', async (paidFor, to) => {
    const { container, receivedEvents } = start({ status: createPurchaseState('paid', { paidFor }), params: { transId: 't1' } });
    await waitFor(() => expect(readState(container, 'purchase')).toBe('succeeded'));
    expect(receivedEvents.at(-1)).toEqual({ type: 'go', to, replace: true });
  });

  test('a paid title leads to its receipt', async () => {
    const { container, receivedEvents } = start({ status: createPurchaseState('paid'), params: { transId: 't1' } });
    await waitFor(() => expect(readState(container, 'purchase')).toBe('succeeded'));
    expect(container.textContent).toContain('Thank you');
    expect(receivedEvents).toEqual([
      { type: 'action.started', action: 'pay' },
      { type: 'action.ended' },
      { type: 'go', to: '/title/purchase/success?transId=t1', replace: true },
    ]);
  });
});
