import { checkoutMachine } from '../../../buying/checkout.ts';
import type { Outcome } from '../../../buying/payment.ts';
import { paymentMachine } from '../../../buying/payment.ts';
import { taxMachine } from '../../../buying/tax.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Tax, TaxQuote } from '../../../model/tax.ts';
import { flowInput, problems, rejected, rejections, store, summary, type PathModel } from '../../path-model.ts';
import { operator, preparations } from '../../preparations.ts';
import { checkoutDescription, paymentDescription } from './descriptions.ts';
import { taxDescription } from './tax-descriptions.ts';
import { described } from '../../description.ts';

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

const refuseAs = (code: string): string =>
  `Override \`payment/session\` with \`<Error><StatusCode>409</StatusCode><Code>${code}</Code></Error>\``;

const endings: [Outcome, string, string][] = [
  ['succeeded', 'it is paid, and the title granted', preparations.paid],
  ['failed', 'the card is declined', preparations.declined],
  ['cancelled', 'the customer has cancelled it', preparations.cancelled],
  ['priceChanged', 'the price has changed since the summary', refuseAs('price_changed')],
  [
    'owned',
    'the title turns out to be owned already',
    `${refuseAs('already_owned')}, choose 10000 ms of latency (Network), and be ready in another browser to buy the title while “Taking you to the payment page…” is shown`,
  ],
  [
    'none',
    'the server knows of no such payment',
    'Override `payment/session` with `<Torn`, press “Check again” once it is not known what has become of the payment, and take the override away',
  ],
  ['notFound', 'there is no such title', preparations.unknown],
];

const quoteCases = {
  leave: [{ url: 'https://pay.example/1' }],
  'xstate.done.actor.quote': [
    described('it can be bought', { output: quote }),
    described(
      'it can be bought, for credits as well',
      { output: { ...quote, credits: 2 } },
      'Take the title 1001 instead: /title/purchase?titleid=1001',
    ),
    described('it can be bought, by a wallet as well', { output: { ...quote, methods: ['wallet'] } }, preparations.wallet),
    described(
      'it can be bought, for less by a code',
      { output: { ...quote, price: reduced, isReduced: true } },
      'Open /redeem/DEMO-20-PERCENT in this tab, and go to the title from there',
    ),
    described(
      'it can be bought, and an unfinished payment of it is remembered',
      { output: { ...quote, transId: 't0' } },
      'Begin the payment of the title before, as the same customer in this browser, and close the tab of the payment page',
    ),
    described(
      'the customer owns it already',
      { output: { ...quote, instanceId: 'i1' } },
      'Have the title bought by then, as the same customer in another browser',
    ),
    described(
      'it is not for sale',
      { output: { ...quote, title: { ...summary, forSale: false } } },
      'Take the title 1012 instead: /title/purchase?titleid=1012',
    ),
  ],
  'xstate.done.actor.keptCards': [
    described('one, and one that has expired', { output: [card, expired] }, preparations.cards),
    described('none', { output: [] }),
  ],
  'xstate.error.actor.keptCards': rejections(problems.offline),
  'xstate.done.actor.creditBalance': [
    described('more than it costs', { output: { balance: 3, currency: 'Credits', accepted: true } }, preparations.credits),
    described(
      'too few',
      { output: { balance: 1, currency: 'Credits', accepted: true } },
      'Take a customer who has redeemed no credits',
    ),
    described(
      'enough, and the store takes none',
      { output: { balance: 3, currency: 'Credits', accepted: false } },
      `${preparations.credits}, and ${operator('properties set --set EnableBuyWithCredits=false')}; afterwards \`=true\``,
    ),
  ],
  'xstate.error.actor.creditBalance': rejections(problems.offline),
  'card.chosen': [described('that was kept', { cardId: 'c1' }), described('“Another card”', { cardId: null })],
  'method.chosen': [{ method: 'wallet' }],
  'code.submitted': [{ pii: { form: { code: 'SPRING' } } }],
  'code.rejected': [{ fields: { code: 'required' } }],
  'xstate.done.actor.applyCode': [
    described('20% off', { output: { price: reduced, key: 'k2' } }, 'Take the code DEMO-20-PERCENT'),
  ],
  'xstate.error.actor.applyCode': [
    ...rejections(problems.offline),
    rejected(problems.notFound, 'Take the code NO-SUCH-CODE'),
    rejected(refused('code_used'), 'Take the code DEMO-USED'),
    rejected(refused('code_expired'), 'Take the code DEMO-OLD'),
  ],
  'xstate.done.actor.removeCode': [described('the usual one', { output: { price, key: 'k3' } })],
  'xstate.error.actor.quote': [
    ...rejections(problems.offline),
    rejected(problems.notFound, 'Take a title that is not there: /title/purchase?titleid=9999'),
    ...rejections(problems.unauthorized),
  ],
  'xstate.done.actor.payment': endings.map(([outcome, words, before]) => described(words, ended(outcome), before)),
};

