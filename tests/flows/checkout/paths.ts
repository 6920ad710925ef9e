import { checkoutMachine } from '../../../machines/buying/checkout.ts';
import type { Outcome } from '../../../machines/buying/payment.ts';
import { paymentMachine } from '../../../machines/buying/payment.ts';
import { taxMachine } from '../../../machines/buying/tax.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { Tax, TaxQuote } from '../../../machines/model/tax.ts';
import { flowInput, problems, rejections, store, summary, type PathModel } from '../../support/path-model.ts';
import { checkoutDescription, paymentDescription } from './descriptions.ts';
import { taxDescription } from './tax-descriptions.ts';
import { described } from '../../support/description.ts';

const [price] = summary.prices;
const quote = { title: summary, price, instanceId: null, key: 'k1', transId: null };
const order = { titleId: '1001', price, free: false, key: 'k1', transId: null, cardId: null };
export const card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/40' } };
const expired = { ...card, id: 'c2', isDefault: false, isExpired: true, pii: { ...card.pii, expiry: '12/20' } };
const status = { transId: 't1', titleId: '1001', intentId: 'in1', url: 'https://pay.example/1', reason: null };

export const tax: Tax = {
  place: { country: 'FR', region: null },
  taxPrice: 0.55,
  priceWithTax: 10.54,
  rates: [{ name: 'TVA', percent: 5.5, amount: 0.55 }],
};
const reduced = { amount: 7.99, currency: 'USD', symbol: '$' };
const refused = (code: string): Problem => ({ kind: 'refused', code, message: '' });

const ended = (outcome: Outcome) => ({
  output: { outcome, titleId: '1001', transId: 't1', problem: outcome === 'failed' ? problems.declined : null },
});

const endings: [Outcome, string][] = [
  ['succeeded', 'it is paid, and the title granted'],
  ['failed', 'the card is declined'],
  ['cancelled', 'the customer has cancelled it'],
  ['priceChanged', 'the price has changed since the summary'],
  ['owned', 'the title turns out to be owned already'],
  ['none', 'the server knows of no such payment'],
  ['notFound', 'there is no such title'],
];

const quoteCases = {
  leave: [{ url: 'https://pay.example/1' }],
  'xstate.done.actor.quote': [
    described('it can be bought', { output: quote }),
    described('it can be bought, for credits as well', { output: { ...quote, credits: 2 } }),
    described('it can be bought, by a wallet as well', { output: { ...quote, methods: ['wallet'] } }),
    described('it can be bought, for less by a code', { output: { ...quote, price: reduced, isReduced: true } }),
    described('it can be bought, and an unfinished payment of it is remembered', { output: { ...quote, transId: 't0' } }),
    described('the customer owns it already', { output: { ...quote, instanceId: 'i1' } }),
    described('it is not for sale', { output: { ...quote, title: { ...summary, forSale: false } } }),
  ],
  'xstate.done.actor.keptCards': [
    described('one, and one that has expired', { output: [card, expired] }),
    described('none', { output: [] }),
  ],
  'xstate.error.actor.keptCards': rejections(problems.offline),
  'xstate.done.actor.creditBalance': [
    described('more than it costs', { output: { balance: 3, currency: 'Credits', accepted: true } }),
    described('too few', { output: { balance: 1, currency: 'Credits', accepted: true } }),
    described('enough, and the store takes none', { output: { balance: 3, currency: 'Credits', accepted: false } }),
  ],
  'xstate.error.actor.creditBalance': rejections(problems.offline),
  'card.chosen': [described('that was kept', { cardId: 'c1' }), described('“Another card”', { cardId: null })],
  'method.chosen': [{ method: 'wallet' }],
  'code.submitted': [{ pii: { form: { code: 'SPRING' } } }],
  'code.rejected': [{ fields: { code: 'required' } }],
  'xstate.done.actor.applyCode': [described('20% off', { output: { price: reduced, key: 'k2' } })],
  'xstate.error.actor.applyCode': rejections(problems.offline, problems.notFound, refused('code_used'), refused('code_expired')),
  'xstate.done.actor.removeCode': [described('the usual one', { output: { price, key: 'k3' } })],
  'xstate.error.actor.quote': rejections(problems.offline, problems.notFound, problems.unauthorized),
  'xstate.done.actor.payment': endings.map(([outcome, words]) => described(words, ended(outcome))),
};

const paymentCases = {
  'xstate.done.actor.startPayment': [
    described('it has a page at the gateway', { output: { transId: 't1', provider: 'test', url: 'https://pay.example/1' } }),
    described('the title is free and granted at once', { output: { transId: 't1', provider: '', url: '' } }),
  ],
  'xstate.error.actor.startPayment': rejections(
    problems.timeout,
    problems.malformed,
    problems.unauthorized,
    problems.alreadyOwned,
    problems.priceChanged,
    problems.declined,
  ),
  'xstate.done.actor.payByCard': [
    described('it is paid', { output: { ...status, status: 'paid' } }),
    described('the bank wants to ask the customer', { output: { ...status, status: 'pending' } }),
    described('the card is authorised, nothing is charged yet', { output: { ...status, status: 'authorized' } }),
  ],
  'xstate.error.actor.payByCard': rejections(
    problems.timeout,
    problems.unauthorized,
    problems.alreadyOwned,
    problems.priceChanged,
    problems.declined,
  ),
  'xstate.error.actor.confirmPayment': rejections(
    problems.timeout,
    problems.priceChanged,
    problems.unauthorized,
    problems.declined,
    problems.alreadyOwned,
  ),
  'xstate.done.actor.statusBeforeCancel': [
    described('it is not paid', { output: { ...status, status: 'pending' } }),
    described('it has been paid in another window', { output: { ...status, status: 'paid' } }),
  ],
  'xstate.error.actor.statusBeforeCancel': rejections(problems.offline, problems.unauthorized),
  'xstate.done.actor.paymentStatus': [
    described('it waits for the customer at the gateway', { output: { ...status, status: 'pending' } }),
    described('it waits, and its page at the gateway is gone', { output: { ...status, status: 'pending', url: null } }),
    described('the card is authorised, nothing is charged yet', { output: { ...status, status: 'authorized' } }),
    described('it is paid', { output: { ...status, status: 'paid' } }),
    described('the card was declined', { output: { ...status, status: 'failed', reason: 'card_declined' } }),
    described('it was cancelled at the gateway', { output: { ...status, status: 'cancelled' } }),
    described('there is no payment, but the title is owned', { output: { ...status, status: 'owned' } }),
    described('there is no such payment', { output: { ...status, status: 'none' } }),
  ],
  'xstate.error.actor.paymentStatus': rejections(problems.offline, problems.unauthorized, problems.notFound),
};

