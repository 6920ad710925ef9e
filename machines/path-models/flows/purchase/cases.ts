import type { Offer } from '../../../buying/purchase/offer.ts';
import type { PaymentOutcome } from '../../../buying/payment-setup.ts';
import type { PaidFor } from '../../../model/buying/purchase.ts';
import type { Problem } from '../../../model/problem.ts';
import { describeCase } from '../../description.ts';
import { problems, createRejectionCase, toRejectionCases, type PathModel } from '../../path-model.ts';
import { formatOperatorInstruction, preparations } from '../../preparations.ts';
import {
  balances,
  card,
  credits,
  emptyCart,
  expiredCard,
  form,
  toFreeOffer,
  emptiedCartPrice,
  preview,
  emptyOffers,
  offers,
  otherCard,
  otherForm,
  tax,
  createReducedPrices,
  createFullPrice,
} from './offers.ts';

type Cases = NonNullable<PathModel['cases']>;
type Case = Record<string, unknown>;

const toRefusal = (code: string): Problem => ({ kind: 'refused', code, message: '' });

const formatOverrideInstruction = (code: string): string =>
  `Override \`payment/session\` with \`<Error><StatusCode>409</StatusCode><Code>${code}</Code></Error>\``;

const takeOutInstruction = 'Take the titles out of the cart, in another tab';
const startedBeforeInstruction =
  'Start a payment of the same goods before, as the same customer in this browser, and close the tab of the payment page';
const draftInstruction =
  'Address the gift to a recipient in this tab, press “Preview the email”, and follow a link to another page';

const isGiftKind = (of: PaidFor): boolean => of === 'gift' || of === 'cartGift';
const isCartKind = (of: PaidFor): boolean => of === 'cart' || of === 'cartGift';

const toOutcomeOutput = (outcome: PaymentOutcome, problem: Problem | null = null, paidFor: PaidFor | null = null) => ({
  output: { outcome, titleId: '1001', transId: 't1', problem, paidFor },
});

const ownedInstructions: Record<PaidFor, string> = {
  title: `${formatOverrideInstruction('already_owned')}, choose 10000 ms of latency (Network), and be ready in another browser to buy the title while “Taking you to the payment page…” is shown`,
  cart: 'While the summary is shown, buy one of the titles in another tab',
  gift: formatOverrideInstruction('already_owned'),
  cartGift: formatOverrideInstruction('already_owned'),
  subscription: 'While the summary is shown, subscribe in another tab by the payment page',
};

const createPaymentCases = (of: PaidFor) => [
  describeCase('it is paid, and the goods are granted', toOutcomeOutput('succeeded'), preparations.paidPayment),
  describeCase('the card is declined', toOutcomeOutput('failed', problems.declined), preparations.declinedPayment),
  describeCase('the customer has cancelled it', toOutcomeOutput('cancelled'), preparations.cancelledPayment),
  describeCase('the price has changed since the summary', toOutcomeOutput('priceChanged'), preparations.priceChange),
  describeCase('the customer already has it', toOutcomeOutput('owned'), ownedInstructions[of]),
  describeCase(
    'the server has no payment for the order',
    toOutcomeOutput('none'),
    'Override `payment/session` (`checkout/cart/session` of a cart, `checkout/subscription/session` of a plan) with `<Torn`, press “Check again” once the outcome of the payment is unknown, and remove the override',
  ),
  describeCase('there is no such payment', toOutcomeOutput('notFound'), preparations.unknownPayment),
];

/** A payment that is refused because of the form of a gift. */
const formRejectedCase = describeCase(
  'the chosen delivery day has passed',
  toOutcomeOutput('failed', toRefusal('gift_day')),
  'Override `payment/session` (`checkout/cart/session` of a cart) with `<Error><StatusCode>409</StatusCode><Code>gift_day</Code></Error>`',
);

/** Payments of another kind of purchase than the one in the URL. */
export const otherPurposeCases = [
  describeCase(
    'it is paid, and was for the cart',
    toOutcomeOutput('succeeded', null, 'cart'),
    'Start the payment of the cart instead',
  ),
  describeCase(
    'it is paid, and was for a gift',
    toOutcomeOutput('succeeded', null, 'gift'),
    'Start the payment of a gift instead',
  ),
  describeCase(
    'it is paid, and was for the cart as a gift',
    toOutcomeOutput('succeeded', null, 'cartGift'),
    'Start the payment of the cart as a gift instead',
  ),
];

