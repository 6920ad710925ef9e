import { cartCheckoutMachine, type CartOrder } from '../../../buying/cart-checkout.ts';
import type { Outcome } from '../../../buying/payment.ts';
import type { Card } from '../../../model/card.ts';
import { quoteCart, type CartEntry } from '../../../model/cart.ts';
import type { Problem } from '../../../model/problem.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejected, rejections, store, summary, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { tax } from '../checkout/paths.ts';
import { cartCheckoutDescription } from './descriptions.ts';

const entry: CartEntry = {
  titleId: summary.id,
  name: summary.name,
  savedAt: '2026-01-01T00:00:00.000Z',
  isOwned: false,
  title: summary,
};
const choice = { locale: 'en', countries: ['US'] };
const order: CartOrder = { quote: quoteCart([entry], choice), key: 'k1', transId: null };
const cheaper: CartOrder = {
  ...order,
  quote: quoteCart(
    [
      {
        ...entry,
        title: { ...summary, prices: summary.prices.map((price) => ({ ...price, amount: price.amount / 2 })) },
        usual: summary.prices,
      },
    ],
    choice,
  ),
};
const nothing: CartOrder = { ...order, quote: quoteCart([], choice) };
const used: Problem = { kind: 'refused', code: 'code_used', message: 'Used' };
const card: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/40' } };
const expired = { ...card, id: 'c2', isDefault: false, isExpired: true, pii: { ...card.pii, expiry: '12/20' } };

const ended = (outcome: Outcome) => ({
  output: { outcome, titleId: '', transId: 't1', problem: outcome === 'failed' ? problems.declined : null },
});

const takeOut = 'Take the title out of the cart, in another tab';
const takeCode = 'Take the code DEMO-20-PERCENT';

const endings: [Outcome, string, string][] = [
  ['succeeded', 'it is paid, and all titles granted', preparations.paid],
  ['failed', 'the card is declined', preparations.declined],
  ['cancelled', 'the customer has cancelled it', preparations.cancelled],
  ['priceChanged', 'the cart or its price has changed since the summary', preparations.reprice],
  ['owned', 'one of the titles turns out to be owned already', 'While the summary is shown, buy the title in another tab'],
  [
    'none',
    'the server knows of no such payment',
    'Override `checkout/cart/session` with `<Torn`, press “Check again” once it is not known what has become of the payment, and take the override away',
  ],
  ['notFound', 'there is no such payment', preparations.unknown],
];

const cases: NonNullable<PathModel['cases']> = {
  leave: [{ url: 'https://pay.example/1' }],
  'xstate.done.actor.cartOrder': [
    described('there is a title to pay for', { output: order }),
    described(
      'there is one, and an unfinished payment of it is remembered',
      { output: { ...order, transId: 't0' } },
      'Begin the payment of the cart before, in this browser, and close the tab of the payment page',
    ),
    described(
      'there is one, which a code of before makes cheaper',
      { output: cheaper },
      'Apply the code DEMO-20-PERCENT before, in this tab, and go elsewhere by a link',
    ),
    described('there is nothing to pay for', { output: nothing }, takeOut),
  ],
  'code.submitted': [{ pii: { form: { code: 'SPRING-20' } } }],
  'code.rejected': [{ fields: { code: 'required' } }],
  'xstate.done.actor.applyCode': [
    described('it takes something off', { output: cheaper }, takeCode),
    described('there is nothing to pay for any more', { output: nothing }, `${takeCode}. ${takeOut}`),
  ],
  'xstate.error.actor.applyCode': [
    rejected(problems.offline, `${takeCode}, and block \`cart/titles\``),
    described('the code has been used', { error: used }, 'Take the code DEMO-USED'),
  ],
  'xstate.done.actor.removeCode': [
    described('it costs what it did before', { output: order }),
    described('there is nothing to pay for any more', { output: nothing }, takeOut),
  ],
  'xstate.error.actor.removeCode': rejections(problems.offline),
  'xstate.error.actor.cartOrder': rejections(problems.offline),
  'xstate.done.actor.keptCards': [
    described('one, and one that has expired', { output: [card, expired] }, preparations.cards),
    described('none', { output: [] }),
  ],
  'xstate.error.actor.keptCards': rejections(problems.offline),
  'card.chosen': [described('that was kept', { cardId: 'c1' }), described('“Another card”', { cardId: null })],
  'xstate.done.actor.payment': endings.map(([outcome, words, before]) => described(words, ended(outcome), before)),
};

const model = (part: Pick<PathModel, 'given' | 'input' | 'cases'>): PathModel => ({
  name: 'cartCheckout',
  machine: cartCheckoutMachine,
  description: cartCheckoutDescription,
  cases,
  ...part,
});

export const models: PathModel[] = [
  model({
    given: 'Signed in, with the title 1008 in the cart, open /cart/checkout.',
    input: flowInput({ flow: 'cartCheckout', path: '/cart/checkout', access: 'login' }, { signedIn: true }),
  }),
  model({
    given: `Signed in, in a store that adds tax to its prices ${preparations.taxes}, with the title 1008 in the cart, open /cart/checkout.`,
    input: flowInput(
      { flow: 'cartCheckout', path: '/cart/checkout', access: 'login' },
      { signedIn: true, store: { ...store, enableTax: true } },
    ),
    cases: {
      ...cases,
      'tax.told': [
        described('it is known', { tax }, preparations.france),
        described('it is not known any more', { tax: null }, 'Choose another country'),
      ],
      'tax.outdated': [described('', {}, `${preparations.reprice}. Then choose France under “Country”`)],
    },
  }),
  model({
    given:
      'Signed in, in a shop whose gateway takes digital wallets as well, with the title 1008 in the cart, open /cart/checkout.',
    input: flowInput({ flow: 'cartCheckout', path: '/cart/checkout', access: 'login' }, { signedIn: true }),
    cases: {
      ...cases,
      'method.chosen': [{ method: 'wallet' }],
      'xstate.done.actor.cartOrder': [
        described('a wallet pays as well', { output: { ...order, methods: ['wallet'] } }, preparations.wallet),
      ],
    },
  }),
  model({
    given:
      'Signed in, with a title in the cart, press “Continue to payment” at its checkout, and come back from the payment page: /cart/checkout?transId=….',
    input: flowInput(
      { flow: 'cartCheckout', path: '/cart/checkout?transId=t1', params: { transId: 't1' }, access: 'login' },
      { signedIn: true },
    ),
  }),
];
