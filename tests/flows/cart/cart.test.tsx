import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { EventObject } from 'xstate';
import type { CartFact } from '../../../machines/app/cart.ts';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import type { CartEntry, LoadedCart } from '../../../machines/model/buying/cart.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import { CartView } from '../../../src/flows/cart/CartView.tsx';
import { titleSummary } from '../../../machines/path-models/path-model.ts';
import {
  answeringPort,
  makeFlowInput,
  createControlledChannel,
  rejectingPort,
  store,
  startUnderShop,
  type Port,
} from '../../support/views/flow.ts';
import { renderInShop, readState } from '../../support/views/show.tsx';

const makeEntry = (titleId: string, overrides: Partial<CartEntry> = {}): CartEntry => ({
  titleId,
  name: `Title ${titleId}`,
  savedAt: '',
  isOwned: false,
  title: { ...titleSummary, id: titleId, name: `Title ${titleId}` },
  ...overrides,
});

const createLoadedCart = (entries: CartEntry[], refused: Problem | null = null): LoadedCart => ({ entries, refused });

type CodePorts = {
  applyCode?: Port<LoadedCart, { pii: { form: RedeemForm | null } }>;
  removeCode?: Port<LoadedCart, undefined>;
};

const start = (
  cartEntries: Port<LoadedCart, { signedIn: boolean }>,
  signedIn = true,
  shop = store,
  codePorts: CodePorts = {},
) => {
  const cartChanges = createControlledChannel<EventObject, CartFact, undefined>();
  const machine = cartMachine.provide({ actors: { cartEntries, cartSignals: cartChanges.port as never, ...codePorts } });
  const { actor } = startUnderShop(machine, makeFlowInput({}, { signedIn }));
  return renderInShop(<CartView actor={actor} />, '/', shop);
};
const waitForState = (container: HTMLElement, state: unknown) =>
  waitFor(() => expect(readState(container, 'cart')).toEqual(state));

test('each line shows its price, or why it is not paid for', async () => {
  const unsoldSummary = { ...titleSummary, forSale: false };
  const yenSummary = { ...titleSummary, prices: [{ amount: 5, currency: 'JPY', symbol: '¥' }] };
  const container = start(
    answeringPort(
      createLoadedCart([
        makeEntry('1'),
        makeEntry('2'),
        makeEntry('own', { isOwned: true }),
        makeEntry('free', { title: { ...titleSummary, free: true } }),
        makeEntry('unsold', { title: unsoldSummary }),
        makeEntry('other', { title: yenSummary }),
        makeEntry('gone', { title: null, name: '' }),
      ]),
    ),
  );
  await waitForState(container, { shown: 'resting' });
  const lineTexts: Record<string, string> = Object.fromEntries(
    [...container.querySelectorAll<HTMLElement>('[data-line]')].map((line) => [line.dataset['line'] ?? '', line.textContent]),
  );
  expect(lineTexts['1']).toContain('$9.99');
  expect(lineTexts['own']).toContain('Already in My Library: you won’t pay for it again.');
  expect(lineTexts['free']).toContain('This title is free.');
  expect(lineTexts['unsold']).toContain('Not for sale right now.');
  expect(lineTexts['other']).toContain('Sold in another currency.');
  expect(lineTexts['gone']).toContain('A title that’s no longer in this shop');
  expect(screen.getByText(/^Total for/).closest('[role="status"]')?.textContent).toBe('Total for 2 titles$19.98');
  expect(screen.getByRole('link', { name: 'Check out' }).getAttribute('href')).toBe('/cart/checkout');
});

test('a line in another currency than its title’s page shows the price on that page, too', async () => {
  const prices = [
    { amount: 5, currency: 'USD', symbol: '$' },
    { amount: 4, currency: 'GBP', symbol: '£' },
  ];
  const twoCurrencySummary = { ...titleSummary, prices };
  const entries = [
    makeEntry('dollars'),
    makeEntry('both', { title: twoCurrencySummary }),
    makeEntry('spring', { title: twoCurrencySummary, campaignId: 'c1' }),
  ];
  const container = start(answeringPort(createLoadedCart(entries)), true, { ...store, purchaseCountries: ['GB', 'US'] });
  await waitForState(container, { shown: 'resting' });
  const readLine = (id: string) => container.querySelector(`[data-line="${id}"]`)?.textContent;
  expect(readLine('both')).toContain('$5.00');
  expect(readLine('both')).toContain('Your cart is paid for in one currency. On its own page, this title costs £4.00.');
  for (const id of ['dollars', 'spring']) expect(readLine(id)).not.toContain('one currency');
});