const checkout = (part: Partial<PathModel>): PathModel => ({
  name: 'checkout',
  machine: checkoutMachine,
  description: checkoutDescription,
  given: 'As a visitor, open the purchase of a title that is for sale: /title/purchase?titleid=1008.',
  input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }),
  cases: quoteCases,
  ...part,
});

const payment = (part: Partial<PathModel>): PathModel => ({
  name: 'payment',
  machine: paymentMachine,
  description: paymentDescription,
  given: 'Signed in, press Pay on the summary of a title.',
  input: order,
  // A payment that was cancelled goes on otherwise once it is known where it stands.
  kind: ({ value, context }): unknown[] => {
    const { url, transId, cancels } = context as { url: string | null; transId: string | null; cancels?: true };
    return [value, url, transId, cancels === true];
  },
  cases: paymentCases,
  ...part,
});

const taxCases = {
  ...quoteCases,
  'tax.told': [described('it is known', { tax }), described('it is not known any more', { tax: null })],
  'tax.outdated': [{}],
};

export const taxed: TaxQuote = {
  price: 9.99,
  taxPrice: 0.55,
  priceWithTax: 10.54,
  taxRates: tax.rates,
  country: 'FR',
  region: null,
  countries: [],
  regions: [],
};
const untold = { ...taxed, taxPrice: 0, priceWithTax: 9.99, taxRates: [] };
const regions = [
  { code: 'CA', name: 'California' },
  { code: 'OR', name: 'Oregon' },
];

const taxModel = (part: Partial<PathModel>): PathModel => ({
  name: 'tax',
  machine: taxMachine,
  description: taxDescription,
  given: 'Signed in, in a store that adds tax to its prices, open the purchase of a title: /title/purchase?titleid=1008.',
  input: { titleId: '1001', price, isDue: true },
  cases: {
    'place.chosen': [
      described('France', { place: { country: 'FR', region: null } }),
      described('the United States', { place: { country: 'US', region: null } }),
      described('California', { place: { country: 'US', region: 'CA' } }),
    ],
    'xstate.done.actor.taxQuote': [
      described('it is 5.5% of the price', { output: taxed }),
      described('that it depends on the country', { output: { ...untold, country: null, needs: 'country' } }),
      described('that it depends on the state', { output: { ...untold, country: 'US', needs: 'region', regions } }),
    ],
    'xstate.error.actor.taxQuote': rejections(problems.offline, problems.priceChanged),
  },
  ...part,
});

const withTax = { store: { ...store, enableTax: true } };

/** A machine that starts differently for different inputs is explored from each of them. */
export const models: PathModel[] = [
  checkout({}),
  checkout({
    given: 'As a visitor, press Pay on the summary of a title and sign in: the payment goes on by itself.',
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true, resume: 'pay-9.99-USD' }),
  }),
  checkout({
    given:
      'As a visitor, press Pay on the summary of a title, choose a language that pays in other money, and sign in: the price has changed.',
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true, resume: 'pay-8.50-EUR' }),
  }),
  checkout({
    given: 'Signed in, open the purchase of a title that is for sale: /title/purchase?titleid=1008.',
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true }),
  }),
  checkout({
    given:
      'Signed in, in a shop whose gateway takes digital wallets as well, open the purchase of a title that is for sale: /title/purchase?titleid=1008.',
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true }),
    cases: {
      ...quoteCases,
      'xstate.done.actor.quote': [described('a wallet pays as well', { output: { ...quote, methods: ['wallet'] } })],
    },
  }),
  checkout({
    given: 'Signed in, come back from the gateway: /checkout/complete?transId=….',
    input: flowInput({ flow: 'checkout', params: { transId: 't1' } }, { signedIn: true }),
  }),
  checkout({
    given: 'Open the purchase without a title: /title/purchase.',
    input: flowInput({ flow: 'checkout' }),
  }),
  checkout({
    given: 'Signed in, in a store that adds tax to its prices, open the purchase of a title: /title/purchase?titleid=1008.',
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true, ...withTax }),
    cases: taxCases,
  }),
  checkout({
    given: 'As a visitor, in a store that adds tax to its prices, open the purchase of a title: /title/purchase?titleid=1008.',
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, withTax),
  }),
  taxModel({}),
  taxModel({
    given: 'Open the purchase of a title in a store that adds no tax: /title/purchase?titleid=1008.',
    input: { titleId: '1001', price, isDue: false },
  }),
  payment({}),
  payment({
    given: 'Signed in, with a card that was kept, press Pay on the summary of a title.',
    input: { ...order, cardId: 'c1' },
  }),
  payment({
    given: 'Signed in, take up an unfinished payment: come back from the gateway, or reload the page.',
    input: { ...order, transId: 't1' },
  }),
];
