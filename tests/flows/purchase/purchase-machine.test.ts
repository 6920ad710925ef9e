import { describe, expect, test } from 'vitest';
import type { AnyEventObject } from 'xstate';
import type { Offer } from '../../../machines/buying/purchase/offer.ts';
import { purchaseMachine } from '../../../machines/buying/purchase/purchase.ts';
import { flowInput, problems, store as usualStore, summary } from '../../../machines/path-models/path-model.ts';
import { cartOffer, dollars, entry, form, freeOffer, giftOffer, letter, titleOffer } from '../../support/purchase.ts';
import { after, contextOf, done, failed, isSend, isStart } from '../../support/steps.ts';

const ofTitle = { flow: 'purchase', params: { titleid: '1001' } } as const;
const euros = { amount: 8.5, currency: 'EUR', symbol: '€' };
const quoted = (part: Partial<Offer> = {}) => done('offer', titleOffer(part));
const signedIn = (...events: AnyEventObject[]) => after(purchaseMachine, flowInput(ofTitle, { signedIn: true }), ...events);
const noCards = done('keptCards', []);
const pay = { type: 'pay.pressed' };

test('a customer who did not choose a card chooses again after sign-in', () => {
  const chosen = { type: 'method.chosen', method: 'ideal' };
  const visitor = after(purchaseMachine, flowInput(ofTitle), quoted({ methods: ['ideal'] }), chosen, pay);
  expect(visitor.effects.filter(isSend).map(({ event }) => event)).toEqual([{ type: 'signIn.needed', action: 'choose' }]);

  const balance = done('creditBalance', { balance: 2, currency: 'Credits', accepted: true });
  const customer = signedIn(quoted({ credits: 2 }), noCards, balance, { type: 'credits.chosen' }, pay);
  expect(customer.effects.filter(isSend).map(({ event }) => event)).toContainEqual({ type: 'action.begun', action: 'choose' });

  const back = after(purchaseMachine, flowInput(ofTitle, { signedIn: true, resume: 'choose' }), quoted());
  expect(back.snapshot.value).toBe('readingCards');
});

test('where tax is added, sign-in alone starts no payment', () => {
  const store = { ...usualStore, enableTax: true };
  const back = after(purchaseMachine, flowInput(ofTitle, { signedIn: true, resume: 'choose', store }), quoted());
  expect(back.snapshot.value).toBe('readingCards');
});

test('for what is free neither cards nor codes are asked for', () => {
  const shown = done('offer', freeOffer());
  expect(signedIn(shown).snapshot.value).toBe('ready');
  expect(signedIn(shown, { type: 'code.submitted', pii: { form: { code: 'HALF' } } }).snapshot.value).toBe('ready');
});

test('without its code a title costs what is answered then', () => {
  const reduced = quoted({ title: { ...summary, prices: [dollars, euros] }, price: { ...euros, amount: 4 }, isReduced: true });
  const usual = { cart: null, plan: null, price: euros, isReduced: false, key: 'k2' };
  const step = signedIn(reduced, noCards, { type: 'code.removed' }, done('removeCode', usual));
  expect(contextOf(step)).toMatchObject({ price: euros, isReduced: false, key: 'k2' });
});

test('a failure is forgotten when the price has come after all', () => {
  const events = [failed('offer', problems.offline), { type: 'retry.pressed' }, quoted()];
  expect(contextOf(after(purchaseMachine, flowInput(ofTitle), ...events))['problem']).toBeNull();
});

test.each(['pay-9.99-USD', 'pay-8.50-EUR'])('a visitor cannot pay, also where an action is resumed (%s)', (resume) => {
  const { snapshot, fired } = after(purchaseMachine, flowInput(ofTitle, { resume }), quoted());
  expect(snapshot.value).toEqual(after(purchaseMachine, flowInput(ofTitle), quoted()).snapshot.value);
  expect(fired.length).toBeGreaterThan(0);
});