const inOtherTab = 'In another tab open the same purchase, press “Continue to payment”';

const statusOverride = (call: string, status: string): string =>
  `Override \`${call}\` with its own answer, in which the \`status\` is \`${status}\``;

/** What was sent and not answered, as a call that is blocked. */
const lost = (call: string) => rejected(problems.timeout, `Block \`${call}\`, and unblock it after this test`);

const paymentCases = {
  'xstate.done.actor.startPayment': [
    described('it has a page at the gateway', { output: { transId: 't1', provider: 'test', url: 'https://pay.example/1' } }),
    described(
      'the title is free and granted at once',
      { output: { transId: 't1', provider: '', url: '' } },
      'Take the title 1011 instead: /title/purchase?titleid=1011',
    ),
  ],
  'xstate.error.actor.startPayment': [
    ...rejections(problems.timeout, problems.malformed, problems.unauthorized),
    rejected(problems.alreadyOwned, 'While the summary is shown, buy the title in another tab'),
    rejected(problems.priceChanged, preparations.reprice),
    ...rejections(problems.declined),
  ],
  'xstate.done.actor.payByCard': [
    described('it is paid', { output: { ...status, status: 'paid' } }),
    described(
      'the bank wants to ask the customer',
      { output: { ...status, status: 'pending' } },
      'Keep 4000 0027 6000 3184 instead, and pay by it',
    ),
    described(
      'the card is authorised, nothing is charged yet',
      { output: { ...status, status: 'authorized' } },
      statusOverride('purchase/title', 'authorized'),
    ),
  ],
  'xstate.error.actor.payByCard': [
    lost('purchase/title'),
    ...rejections(problems.unauthorized, problems.alreadyOwned, problems.priceChanged),
    rejected(problems.declined, 'Keep 4000 0000 0000 0341 instead, and pay by it'),
  ],
  'xstate.error.actor.confirmPayment': [
    lost('purchase/title/confirm'),
    ...rejections(problems.priceChanged, problems.unauthorized, problems.declined, problems.alreadyOwned),
  ],
  'xstate.done.actor.statusBeforeCancel': [
    described('it is not paid', { output: { ...status, status: 'pending' } }),
    described(
      'it has been paid in another window',
      { output: { ...status, status: 'paid' } },
      `${inOtherTab}, and pay with 4242 4242 4242 4242`,
    ),
  ],
  'xstate.error.actor.statusBeforeCancel': rejections(problems.offline, problems.unauthorized),
  'xstate.done.actor.paymentStatus': [
    described('it waits for the customer at the gateway', { output: { ...status, status: 'pending' } }),
    described(
      'it waits, and its page at the gateway is gone',
      { output: { ...status, status: 'pending', url: null } },
      'Override `checkout/session/status` with its own answer, in which the `url` is `null`',
    ),
    described(
      'the card is authorised, nothing is charged yet',
      { output: { ...status, status: 'authorized' } },
      statusOverride('checkout/session/status', 'authorized'),
    ),
    described('it is paid', { output: { ...status, status: 'paid' } }, `${inOtherTab}, and pay with 4242 4242 4242 4242`),
    described(
      'the card was declined',
      { output: { ...status, status: 'failed', reason: 'card_declined' } },
      `${inOtherTab}, and type 4000 0000 0000 0002 five times`,
    ),
    described(
      'it was cancelled at the gateway',
      { output: { ...status, status: 'cancelled' } },
      `${inOtherTab}, and “Cancel” there`,
    ),
    described(
      'there is no payment, but the title is owned',
      { output: { ...status, status: 'owned' } },
      'Buy the title in another tab',
    ),
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
  given: 'Signed in as a customer without cards, open /title/purchase?titleid=1008 and press “Continue to payment”.',
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
  'tax.told': [
    described('it is known', { tax }, preparations.france),
    described('it is not known any more', { tax: null }, 'Choose another country'),
  ],
  'tax.outdated': [described('', {}, `${preparations.reprice}. Then choose France under “Country”`)],
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
  given: `Signed in, in a store that adds tax to its prices ${preparations.taxes}, open the purchase of a title, ${preparations.noMoney}: /title/purchase?titleid=1008.`,
  input: { titleId: '1001', price, isDue: true },
  cases: {
    'place.chosen': [
      described('France', { place: { country: 'FR', region: null } }),
      described('the United States', { place: { country: 'US', region: null } }),
      described('California', { place: { country: 'US', region: 'CA' } }),
    ],
    'xstate.done.actor.taxQuote': [
      described('it is 5.5% of the price', { output: taxed }, 'Have France chosen under “Country”: it is remembered'),
      described(
        'that it depends on the country',
        { output: { ...untold, country: null, needs: 'country' } },
        'Take a browser in which no country was chosen',
      ),
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
    given: `As a visitor, press Pay on the summary of the title 1008 (${preparations.noMoney}), and sign in: the payment goes on by itself.`,
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true, resume: 'pay-9.99-USD' }),
  }),
  checkout({
    given:
      'As a visitor, press Pay on the summary of the title 1005, choose “Français” at the foot of the page, where it costs euros, and sign in: the price has changed.',
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true, resume: 'pay-8.50-EUR' }),
  }),
  checkout({
    given: `Signed in, open the purchase of a title that is for sale, ${preparations.noMoney}: /title/purchase?titleid=1008.`,
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true }),
  }),
  checkout({
    given: `Signed in, in a shop whose gateway takes digital wallets as well, open the purchase of a title that is for sale, ${preparations.noMoney}: /title/purchase?titleid=1008.`,
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true }),
    cases: {
      ...quoteCases,
      'xstate.done.actor.quote': [
        described('a wallet pays as well', { output: { ...quote, methods: ['wallet'] } }, preparations.wallet),
      ],
    },
  }),
  checkout({
    given:
      'Signed in, press “Continue to payment” on the summary of a title, and come back from the payment page: /checkout/complete?transId=….',
    input: flowInput({ flow: 'checkout', params: { transId: 't1' } }, { signedIn: true }),
  }),
  checkout({
    given: 'Open the purchase without a title: /title/purchase.',
    input: flowInput({ flow: 'checkout' }),
  }),
  checkout({
    given: `Signed in, in a store that adds tax to its prices ${preparations.taxes}, open the purchase of a title, ${preparations.noMoney}: /title/purchase?titleid=1008.`,
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true, ...withTax }),
    cases: taxCases,
  }),
  checkout({
    given: `As a visitor, in a store that adds tax to its prices ${preparations.taxes}, open the purchase of a title: /title/purchase?titleid=1008.`,
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, withTax),
  }),
  taxModel({}),
  taxModel({
    given: 'Open the purchase of a title in a store that adds no tax: /title/purchase?titleid=1008.',
    input: { titleId: '1001', price, isDue: false },
  }),
  payment({}),
  payment({
    given:
      'Signed in, with the card 4242 4242 4242 4242 kept (“Add a card” in My Profile), open /title/purchase?titleid=1008 and press “Pay {price}”.',
    input: { ...order, cardId: 'c1' },
  }),
  payment({
    given:
      'Signed in, take up an unfinished payment: /title/purchase?titleid=1008, “Continue to payment”, the tab of the payment page closed, and the purchase opened anew.',
    input: { ...order, transId: 't1' },
  }),
];
