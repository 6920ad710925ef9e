import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { EventObject } from 'xstate';
import type { CartFact } from '../../../machines/app/cart.ts';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import type { CartEntry, CartRead } from '../../../machines/model/buying/cart.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import { CartView } from '../../../src/flows/cart/CartView.tsx';
import { summary } from '../../../machines/path-models/path-model.ts';
import { answers, flowInput, heldChannel, rejects, store, underShop, type Port } from '../../support/views/flow.ts';
import { show, stateOf } from '../../support/views/show.tsx';

const entry = (titleId: string, more: Partial<CartEntry> = {}): CartEntry => ({
  titleId,
  name: `Title ${titleId}`,
  savedAt: '',
  isOwned: false,
  title: { ...summary, id: titleId, name: `Title ${titleId}` },
  ...more,
});

const read = (entries: CartEntry[], refused: Problem | null = null): CartRead => ({ entries, refused });

type CodePorts = {
  applyCode?: Port<CartRead, { pii: { form: RedeemForm | null } }>;
  removeCode?: Port<CartRead, undefined>;
};

const start = (cartEntries: Port<CartRead, { signedIn: boolean }>, signedIn = true, shop = store, codes: CodePorts = {}) => {
  const news = heldChannel<EventObject, CartFact, undefined>();
  const machine = cartMachine.provide({ actors: { cartEntries, cartNews: news.port as never, ...codes } });
  const { actor } = underShop(machine, flowInput({}, { signedIn }));
  return show(<CartView actor={actor} />, '/', shop);
};
const isIn = (container: HTMLElement, state: unknown) => waitFor(() => expect(stateOf(container, 'cart')).toEqual(state));

test('each line says what it costs, or why it is not paid for', async () => {
  const unsold = { ...summary, forSale: false };
  const other = { ...summary, prices: [{ amount: 5, currency: 'JPY', symbol: '¥' }] };
  const container = start(
    answers(
      read([
        entry('1'),
        entry('2'),
        entry('own', { isOwned: true }),
        entry('free', { title: { ...summary, free: true } }),
        entry('unsold', { title: unsold }),
        entry('other', { title: other }),
        entry('gone', { title: null, name: '' }),
      ]),
    ),
  );
  await isIn(container, { shown: 'resting' });
  const says: Record<string, string> = Object.fromEntries(
    [...container.querySelectorAll<HTMLElement>('[data-line]')].map((line) => [line.dataset['line'] ?? '', line.textContent]),
  );
  expect(says['1']).toContain('$9.99');
  expect(says['own']).toContain('Already in My Library: you won’t pay for it again.');
  expect(says['free']).toContain('This title is free.');
  expect(says['unsold']).toContain('Not for sale at the moment.');
  expect(says['other']).toContain('Sold in another currency.');
  expect(says['gone']).toContain('A title that’s no longer in this shop');
  expect(screen.getByText(/^Total for/).closest('[role="status"]')?.textContent).toBe('Total for 2 titles$19.98');
  expect(screen.getByRole('link', { name: 'Check out' }).getAttribute('href')).toBe('/cart/checkout');
});

test('a line in another currency than its title’s page says what it costs there', async () => {
  const prices = [
    { amount: 5, currency: 'USD', symbol: '$' },
    { amount: 4, currency: 'GBP', symbol: '£' },
  ];
  const both = { ...summary, prices };
  const entries = [entry('dollars'), entry('both', { title: both }), entry('spring', { title: both, campaignId: 'c1' })];
  const container = start(answers(read(entries)), true, { ...store, purchaseCountries: ['GB', 'US'] });
  await isIn(container, { shown: 'resting' });
  const says = (id: string) => container.querySelector(`[data-line="${id}"]`)?.textContent;
  expect(says('both')).toContain('$5.00');
  expect(says('both')).toContain('Your cart is paid for in one currency. On its own page, this title costs £4.00.');
  for (const id of ['dollars', 'spring']) expect(says(id)).not.toContain('one currency');
});

test('a visitor is told that they will be asked to sign in', async () => {
  const container = start(answers(read([entry('1')])), false);
  await isIn(container, { shown: 'resting' });
  expect(container.textContent).toContain('You’ll be asked to sign in first. Your cart comes with you.');
});

test('with nothing to pay for there is no way to pay', async () => {
  const container = start(answers(read([entry('own', { isOwned: true })])));
  await isIn(container, { shown: 'resting' });
  expect(screen.getByText('There’s nothing to pay for in your cart.').closest('[role="status"]')).not.toBeNull();
  expect(screen.queryByRole('link', { name: 'Check out' })).toBeNull();
});

test('an empty cart says what to do next; one that does not come, why', async () => {
  await isIn(start(answers(read([]))), 'empty');
  expect(screen.getByRole('link', { name: 'Browse the shop' }).getAttribute('href')).toBe('/all');
  await isIn(start(rejects({ kind: 'offline' })), 'failed');
  expect(screen.getByRole('alert').textContent).toContain('We couldn’t load your cart');
});

test('in a shop that sells no titles nothing is paid for', async () => {
  const container = start(answers(read([entry('1')])), true, { ...store, showBuyTitle: false });
  await isIn(container, { shown: 'resting' });
  expect(container.textContent).toContain('Not for sale at the moment.');
  expect(screen.queryByRole('link', { name: 'Check out' })).toBeNull();
});

test('a line says from which campaign it comes', async () => {
  const container = start(
    answers(read([entry('1', { campaignId: 'c1', campaignName: 'Spring' }), entry('2', { campaignId: 'c2' })])),
  );
  await isIn(container, { shown: 'resting' });
  expect(screen.getByRole('link', { name: 'From “Spring”' }).getAttribute('href')).toBe('/campaign/c1');
  expect(screen.getByRole('link', { name: 'From a campaign' }).getAttribute('href')).toBe('/campaign/c2');
});

test('a customer types a code in the cart, sees what it takes off, and can do without it', async () => {
  const cheaper = entry('1', {
    title: { ...summary, prices: [{ amount: 5, currency: 'USD', symbol: '$' }] },
    usual: summary.prices,
  });
  const container = start(answers(read([entry('1')])), true, store, {
    applyCode: answers(read([cheaper])),
    removeCode: answers(read([entry('1')])),
  });
  await isIn(container, { shown: 'resting' });
  await userEvent.type(screen.getByLabelText('Discount code (optional)'), 'SPRING-20{Enter}');
  await waitFor(() => expect(container.textContent).toContain('Your code is taken off.'));
  expect(container.querySelector('[data-line="1"]')?.textContent).toContain('Without the code: $9.99With it: $5.00');
  await userEvent.click(screen.getByRole('button', { name: 'Remove the code' }));
  await waitFor(() => expect(screen.getByLabelText('Discount code (optional)')).toBeTruthy());
});

test('a visitor has no code field, since a code is looked up for an account', async () => {
  const container = start(answers(read([entry('1')])), false);
  await isIn(container, { shown: 'resting' });
  expect(screen.queryByLabelText('Discount code (optional)')).toBeNull();
});

test('a code that was kept and is over is said beside the field, and the cart costs what it did', async () => {
  const over: Problem = { kind: 'refused', code: 'code_used', message: 'Used' };
  const container = start(answers(read([entry('1')], over)));
  await isIn(container, { shown: 'resting' });
  expect(container.querySelector('[data-line="1"]')?.textContent).toContain('$9.99');
  expect(screen.getByLabelText('Discount code (optional)')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('used');
});