const offerTexts: Record<PaidFor, string> = {
  title: 'it can be bought',
  cart: 'there are titles to pay for',
  gift: 'it can be given',
  cartGift: 'there are titles to give',
  subscription: 'it is offered',
};

const unsoldInstruction = 'Take the title 1012 instead';
const otherOfferCases: Partial<Record<PaidFor, Case[]>> = {
  title: [
    describeCase(
      'the customer owns it already',
      { output: { ...offers.title, instanceId: 'i1' } },
      'Buy the title before, as the same customer in another browser',
    ),
    describeCase('it is not for sale', { output: emptyOffers.title }, `${unsoldInstruction}: /title/purchase?titleid=1012`),
    describeCase(
      'it is free',
      { output: toFreeOffer(offers.title) },
      'Take the title 1011 instead: /title/purchase?titleid=1011',
    ),
  ],
  gift: [
    describeCase('it is not for sale', { output: emptyOffers.gift }, `${unsoldInstruction}: /title/gift?titleid=1012`),
    describeCase(
      'it is free',
      { output: toFreeOffer(offers.gift) },
      `Take the title 1011 instead (/title/gift?titleid=1011), or, in the middle of a test, make its title free: ${formatOperatorInstruction('titles set --id 1008 --price 0USD')}; after the test set the old price again`,
    ),
  ],
  cart: [describeCase('the cart has nothing to pay for', { output: emptyOffers.cart }, takeOutInstruction)],
  cartGift: [describeCase('the cart has nothing to pay for', { output: emptyOffers.cartGift }, takeOutInstruction)],
};

const createCreditCases = (of: PaidFor): Case[] =>
  isCartKind(of) || of === 'subscription'
    ? []
    : [
        describeCase(
          `${offerTexts[of]}, for credits as well`,
          { output: { ...offers[of], credits } },
          `Take the title 1001 instead: /title/${of === 'gift' ? 'gift' : 'purchase'}?titleid=1001`,
        ),
      ];

const createOfferCases = (of: PaidFor): Case[] => [
  describeCase(offerTexts[of], { output: offers[of] }),
  ...createCreditCases(of),
  describeCase(
    `${offerTexts[of]}, at a price reduced by a code`,
    { output: { ...offers[of], ...createReducedPrices(of)[0], key: 'k1' } },
    of === 'title' || of === 'gift'
      ? 'Open /redeem/DEMO-20-PERCENT in this tab, and go to the title from there'
      : 'Apply a code before, in this tab, and follow a link to another page',
  ),
  // The browser stores no payment of a plan: the redirect of the gateway names it.
  ...(of === 'subscription'
    ? []
    : [
        describeCase(
          `${offerTexts[of]}, and the browser remembers an unfinished payment`,
          { output: { ...offers[of], transId: 't0' } },
          startedBeforeInstruction,
        ),
      ]),
  ...(isGiftKind(of)
    ? [
        describeCase(
          `${offerTexts[of]}, and this tab has a gift draft`,
          { output: { ...offers[of], pii: { draft: form } } },
          draftInstruction,
        ),
      ]
    : []),
  ...(otherOfferCases[of] ?? []),
];

const missingGoodsInstructions: Record<PaidFor, string> = {
  title: 'Take a title that does not exist: /title/purchase?titleid=9999',
  gift: 'Take a title that does not exist: /title/gift?titleid=9999',
  cart: 'Override `cart/titles` with `<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>`',
  cartGift: 'Override `cart/titles` with `<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>`',
  subscription:
    'Take a plan that does not exist, /subscription/purchase?planid=nothing, or, after another answer, override `plans/*` with `<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>`',
};