test('the cart of a visitor says that they will be asked to sign in', async () => {
  const container = start(answeringPort(createLoadedCart([makeEntry('1')])), false);
  await waitForState(container, { shown: 'resting' });
  expect(container.textContent).toContain('You’ll be asked to sign in first. Your cart comes with you.');
});

test('a cart without payable titles has no payment button', async () => {
  const container = start(answeringPort(createLoadedCart([makeEntry('own', { isOwned: true })])));
  await waitForState(container, { shown: 'resting' });
  expect(screen.getByText('There’s nothing to pay for in your cart.').closest('[role="status"]')).not.toBeNull();
  expect(screen.queryByRole('link', { name: 'Check out' })).toBeNull();
});

test('an empty cart links to the shop; a cart that fails to load says why', async () => {
  await waitForState(start(answeringPort(createLoadedCart([]))), 'empty');
  expect(screen.getByRole('link', { name: 'Browse the shop' }).getAttribute('href')).toBe('/all');
  await waitForState(start(rejectingPort({ kind: 'offline' })), 'failed');
  expect(screen.getByRole('alert').textContent).toContain('We couldn’t load your cart');
});

test('a shop that sells no titles has no payment button', async () => {
  const container = start(answeringPort(createLoadedCart([makeEntry('1')])), true, { ...store, showBuyTitle: false });
  await waitForState(container, { shown: 'resting' });
  expect(container.textContent).toContain('Not for sale right now.');
  expect(screen.queryByRole('link', { name: 'Check out' })).toBeNull();
});

test('a line links to the campaign it comes from', async () => {
  const container = start(
    answeringPort(
      createLoadedCart([makeEntry('1', { campaignId: 'c1', campaignName: 'Spring' }), makeEntry('2', { campaignId: 'c2' })]),
    ),
  );
  await waitForState(container, { shown: 'resting' });
  expect(screen.getByRole('link', { name: 'From “Spring”' }).getAttribute('href')).toBe('/campaign/c1');
  expect(screen.getByRole('link', { name: 'From an offer' }).getAttribute('href')).toBe('/campaign/c2');
});

test('a customer types a code in the cart, sees the discount, and can remove the code', async () => {
  const cheaperEntry = makeEntry('1', {
    title: { ...titleSummary, prices: [{ amount: 5, currency: 'USD', symbol: '$' }] },
    usual: titleSummary.prices,
  });
  const container = start(answeringPort(createLoadedCart([makeEntry('1')])), true, store, {
    applyCode: answeringPort(createLoadedCart([cheaperEntry])),
    removeCode: answeringPort(createLoadedCart([makeEntry('1')])),
  });
  await waitForState(container, { shown: 'resting' });
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  await waitFor(() => expect(container.textContent).toContain('Your code has been applied.'));
  expect(container.querySelector('[data-line="1"]')?.textContent).toContain('Without the code: $9.99With the code: $5.00');
  await userEvent.click(screen.getByRole('button', { name: 'Remove the code' }));
  await waitFor(() => expect(screen.getByLabelText('Discount code (optional)')).toBeTruthy());
});

test('a visitor has no code field, since a code is looked up for an account', async () => {
  const container = start(answeringPort(createLoadedCart([makeEntry('1')])), false);
  await waitForState(container, { shown: 'resting' });
  expect(screen.queryByLabelText('Discount code (optional)')).toBeNull();
});

test('a stored code that has been used is reported beside the field, and the cart has its full price', async () => {
  const refusal: Problem = { kind: 'refused', code: 'code_used', message: 'Used' };
  const container = start(answeringPort(createLoadedCart([makeEntry('1')], refusal)));
  await waitForState(container, { shown: 'resting' });
  expect(container.querySelector('[data-line="1"]')?.textContent).toContain('$9.99');
  expect(screen.getByLabelText('Discount code (optional)')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('used');
});
