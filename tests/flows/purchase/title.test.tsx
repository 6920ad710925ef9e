import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { summary } from '../../../machines/path-models/path-model.ts';
import { freeOffer, titleOffer } from '../../support/purchase.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { readHeading, session, stateWith, start, type Parts } from './purchase-view.tsx';

const reducedOffer = titleOffer({ price: { amount: 7.99, currency: 'USD', symbol: '$' }, isReduced: true });

const press = (container: HTMLElement, event: string) => userEvent.click(findPressable(container, event));
const payAndReturn = async ({ container, isIn }: ReturnType<typeof start>) => {
  await isIn('ready');
  await press(container, 'pay.pressed');
};

describe('before paying', () => {
  test('the price is loading', () => {
    const { container } = start({ offer: 'waits' });
    expect(readState(container, 'purchase')).toBe('quoting');
    expect(screen.getByRole('status').textContent).toContain('Loading your purchase');
  });

  test('the summary shows the title, its price, and that it is permanent', async () => {
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
    const { container } = start({ offer: freeOffer() });
    await waitFor(() => expect(findPressable(container, 'pay.pressed').textContent).toBe('Get it for free'));
    expect(screen.queryByText('Payment')).toBeNull();
  });

  describe('a title that the store sells for credits', () => {
    const offer = titleOffer({ credits: 2 });
    const has = (balance: number, accepted = true): CreditBalance => ({ balance, currency: 'Credits', accepted });

    test('costs only credits when they are chosen: neither a price nor a discount is shown', async () => {
      const { container, isIn } = start({ offer: { ...reducedOffer, credits: 2 }, balance: has(3) });
      await isIn('ready');
      expect(container.textContent).toContain('With your code');
      await userEvent.click(screen.getByRole('radio', { name: /2 Credits/ }));
      expect([container.textContent?.includes('With your code'), container.textContent?.includes('$7.99')]).toEqual([
        false,
        false,
      ]);
      expect(screen.getAllByText('2 Credits', { exact: true })[0]?.closest('p')).not.toBeNull();
    });

    test('is bought with credits when they are chosen, and says so before', async () => {
      const starts = { transId: 'i-1', provider: '', url: '' };
      const { container, told, paid, isIn } = start({ offer, balance: has(3), starts });
      await isIn('ready');
      const choice = screen.getByRole('radio', { name: /2 Credits/ });
      expect(choice.closest('label')?.textContent).toBe('2 CreditsYou have 3 Credits. ');
      await userEvent.click(choice);
      expect(findPressable(container, 'pay.pressed').textContent).toBe('Get it for 2 Credits');
      expect(container.textContent).toContain('We’ll take 2 Credits from your balance as soon as you press the button.');
      await press(container, 'pay.pressed');
      await waitFor(() => expect(told).toContainEqual(expect.objectContaining({ type: 'go' })));
      expect(paid).toMatchObject([{ credits: { amount: 2, currency: 'Credits' }, cardId: null }]);
    });

    test('a customer who chooses a card again pays by card', async () => {
      const { container, isIn } = start({ offer, balance: has(2) });
      await isIn('ready');
      await userEvent.click(screen.getByRole('radio', { name: /2 Credits/ }));
      await userEvent.click(screen.getByRole('radio', { name: 'Card' }));
      expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
    });

    test('too few cannot be chosen; a link shows that a subscription gives more', async () => {
      const { isIn } = start({ offer, balance: has(1) });
      await isIn('ready');
      expect(screen.getByRole('radio', { name: /2 Credits/ })).toHaveProperty('disabled', true);
      expect(screen.getByRole('link', { name: 'Get more with a subscription' }).getAttribute('href')).toBe('/subscription');
    });

    test.each([
      ['the shop takes none', has(3, false)],
      ['the customer has none', has(0)],
      ['the balance is unknown', { kind: 'offline' } as const],
    ])('is sold for money only where %s', async (_, balance) => {
      const { container, isIn } = start({ offer, balance });
      await isIn('ready');
      expect(screen.queryByRole('radio')).toBeNull();
      expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
    });

    test('is not charged to a card when the session ended in between: the customer chooses again', async () => {
      const { isIn } = start({ offer, balance: has(3), more: { resume: 'choose' } });
      await isIn('ready');
      expect(screen.getByRole('radio', { name: /2 Credits/ })).toHaveProperty('checked', false);
    });
  });

  test('a visitor reads about sign-in and is then asked to sign in', async () => {
    const { container, told } = start({ more: { signedIn: false } });
    await waitFor(() => expect(screen.getByText(/asked to sign in first/)).toBeDefined());
    await press(container, 'pay.pressed');
    expect(told).toEqual([{ type: 'signIn.needed', action: 'pay-9.99-USD' }]);
  });

  test('a payment pressed before sign-in resumes at the displayed price', async () => {
    const { container } = start({ starts: 'waits', more: { resume: 'pay-9.99-USD' } });
    await waitFor(() => expect(readState(container, 'payment')).toBe('submitting'));
  });

  test.each(['pay-8.50-EUR', 'pay-9.98-USD', 'pay'])('and not for another: %s', async (resume) => {
    const { container } = start({ more: { resume } });
    await waitFor(() => expect(readHeading()).toMatch(/price has changed/));
    await press(container, 'retry.pressed');
    await waitFor(() => expect(findPressable(container, 'pay.pressed').textContent).toBe('Continue to payment'));
  });

  test('the summary links back to the title', async () => {
    const { isIn } = start();
    await isIn('ready');
    expect(screen.getByRole('link', { name: 'Back to the title' }).getAttribute('href')).toBe(
      '/id:1001/The-Keeper%E2%80%99s-Third-Log',
    );
  });

  test.each<[string, NonNullable<Parts['offer']>, RegExp]>([
    ['owned', titleOffer({ instanceId: 'i-1' }), /already own/],
    ['notForSale', titleOffer({ title: { ...summary, forSale: false } }), /Not for sale/],
    ['notFound', { kind: 'refused', code: 'not_found', message: '' }, /couldn’t find that title/],
    ['unavailable', { kind: 'offline' }, /can’t start your purchase/],
  ])('%s has a screen of its own', async (state, offer, words) => {
    const { isIn } = start({ offer });
    await isIn(state);
    expect(readHeading()).toMatch(words);
  });

  test('an owned title can be opened', async () => {
    const { container, told } = start({ offer: titleOffer({ instanceId: 'i-1' }) });
    await waitFor(() => findPressable(container, 'read.pressed'));
    await press(container, 'read.pressed');
    expect(told).toEqual([{ type: 'go', to: '/viewer?instanceid=i-1', replace: false }]);
  });
});

