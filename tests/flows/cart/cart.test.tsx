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
import { summary } from '../../../machines/path-models/path-model.ts';
import {
  answeringPort,
  makeFlowInput,
  controlledChannel,
  rejectingPort,
  store,
  startUnderShop,
  type Port,
} from '../../support/views/flow.ts';
import { renderInShop, readState } from '../../support/views/show.tsx';

const makeEntry = (titleId: string, more: Partial<CartEntry> = {}): CartEntry => ({
  titleId,
  name: `Title ${titleId}`,
  savedAt: '',
  isOwned: false,
  title: { ...summary, id: titleId, name: `Title ${titleId}` },
  ...more,
});

const cartRead = (entries: CartEntry[], refused: Problem | null = null): LoadedCart => ({ entries, refused });

type CodePorts = {
  applyCode?: Port<LoadedCart, { pii: { form: RedeemForm | null } }>;
  removeCode?: Port<LoadedCart, undefined>;
};

const start = (cartEntries: Port<LoadedCart, { signedIn: boolean }>, signedIn = true, shop = store, codes: CodePorts = {}) => {
  const news = controlledChannel<EventObject, CartFact, undefined>();
  const machine = cartMachine.provide({ actors: { cartEntries, cartNews: news.port as never, ...codes } });
  const { actor } = startUnderShop(machine, makeFlowInput({}, { signedIn }));
  return renderInShop(<CartView actor={actor} />, '/', shop);
};
const waitForState = (container: HTMLElement, state: unknown) =>
  waitFor(() => expect(readState(container, 'cart')).toEqual(state));

test('each line shows its price, or why it is not paid for', async () => {
  const unsold = { ...summary, forSale: false };
  const other = { ...summary, prices: [{ amount: 5, currency: 'JPY', symbol: '¥' }] };
  const container = start(
    answeringPort(
      cartRead([
        makeEntry('1'),
        makeEntry('2'),
        makeEntry('own', { isOwned: true }),
        makeEntry('free', { title: { ...summary, free: true } }),
        makeEntry('unsold', { title: unsold }),
        makeEntry('other', { title: other }),
        makeEntry('gone', { title: null, name: '' }),
      ]),
    ),
  );
  await waitForState(container, { shown: 'resting' });
  const says: Record<string, string> = Object.fromEntries(
    [...container.querySelectorAll<HTMLElement>('[data-line]')].map((line) => [line.dataset['line'] ?? '', line.textContent]),
  );
  expect(says['1']).toContain('$9.99');
  expect(says['own']).toContain('Already in My Library: you won’t pay for it again.');
  expect(says['free']).toContain('This title is free.');
  expect(says['unsold']).toContain('Not for sale right now.');
  expect(says['other']).toContain('Sold in another currency.');
  expect(says['gone']).toContain('A title that’s no longer in this shop');
  expect(screen.getByText(/^Total for/).closest('[role="status"]')?.textContent).toBe('Total for 2 titles$19.98');
  expect(screen.getByRole('link', { name: 'Check out' }).getAttribute('href')).toBe('/cart/checkout');
});

test('a line in another currency than its title’s page shows its price in that currency', async () => {
  const prices = [
    { amount: 5, currency: 'USD', symbol: '$' },
    { amount: 4, currency: 'GBP', symbol: '£' },
  ];
  const both = { ...summary, prices };
  const entries = [
    makeEntry('dollars'),
    makeEntry('both', { title: both }),
    makeEntry('spring', { title: both, campaignId: 'c1' }),
  ];
  const container = start(answeringPort(cartRead(entries)), true, { ...store, purchaseCountries: ['GB', 'US'] });
  await waitForState(container, { shown: 'resting' });
  const says = (id: string) => container.querySelector(`[data-line="${id}"]`)?.textContent;
  expect(says('both')).toContain('$5.00');
  expect(says('both')).toContain('Your cart is paid for in one currency. On its own page, this title costs £4.00.');
  for (const id of ['dollars', 'spring']) expect(says(id)).not.toContain('one currency');
});

test('a visitor sees that they will be asked to sign in', async () => {
  const container = start(answeringPort(cartRead([makeEntry('1')])), false);
  await waitForState(container, { shown: 'resting' });
  expect(container.textContent).toContain('You’ll be asked to sign in first. Your cart comes with you.');
});

test('a cart without payable titles has no payment button', async () => {
  const container = start(answeringPort(cartRead([makeEntry('own', { isOwned: true })])));
  await waitForState(container, { shown: 'resting' });
  expect(screen.getByText('There’s nothing to pay for in your cart.').closest('[role="status"]')).not.toBeNull();
  expect(screen.queryByRole('link', { name: 'Check out' })).toBeNull();
});

test('an empty cart suggests the next step; one that fails to load says why', async () => {
  await waitForState(start(answeringPort(cartRead([]))), 'empty');
  expect(screen.getByRole('link', { name: 'Browse the shop' }).getAttribute('href')).toBe('/all');
  await waitForState(start(rejectingPort({ kind: 'offline' })), 'failed');
  expect(screen.getByRole('alert').textContent).toContain('We couldn’t load your cart');
});

test('a shop that sells no titles has no payment button', async () => {
  const container = start(answeringPort(cartRead([makeEntry('1')])), true, { ...store, showBuyTitle: false });
  await waitForState(container, { shown: 'resting' });
  expect(container.textContent).toContain('Not for sale right now.');
  expect(screen.queryByRole('link', { name: 'Check out' })).toBeNull();
});

test('a line shows the campaign it comes from', async () => {
  const container = start(
    answeringPort(cartRead([makeEntry('1', { campaignId: 'c1', campaignName: 'Spring' }), makeEntry('2', { campaignId: 'c2' })])),
  );
  await waitForState(container, { shown: 'resting' });
  expect(screen.getByRole('link', { name: 'From “Spring”' }).getAttribute('href')).toBe('/campaign/c1');
  expect(screen.getByRole('link', { name: 'From an offer' }).getAttribute('href')).toBe('/campaign/c2');
});

test('a customer types a code in the cart, sees the discount, and can remove the code', async () => {
  const cheaper = makeEntry('1', {
    title: { ...summary, prices: [{ amount: 5, currency: 'USD', symbol: '$' }] },
    usual: summary.prices,
  });
  const container = start(answeringPort(cartRead([makeEntry('1')])), true, store, {
    applyCode: answeringPort(cartRead([cheaper])),
    removeCode: answeringPort(cartRead([makeEntry('1')])),
  });
  await waitForState(container, { shown: 'resting' });
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  await waitFor(() => expect(container.textContent).toContain('Your code has been applied.'));
  expect(container.querySelector('[data-line="1"]')?.textContent).toContain('Without the code: $9.99With the code: $5.00');
  await userEvent.click(screen.getByRole('button', { name: 'Remove the code' }));
  await waitFor(() => expect(screen.getByLabelText('Discount code (optional)')).toBeTruthy());
});

test('a visitor has no code field, since a code is looked up for an account', async () => {
  const container = start(answeringPort(cartRead([makeEntry('1')])), false);
  await waitForState(container, { shown: 'resting' });
  expect(screen.queryByLabelText('Discount code (optional)')).toBeNull();
});

test('a stored code that has expired is reported beside the field, and the cart has its full price', async () => {
  const over: Problem = { kind: 'refused', code: 'code_used', message: 'Used' };
  const container = start(answeringPort(cartRead([makeEntry('1')], over)));
  await waitForState(container, { shown: 'resting' });
  expect(container.querySelector('[data-line="1"]')?.textContent).toContain('$9.99');
  expect(screen.getByLabelText('Discount code (optional)')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('used');
});
