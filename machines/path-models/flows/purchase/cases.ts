import type { Offer } from '../../../buying/purchase/offer.ts';
import type { Outcome } from '../../../buying/payment-setup.ts';
import type { PaidFor } from '../../../model/buying/purchase.ts';
import type { Problem } from '../../../model/problem.ts';
import { described } from '../../description.ts';
import { problems, rejected, rejections, type PathModel } from '../../path-model.ts';
import { operator, preparations } from '../../preparations.ts';
import {
  balances,
  card,
  credits,
  emptyCart,
  expired,
  form,
  free,
  leftWithNothing,
  letter,
  nothing,
  offers,
  otherCard,
  otherForm,
  tax,
  withCode,
  withoutCode,
} from './offers.ts';

type Cases = NonNullable<PathModel['cases']>;
type Case = Record<string, unknown>;

const refused = (code: string): Problem => ({ kind: 'refused', code, message: '' });

const refuseAs = (code: string): string =>
  `Override \`payment/session\` with \`<Error><StatusCode>409</StatusCode><Code>${code}</Code></Error>\``;

const takeOut = 'Take the titles out of the cart, in another tab';
const begunBefore =
  'Begin the payment of the same before, as the same customer in this browser, and close the tab of the payment page';
const draftBegun = 'Write to somebody in this tab, press “Preview the email”, and go elsewhere by a link';

const ofGift = (of: PaidFor): boolean => of === 'gift' || of === 'cartGift';
const ofCart = (of: PaidFor): boolean => of === 'cart' || of === 'cartGift';

const ended = (outcome: Outcome, problem: Problem | null = null, paidFor: PaidFor | null = null) => ({
  output: { outcome, titleId: '1001', transId: 't1', problem, paidFor },
});

const ownedMeanwhile: Record<PaidFor, string> = {
  title: `${refuseAs('already_owned')}, choose 10000 ms of latency (Network), and be ready in another browser to buy the title while “Taking you to the payment page…” is shown`,
  cart: 'While the summary is shown, buy one of the titles in another tab',
  gift: refuseAs('already_owned'),
  cartGift: refuseAs('already_owned'),
  subscription: 'While the summary is shown, subscribe in another tab by the payment page',
};

const endingsOf = (of: PaidFor) => [
  described('it is paid, and what was bought is granted', ended('succeeded'), preparations.paid),
  described('the card is declined', ended('failed', problems.declined), preparations.declined),
  described('the customer has cancelled it', ended('cancelled'), preparations.cancelled),
  described('the price has changed since the summary', ended('priceChanged'), preparations.reprice),
  described('it turns out to be the customer’s already', ended('owned'), ownedMeanwhile[of]),
  described(
    'the server knows of no such payment',
    ended('none'),
    'Override `payment/session` (`checkout/cart/session` of a cart, `checkout/subscription/session` of a plan) with `<Torn`, press “Check again” once it is not known what has become of the payment, and take the override away',
  ),
  described('there is no such payment', ended('notFound'), preparations.unknown),
];

/** Refusals that only the words of a gift can have. */
const formRefused = described(
  'the day that was chosen has passed',
  ended('failed', refused('gift_day')),
  'Override `payment/session` (`checkout/cart/session` of a cart) with `<Error><StatusCode>409</StatusCode><Code>gift_day</Code></Error>`',
);

/** A payment that has been for something else than the address says. */
export const endedElsewise = [
  described('it is paid, and was for the cart', ended('succeeded', null, 'cart'), 'Begin the payment of the cart instead'),
  described('it is paid, and was a gift', ended('succeeded', null, 'gift'), 'Begin the payment of a gift instead'),
  described('it is paid, and was the cart as a gift', ended('succeeded', null, 'cartGift'), 'Begin to give the cart instead'),
];

const plain: Record<PaidFor, string> = {
  title: 'it can be bought',
  cart: 'there are titles to pay for',
  gift: 'it can be given',
  cartGift: 'there are titles to give',
  subscription: 'it is offered',
};

const unsold = 'Take the title 1012 instead';
const otherwise: Partial<Record<PaidFor, Case[]>> = {
  title: [
    described(
      'the customer owns it already',
      { output: { ...offers.title, instanceId: 'i1' } },
      'Have the title bought by then, as the same customer in another browser',
    ),
    described('it is not for sale', { output: nothing.title }, `${unsold}: /title/purchase?titleid=1012`),
    described('it is free', { output: free(offers.title) }, 'Take the title 1011 instead: /title/purchase?titleid=1011'),
  ],
  gift: [
    described('it is not for sale', { output: nothing.gift }, `${unsold}: /title/gift?titleid=1012`),
    described(
      'it is free',
      { output: free(offers.gift) },
      `Take the title 1011 instead (/title/gift?titleid=1011), or, in the middle of a test, make its title free: ${operator('titles set --id 1008 --price 0USD')}; afterwards back`,
    ),
  ],
  cart: [described('there is nothing to pay for', { output: nothing.cart }, takeOut)],
  cartGift: [described('there is nothing to pay for', { output: nothing.cartGift }, takeOut)],
};

const inCredits = (of: PaidFor): Case[] =>
  ofCart(of) || of === 'subscription'
    ? []
    : [
        described(
          `${plain[of]}, for credits as well`,
          { output: { ...offers[of], credits } },
          `Take the title 1001 instead: /title/${of === 'gift' ? 'gift' : 'purchase'}?titleid=1001`,
        ),
      ];