test('a store that sells no titles takes no payment, and still gives free ones', () => {
  const store = { ...usualStore, showBuyTitle: false };
  const input = flowInput(ofTitle, { signedIn: true, store });
  expect(after(purchaseMachine, input, quoted()).snapshot.value).toBe('notForSale');
  expect(after(purchaseMachine, input, done('offer', freeOffer())).snapshot.value).toBe('ready');
  const ofCart = flowInput({ flow: 'purchase', params: { of: 'cart' } }, { signedIn: true, store });
  expect(after(purchaseMachine, ofCart, done('offer', cartOffer(entry('1')))).snapshot.value).toBe('notForSale');
});

test('a cart that a code makes cheaper is paid as what it is then', () => {
  const input = flowInput({ flow: 'purchase', params: { of: 'cart' } }, { signedIn: true });
  const { cart, price } = cartOffer(entry('1'));
  const typed = { type: 'code.submitted', pii: { form: { code: 'HALF' } } };
  const applied = done('applyCode', { cart, plan: null, price, isReduced: true, key: 'k2' });
  const events = [done('offer', cartOffer(entry('1'), entry('2'))), noCards, typed, applied, pay];
  const [payment] = after(purchaseMachine, input, ...events).effects.filter(isStart);
  expect(payment?.input).toMatchObject({ key: 'k2', titleIds: ['1'], price });
});

describe('a gift', () => {
  const inputOf = (params: Record<string, string>, part: object = {}) =>
    flowInput(
      { flow: 'purchase', params: { of: 'title', as: 'gift', ...params } },
      { signedIn: true, store: { ...usualStore, ...part } },
    );
  const offered = (part: Partial<Offer> = {}) => done('offer', giftOffer(part));
  const written = [{ type: 'gift.submitted', pii: { form } }, done('giftLetter', { pii: { letter } })];
  const shown = [offered(), noCards, ...written];
  const tax = { place: { country: 'FR', region: null }, taxPrice: 0.55, priceWithTax: 10.54, rates: [] };

  test('asks for its tax again each time that the e-mail is shown', () => {
    const taxed = inputOf({ titleid: '1001' }, { enableTax: true });
    const told = [...shown, { type: 'tax.told', tax }];
    expect(contextOf(after(purchaseMachine, taxed, ...told))['tax']).toEqual(tax);
    const again = after(purchaseMachine, taxed, ...told, { type: 'change.pressed' }, ...written);
    expect(contextOf(again)['tax']).toBeNull();
  });

  test('that is not for sale any more holds nothing of what was written', () => {
    const gone = offered({ title: { ...summary, forSale: false }, pii: { draft: form } });
    const step = after(purchaseMachine, inputOf({ titleid: '1001' }), gone);
    expect(step.snapshot.value).toBe('notForSale');
    expect(contextOf(step)['pii']).toEqual({ code: null, gift: null, letter: null });
  });

  test('is changed only where its payment has failed', () => {
    const problem = { kind: 'refused', code: 'gift_day', message: '' };
    const ended = (outcome: string) => done('payment', { outcome, titleId: '1001', transId: 't1', problem, paidFor: null });
    const value = (outcome: string): unknown =>
      after(purchaseMachine, inputOf({ titleid: '1001' }), ...shown, pay, ended(outcome)).snapshot.value;
    expect([value('failed'), value('priceChanged')]).toEqual(['readingCards', 'priceChanged']);
  });

  test.each([{ enableGiftingTitle: false }, { showBuyTitle: false }])(
    'that was begun is ended in a store without gifts, and no other begins (%o)',
    (properties) => {
      const value = (params: Record<string, string>): unknown =>
        after(purchaseMachine, inputOf(params, properties)).snapshot.value;
      expect([value({ transId: 't1' }), value({})]).toEqual(['paying', 'notOffered']);
    },
  );
});

test.each([
  [{ subscriptionid: 's1', intentId: 'pi_1' }, 'paying'],
  [{ subscriptionid: 's1' }, 'quoting'],
  [{ intentId: 'pi_1' }, 'quoting'],
])('a subscription is confirmed only with all that the gateway leads back with: %j', (returned, value) => {
  const store = { ...usualStore, enableSubscription: true };
  const params = { of: 'subscription', planid: 'monthly', ...returned };
  expect(after(purchaseMachine, flowInput({ flow: 'purchase', params }, { signedIn: true, store })).snapshot.value).toBe(value);
});