describe('paying', () => {
  test('leaves for the payment page, and can continue, check and cancel on return', async () => {
    const shown = start({ status: 'waits' });
    const { container, told } = shown;
    await payAndReturn(shown);
    await waitFor(() => expect(readState(container, 'payment')).toBe('actionRequired'));
    await press(container, 'continue.pressed');
    expect(told).toEqual([
      { type: 'action.begun', action: 'pay-9.99-USD' },
      { type: 'leave', url: session.url },
      { type: 'leave', url: session.url },
    ]);
    await press(container, 'status.pressed');
    expect(readState(container, 'payment')).toBe('reconciling');
    expect(readHeading()).toMatch(/Checking your payment/);
  });

  test('the result of the check is shown', async () => {
    const shown = start({ status: stateWith('pending') });
    const { container } = shown;
    await payAndReturn(shown);
    await waitFor(() => findPressable(container, 'status.pressed'));
    expect(screen.queryByText(/hasn’t arrived yet/)).toBeNull();
    await press(container, 'status.pressed');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/hasn’t arrived yet/));
  });

  test.each([{ kind: 'offline' }, { kind: 'timeout' }, { kind: 'http', status: 502, message: '' }] as const)(
    'an unreachable shop ($kind) has charged nothing, and can be retried or left',
    async (problem) => {
      const shown = start({ starts: problem });
      const { container } = shown;
      await payAndReturn(shown);
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
    const { container } = start({ confirms: { kind: 'timeout' }, params: { transId: 't1' } });
    await waitFor(() => expect(readHeading()).toBe('We don’t know yet whether your payment went through'));
    expect(screen.getByText(/You won’t be charged twice/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
    expect(screen.queryByText(/checked again/)).toBeNull();
    await press(container, 'status.pressed');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/checked again/));
  });

  test('the return from the gateway confirms', async () => {
    const { container } = start({ confirms: 'waits', params: { transId: 't1' } });
    await waitFor(() => expect(readState(container, 'payment')).toBe('confirming'));
    expect(readHeading()).toMatch(/Confirming/);
  });

  test('a declined card shows the reason and can be retried', async () => {
    const { container } = start({
      status: stateWith('failed', { titleId: '1001', reason: 'insufficient_funds' }),
      params: { transId: 't1' },
    });
    await waitFor(() => expect(readState(container, 'purchase')).toBe('failed'));
    expect(screen.getByRole('alert').textContent).toContain('insufficient funds');
    expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
    await press(container, 'retry.pressed');
    await waitFor(() => expect(readState(container, 'purchase')).toBe('ready'));
  });

  test('a changed price has its own message', async () => {
    const shown = start({ starts: { kind: 'refused', code: 'price_changed', message: '' } });
    const { container } = shown;
    await payAndReturn(shown);
    await waitFor(() => expect(readState(container, 'purchase')).toBe('priceChanged'));
    expect(container.textContent).toMatch(/price has changed/);
    expect(screen.queryByRole('button', { name: 'Save a record of this visit' })).toBeNull();
  });

  test('a customer whose session has ended is charged nothing, and the unfinished purchase is kept', async () => {
    const shown = start({ starts: { kind: 'unauthorized' } });
    const { container } = shown;
    await payAndReturn(shown);
    await waitFor(() => expect(readState(container, 'payment')).toBe('unknown'));
  });

  test.each([
    ['cart', '/cart/purchase/success?transId=t1'],
    ['gift', '/title/purchase/success?transId=t1&isgift=true'],
    ['cartGift', '/cart/purchase/success?transId=t1&isgift=true'],
  ] as const)('a customer who returns from paying for a %s sees its receipt [S2./checkout/complete]', async (paidFor, to) => {
    const { container, told } = start({ status: stateWith('paid', { paidFor }), params: { transId: 't1' } });
    await waitFor(() => expect(readState(container, 'purchase')).toBe('succeeded'));
    expect(told.at(-1)).toEqual({ type: 'go', to, replace: true });
  });

  test('a paid title links to its receipt', async () => {
    const { container, told } = start({ status: stateWith('paid'), params: { transId: 't1' } });
    await waitFor(() => expect(readState(container, 'purchase')).toBe('succeeded'));
    expect(container.textContent).toContain('Thank you');
    expect(told).toEqual([
      { type: 'action.begun', action: 'pay' },
      { type: 'action.ended' },
      { type: 'go', to: '/title/purchase/success?transId=t1', replace: true },
    ]);
  });
});