const offersOf = (of: PaidFor): Case[] => [
  described(plain[of], { output: offers[of] }),
  ...inCredits(of),
  described(
    `${plain[of]}, for less by a code`,
    { output: { ...offers[of], ...withCode(of)[0], key: 'k1' } },
    of === 'title' || of === 'gift'
      ? 'Open /redeem/DEMO-20-PERCENT in this tab, and go to the title from there'
      : 'Apply a code before, in this tab, and go elsewhere by a link',
  ),
  // The browser remembers no payment of a plan: the gateway leads back with it.
  ...(of === 'subscription'
    ? []
    : [
        described(
          `${plain[of]}, and an unfinished payment is remembered`,
          { output: { ...offers[of], transId: 't0' } },
          begunBefore,
        ),
      ]),
  ...(ofGift(of)
    ? [
        described(
          `${plain[of]}, and a gift was begun in this tab`,
          { output: { ...offers[of], pii: { draft: form } } },
          draftBegun,
        ),
      ]
    : []),
  ...(otherwise[of] ?? []),
];

const gone: Record<PaidFor, string> = {
  title: 'Take a title that is not there: /title/purchase?titleid=9999',
  gift: 'Take a title that is not there: /title/gift?titleid=9999',
  cart: 'Override `cart/titles` with `<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>`',
  cartGift: 'Override `cart/titles` with `<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>`',
  subscription:
    'Take a plan that is not there, /subscription/purchase?planid=nothing, or, after another answer, override `plans/*` with `<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>`',
};

/** The actions of the customer on the summary, and the answers of the server to them. */
export const casesOf = (of: PaidFor): Cases => ({
  leave: [{ url: 'https://pay.example/1' }],
  // Where the store adds no tax, none is computed.
  'tax.told': [],
  'tax.outdated': [],
  'xstate.done.actor.offer': offersOf(of),
  'xstate.error.actor.offer': [
    ...rejections(problems.offline),
    rejected(problems.notFound, gone[of]),
    ...rejections(problems.unauthorized),
  ],
  'xstate.done.actor.keptCards': [
    described('two, and one that has expired', { output: [card, otherCard, expired] }, preparations.cards),
    described('none', { output: [] }),
  ],
  'xstate.error.actor.keptCards': rejections(problems.offline),
  'xstate.done.actor.creditBalance': [
    described('as many as it costs', { output: balances.enough }, preparations.credits),
    described('one too few', { output: balances.short }, 'Take a customer who has redeemed no credits'),
    described(
      'enough, and the store takes none',
      { output: balances.notTaken },
      `${preparations.credits}, and ${operator('properties set --set EnableBuyWithCredits=false')}; afterwards \`=true\``,
    ),
  ],
  'xstate.error.actor.creditBalance': rejections(problems.offline),
  'card.chosen': [
    described('the first that was kept', { cardId: 'c1' }),
    described('the second that was kept', { cardId: 'c2' }),
    described('“Another card”', { cardId: null }),
  ],
  'method.chosen': [{ method: 'wallet' }],
  'code.submitted': [
    described('one', { pii: { form: { code: 'SPRING' } } }),
    described('another', { pii: { form: { code: 'AUTUMN' } } }),
  ],
  'code.rejected': [{ fields: { code: 'required' } }],
  'xstate.done.actor.applyCode': [
    ...withCode(of).map((output, at) =>
      described(`${at === 0 ? 20 : 10}% off`, { output }, `Take the code DEMO-${at === 0 ? 20 : 10}-PERCENT`),
    ),
    ...(ofCart(of)
      ? [
          described(
            'there is nothing to pay for any more',
            { output: leftWithNothing },
            `Take the code DEMO-20-PERCENT. ${takeOut}`,
          ),
        ]
      : []),
  ],
  'xstate.error.actor.applyCode': [
    ...rejections(problems.offline),
    rejected(problems.notFound, 'Take the code NO-SUCH-CODE'),
    rejected(refused('code_used'), 'Take the code DEMO-USED'),
    rejected(refused('code_expired'), 'Take the code DEMO-OLD'),
  ],
  'xstate.done.actor.removeCode': [
    described('the usual one', { output: withoutCode(of) }),
    ...(ofCart(of)
      ? [
          described(
            'there is nothing to pay for any more',
            { output: { ...withoutCode(of), cart: emptyCart, price: null } },
            takeOut,
          ),
        ]
      : []),
  ],
  'xstate.error.actor.removeCode': rejections(problems.offline),
  'gift.submitted': [described('to one', { pii: { form } }), described('to another', { pii: { form: otherForm } })],
  'gift.rejected': [{ fields: { email: 'email' } }],
  'xstate.done.actor.giftLetter': [
    described('it', { output: { pii: { letter } } }),
    described(
      'nothing, as the server does not show it',
      { output: { pii: { letter: null } } },
      'Override `gift/preview` with status 404',
    ),
  ],
  'xstate.error.actor.giftLetter': rejections(problems.offline, refused('gift_day')),
  'xstate.done.actor.payment': [...endingsOf(of), ...(ofGift(of) ? [formRefused] : [])],
});

/** The same where the gateway takes wallets as well. */
export const withWallet = (of: PaidFor, part: Partial<Offer> = {}): Cases => ({
  ...casesOf(of),
  'xstate.done.actor.offer': [
    described('a wallet pays as well', { output: { ...offers[of], ...part, methods: ['wallet'] } }, preparations.wallet),
  ],
});

/** The same of a store that adds tax. */
export const withTax = (of: PaidFor): Cases => ({
  ...casesOf(of),
  'tax.told': [
    described('it is known', { tax }, preparations.france),
    described('it is not known any more', { tax: null }, 'Choose another country'),
  ],
  'tax.outdated': [described('', {}, `${preparations.reprice}. Then choose France under “Country”`)],
});