/** The cases of a purchase: the customer's actions, and the server's answers. */
export const createCases = (of: PaidFor): Cases => ({
  leave: [{ url: 'https://pay.example/1' }],
  // These events do not occur in a store that adds no tax.
  'tax.changed': [],
  'tax.outdated': [],
  'xstate.done.actor.offer': createOfferCases(of),
  'xstate.error.actor.offer': [
    ...toRejectionCases(problems.offline),
    createRejectionCase(problems.notFound, missingGoodsInstructions[of]),
    ...toRejectionCases(problems.unauthorized),
  ],
  'xstate.done.actor.savedCards': [
    describeCase('two, and one that has expired', { output: [card, otherCard, expiredCard] }, preparations.cards),
    describeCase('none', { output: [] }),
  ],
  'xstate.error.actor.savedCards': toRejectionCases(problems.offline),
  'xstate.done.actor.creditBalance': [
    describeCase('as many credits as it costs', { output: balances.enough }, preparations.credits),
    describeCase('one too few', { output: balances.short }, 'Take a customer who has redeemed no credits'),
    describeCase(
      'enough, but the store accepts no credits',
      { output: balances.notTaken },
      `${preparations.credits}, and ${formatOperatorInstruction('properties set --set EnableBuyWithCredits=false')}; after the test set \`=true\` again`,
    ),
  ],
  'xstate.error.actor.creditBalance': toRejectionCases(problems.offline),
  'card.chosen': [
    describeCase('the first saved card', { cardId: 'c1' }),
    describeCase('the second saved card', { cardId: 'c2' }),
    describeCase('“Another card”', { cardId: null }),
  ],
  'method.chosen': [{ method: 'wallet' }],
  'code.submitted': [
    describeCase('one', { pii: { form: { code: 'SPRING' } } }),
    describeCase('another', { pii: { form: { code: 'AUTUMN' } } }),
  ],
  'code.rejected': [{ fields: { code: 'required' } }],
  'xstate.done.actor.applyCode': [
    ...createReducedPrices(of).map((output, index) =>
      describeCase(`${index === 0 ? 20 : 10}% off`, { output }, `Take the code DEMO-${index === 0 ? 20 : 10}-PERCENT`),
    ),
    ...(isCartKind(of)
      ? [
          describeCase(
            'the cart has nothing left to pay for',
            { output: emptiedCartPrice },
            `Take the code DEMO-20-PERCENT. ${takeOutInstruction}`,
          ),
        ]
      : []),
  ],
  'xstate.error.actor.applyCode': [
    ...toRejectionCases(problems.offline),
    createRejectionCase(problems.notFound, 'Take the code NO-SUCH-CODE'),
    createRejectionCase(toRefusal('code_used'), 'Take the code DEMO-USED'),
    createRejectionCase(toRefusal('code_expired'), 'Take the code DEMO-OLD'),
  ],
  'xstate.done.actor.removeCode': [
    describeCase('the full price', { output: createFullPrice(of) }),
    ...(isCartKind(of)
      ? [
          describeCase(
            'the cart has nothing left to pay for',
            { output: { ...createFullPrice(of), cart: emptyCart, price: null } },
            takeOutInstruction,
          ),
        ]
      : []),
  ],
  'xstate.error.actor.removeCode': toRejectionCases(problems.offline),
  'gift.submitted': [
    describeCase('to one recipient', { pii: { form } }),
    describeCase('to another recipient', { pii: { form: otherForm } }),
  ],
  'gift.rejected': [{ fields: { email: 'email' } }],
  'xstate.done.actor.giftPreview': [
    describeCase('one', { output: { pii: { preview } } }),
    describeCase(
      'none, as the server has no previews',
      { output: { pii: { preview: null } } },
      'Override `gift/preview` with status 404',
    ),
  ],
  'xstate.error.actor.giftPreview': toRejectionCases(problems.offline, toRefusal('gift_day')),
  'xstate.done.actor.payment': [...createPaymentCases(of), ...(isGiftKind(of) ? [formRejectedCase] : [])],
});

/** The cases of a purchase if the gateway accepts wallets. */
export const createWalletCases = (of: PaidFor, overrides: Partial<Offer> = {}): Cases => ({
  ...createCases(of),
  'xstate.done.actor.offer': [
    describeCase(
      'it can be paid by a wallet as well',
      { output: { ...offers[of], ...overrides, methods: ['wallet'] } },
      preparations.wallet,
    ),
  ],
});

/** The cases of a purchase in a store that adds tax. */
export const createTaxCases = (of: PaidFor): Cases => ({
  ...createCases(of),
  'tax.changed': [
    describeCase('it is known', { tax }, preparations.france),
    describeCase('it is no longer known', { tax: null }, 'Choose another country'),
  ],
  'tax.outdated': [describeCase('', {}, `${preparations.priceChange}. Then choose France under “Country”`)],
});
