import { expect, test } from 'vitest';
import type { AnyEventObject } from 'xstate';
import type { Quote } from '../../../machines/buying/checkout-setup.ts';
import { checkoutMachine } from '../../../machines/buying/checkout.ts';
import { flowInput, problems, store as usualStore, summary } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done, failed, isSend } from '../../support/steps.ts';

const purchase = { flow: 'checkout', params: { titleid: '1001' } } as const;
const dollars = { amount: 9.99, currency: 'USD', symbol: '$' };
const euros = { amount: 8.5, currency: 'EUR', symbol: '€' };
const quoted = (part: Partial<Quote> = {}) =>
  done('quote', { title: summary, price: dollars, instanceId: null, key: 'k1', transId: null, ...part });
const signedIn = (...events: AnyEventObject[]) => after(checkoutMachine, flowInput(purchase, { signedIn: true }), ...events);
const noCards = done('keptCards', []);
const pay = { type: 'pay.pressed' };

test('who has not paid by card chooses again after sign-in, and pays nothing unseen', () => {
  const chosen = { type: 'method.chosen', method: 'ideal' };
  const visitor = after(checkoutMachine, flowInput(purchase), quoted({ methods: ['ideal'] }), chosen, pay);
  expect(visitor.effects.filter(isSend).map(({ event }) => event)).toEqual([{ type: 'signIn.needed', action: 'choose' }]);

  const balance = done('creditBalance', { balance: 2, currency: 'Credits', accepted: true });
  const customer = signedIn(quoted({ credits: 2 }), noCards, balance, { type: 'credits.chosen' }, pay);
  expect(customer.effects.filter(isSend).map(({ event }) => event)).toContainEqual({ type: 'action.begun', action: 'choose' });

  const back = after(checkoutMachine, flowInput(purchase, { signedIn: true, resume: 'choose' }), quoted());
  expect(back.snapshot.value).toBe('readingCards');
});

test('for what is free neither cards nor codes are asked for', () => {
  const shown = quoted({ title: { ...summary, free: true, prices: [] }, price: null });
  expect(signedIn(shown).snapshot.value).toBe('ready');
  expect(signedIn(shown, { type: 'code.submitted', pii: { form: { code: 'HALF' } } }).snapshot.value).toBe('ready');
});

test.each([
  ['of the server', euros, euros],
  ['that comes first, where the server names none', null, dollars],
])('without its code a title costs the price %s', (_, price, expected) => {
  const reduced = quoted({ title: { ...summary, prices: [dollars, euros] }, price: { ...euros, amount: 4 }, isReduced: true });
  const removed = [{ type: 'code.removed' }, done('removeCode', { price, key: 'k2' })];
  expect(contextOf(signedIn(reduced, noCards, ...removed))['price']).toEqual(expected);
});

test('what failed is forgotten when the price has come after all', () => {
  const events = [failed('quote', problems.offline), { type: 'retry.pressed' }, quoted()];
  expect(contextOf(after(checkoutMachine, flowInput(purchase), ...events))['problem']).toBeNull();
});

test.each(['pay-9.99-USD', 'pay-8.50-EUR'])('nobody pays who has not signed in, whatever goes on (%s)', (resume) => {
  const { snapshot, fired } = after(checkoutMachine, flowInput(purchase, { resume }), quoted());
  expect(snapshot.value).toEqual(after(checkoutMachine, flowInput(purchase), quoted()).snapshot.value);
  expect(fired.length).toBeGreaterThan(0);
});

test('a store that sells no titles takes no payment, and still gives free ones', () => {
  const store = { ...usualStore, showBuyTitle: false };
  const input = flowInput(purchase, { signedIn: true, store });
  expect(after(checkoutMachine, input, quoted()).snapshot.value).toBe('notForSale');
  const free = quoted({ title: { ...summary, free: true, prices: [] }, price: null });
  expect(after(checkoutMachine, input, free).snapshot.value).toBe('ready');
});
