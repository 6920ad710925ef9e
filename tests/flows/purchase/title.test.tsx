import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { summary } from '../../../machines/path-models/path-model.ts';
import { freeOffer, titleOffer } from '../../support/purchase.ts';
import { pressable, stateOf } from '../../support/views/show.tsx';
import { heading, session, stands, start, type Parts } from './purchase-view.tsx';

const reduced = titleOffer({ price: { amount: 7.99, currency: 'USD', symbol: '$' }, isReduced: true });

const press = (container: HTMLElement, event: string) => userEvent.click(pressable(container, event));
const pay = async ({ container, isIn }: ReturnType<typeof start>) => {
  await isIn('ready');
  await press(container, 'pay.pressed');
};

describe('before paying', () => {
  test('the price is on its way', () => {
    const { container } = start({ offer: 'waits' });
    expect(stateOf(container, 'purchase')).toBe('quoting');
    expect(screen.getByRole('status').textContent).toContain('Loading your purchase');
  });

  test('the summary says what is bought, for how much, and that it stays', async () => {
    const { container } = start({});
    await waitFor(() => expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment'));
    expect(screen.getByRole('heading', { name: 'The Keeper’s Third Log' })).toBeDefined();
    expect(screen.getByText('$9.99')).toBeDefined();
    expect(screen.getByText('Ines Aldous')).toBeDefined();
    expect(screen.getByText('Yours to keep in My Library')).toBeDefined();
    expect(screen.getByText('Summary').closest('li')?.getAttribute('aria-current')).toBe('step');
  });

  test('the discount of a code is beside the price', async () => {
    const { container } = start({ offer: reduced });
    await waitFor(() => expect(stateOf(container, 'purchase')).toBe('ready'));
    expect(screen.getByText('$7.99')).toBeDefined();
    expect(screen.getByText('With your code, instead of $9.99')).toBeDefined();
  });

  test('a free title is added without payment', async () => {
    const { container } = start({ offer: freeOffer() });
    await waitFor(() => expect(pressable(container, 'pay.pressed').textContent).toBe('Get it for free'));
    expect(screen.queryByText('Payment')).toBeNull();
  });

  describe('a title that the store sells for credits', () => {
    const offer = titleOffer({ credits: 2 });
    const has = (balance: number, accepted = true): CreditBalance => ({ balance, currency: 'Credits', accepted });

    test('costs nothing else when they are chosen: neither a price nor what a code takes off', async () => {
      const { container, isIn } = start({ offer: { ...reduced, credits: 2 }, balance: has(3) });
      await isIn('ready');
      expect(container.textContent).toContain('With your code');
      await userEvent.click(screen.getByRole('radio', { name: /2 Credits/ }));
      expect([container.textContent?.includes('With your code'), container.textContent?.includes('$7.99')]).toEqual([
        false,
        false,
      ]);
      expect(screen.getAllByText('2 Credits', { exact: true })[0]?.closest('p')).not.toBeNull();
    });

    test('is given for them when they are chosen, and says so before', async () => {
      const starts = { transId: 'i-1', provider: '', url: '' };
      const { container, told, paid, isIn } = start({ offer, balance: has(3), starts });
      await isIn('ready');
      const choice = screen.getByRole('radio', { name: /2 Credits/ });
      expect(choice.closest('label')?.textContent).toBe('2 CreditsYou have 3 Credits. ');
      await userEvent.click(choice);
      expect(pressable(container, 'pay.pressed').textContent).toBe('Get it for 2 Credits');
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
      expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
    });

    test('too few cannot be chosen; more of them come with a subscription', async () => {
      const { isIn } = start({ offer, balance: has(1) });
      await isIn('ready');
      expect(screen.getByRole('radio', { name: /2 Credits/ })).toHaveProperty('disabled', true);
      expect(screen.getByRole('link', { name: 'Get more with a subscription' }).getAttribute('href')).toBe('/subscription');
    });

    test.each([
      ['the shop takes none', has(3, false)],
      ['the customer has none', has(0)],
      ['the balance is unknown', { kind: 'offline' } as const],
    ])('is sold for money alone where %s', async (_, balance) => {
      const { container, isIn } = start({ offer, balance });
      await isIn('ready');
      expect(screen.queryByRole('radio')).toBeNull();
      expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment');
    });

    test('is not taken for money where the session ended in between: the customer chooses again', async () => {
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

  test('a payment that was pressed before sign-in resumes for the price that was seen', async () => {
    const { container } = start({ starts: 'waits', more: { resume: 'pay-9.99-USD' } });
    await waitFor(() => expect(stateOf(container, 'payment')).toBe('submitting'));
  });

  test.each(['pay-8.50-EUR', 'pay-9.98-USD', 'pay'])('and not for another: %s', async (resume) => {
    const { container } = start({ more: { resume } });
    await waitFor(() => expect(heading()).toMatch(/price has changed/));
    await press(container, 'retry.pressed');
    await waitFor(() => expect(pressable(container, 'pay.pressed').textContent).toBe('Continue to payment'));
  });

  test('the summary leads back to the title', async () => {
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
    expect(heading()).toMatch(words);
  });

  test('an owned title can be opened', async () => {
    const { container, told } = start({ offer: titleOffer({ instanceId: 'i-1' }) });
    await waitFor(() => pressable(container, 'read.pressed'));
    await press(container, 'read.pressed');
    expect(told).toEqual([{ type: 'go', to: '/viewer?instanceid=i-1', replace: false }]);
  });
});

describe('paying', () => {
  test('leaves for the payment page, and can continue, check and cancel on return', async () => {
    const shown = start({ status: 'waits' });
    const { container, told } = shown;
    await pay(shown);
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

  test('the result of the check is shown', async () => {
    const shown = start({ status: stands('pending') });
    const { container } = shown;
    await pay(shown);
    await waitFor(() => pressable(container, 'status.pressed'));
    expect(screen.queryByText(/hasn’t arrived yet/)).toBeNull();
    await press(container, 'status.pressed');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/hasn’t arrived yet/));
  });

  test.each([{ kind: 'offline' }, { kind: 'timeout' }, { kind: 'http', status: 502, message: '' }] as const)(
    'a shop that cannot be reached ($kind) has charged nothing, and can be tried again or left',
    async (problem) => {
      const shown = start({ starts: problem });
      const { container } = shown;
      await pay(shown);
      await waitFor(() => expect(heading()).toBe('The shop can’t be reached'));
      expect(screen.getByRole('alert').textContent).toContain('You haven’t been charged.');
      expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
      await press(container, 'retry.pressed');
      await waitFor(() => expect(stateOf(container, 'payment')).toBe('unreachable'));
      await press(container, 'cancel.pressed');
      await waitFor(() => expect(stateOf(container, 'purchase')).toBe('cancelled'));
    },
  );

  test('an unknown outcome is explained and can be checked', async () => {
    const { container } = start({ confirms: { kind: 'timeout' }, params: { transId: 't1' } });
    await waitFor(() => expect(heading()).toBe('We don’t know yet whether your payment went through'));
    expect(screen.getByText(/You won’t be charged twice/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
    expect(screen.queryByText(/checked again/)).toBeNull();
    await press(container, 'status.pressed');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/checked again/));
  });

  test('the way back from the gateway confirms', async () => {
    const { container } = start({ confirms: 'waits', params: { transId: 't1' } });
    await waitFor(() => expect(stateOf(container, 'payment')).toBe('confirming'));
    expect(heading()).toMatch(/Confirming/);
  });

  test('a declined card says why and can be tried again', async () => {
    const { container } = start({
      status: stands('failed', { titleId: '1001', reason: 'insufficient_funds' }),
      params: { transId: 't1' },
    });
    await waitFor(() => expect(stateOf(container, 'purchase')).toBe('failed'));
    expect(screen.getByRole('alert').textContent).toContain('insufficient funds');
    expect(screen.getByRole('button', { name: 'Save a record of this visit' })).toBeDefined();
    await press(container, 'retry.pressed');
    await waitFor(() => expect(stateOf(container, 'purchase')).toBe('ready'));
  });

  test('a changed price has its own message', async () => {
    const shown = start({ starts: { kind: 'refused', code: 'price_changed', message: '' } });
    const { container } = shown;
    await pay(shown);
    await waitFor(() => expect(stateOf(container, 'purchase')).toBe('priceChanged'));
    expect(container.textContent).toMatch(/price has changed/);
    expect(screen.queryByRole('button', { name: 'Save a record of this visit' })).toBeNull();
  });

  test('a customer whose session has ended is charged nothing, and an unfinished purchase is kept', async () => {
    const shown = start({ starts: { kind: 'unauthorized' } });
    const { container } = shown;
    await pay(shown);
    await waitFor(() => expect(stateOf(container, 'payment')).toBe('unknown'));
  });

  test.each([
    ['cart', '/cart/purchase/success?transId=t1'],
    ['gift', '/title/purchase/success?transId=t1&isgift=true'],
    ['cartGift', '/cart/purchase/success?transId=t1&isgift=true'],
  ] as const)('a customer who returns from paying for a %s sees its receipt [S2./checkout/complete]', async (paidFor, to) => {
    const { container, told } = start({ status: stands('paid', { paidFor }), params: { transId: 't1' } });
    await waitFor(() => expect(stateOf(container, 'purchase')).toBe('succeeded'));
    expect(told.at(-1)).toEqual({ type: 'go', to, replace: true });
  });

  test('a paid title leads to its receipt', async () => {
    const { container, told } = start({ status: stands('paid'), params: { transId: 't1' } });
    await waitFor(() => expect(stateOf(container, 'purchase')).toBe('succeeded'));
    expect(container.textContent).toContain('Thank you');
    expect(told).toEqual([
      { type: 'action.begun', action: 'pay' },
      { type: 'action.ended' },
      { type: 'go', to: '/title/purchase/success?transId=t1', replace: true },
    ]);
  });
});
