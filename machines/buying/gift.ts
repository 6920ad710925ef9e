import { payableIds } from '../model/cart.ts';
import { isFree } from '../model/price.ts';
import { isTaxed } from '../model/tax.ts';
import { outputIn, problemIn } from '../ports.ts';
import { giftSetup } from './gift-setup.ts';
import { endsAs, whilePaying } from './paying.ts';
import { choosesCard, choosesCredits, choosesMethod, paidBy, readingWays } from './ways-to-pay.ts';

/** A payment that has come to nothing is forgotten, and can be begun anew. */
const unpaid = <Id extends string>(id: Id) =>
  ({
    entry: ['startAfresh', 'dropForm'],
    invoke: { id, src: 'forgetPending', input: { isSent: false } },
    on: { 'retry.pressed': { target: 'quoting', actions: 'goGift' } },
  }) as const;

/** Giving a title, or a whole cart, to somebody: whom it is for, the letter as it will look, then one payment for it. The giver's own copy is none of it. */
export const giftMachine = giftSetup.createMachine({
  id: 'gift',
  context: ({ input: { route, store } }) => ({
    titleId: route.params['titleid'] ?? '',
    ofCart: route.params['of'] === 'cart',
    countries: store.purchaseCountries,
    offers: store.enableGiftingTitle && store.showBuyTitle,
    transId: route.params['transId'] || null,
    key: null,
    title: null,
    price: null,
    days: null,
    cards: [],
    cardId: null,
    ...(store.enableTax ? { addsTax: true as const } : {}),
    outcome: null,
    fields: {},
    problem: null,
    pii: { form: null, letter: null },
  }),
  initial: 'arriving',
  states: {
    arriving: {
      always: [
        { guard: 'isReturning', target: 'paying' },
        { guard: 'hasNoGifts', target: 'notOffered' },
        { guard: 'isForNothing', target: 'notFound' },
        { target: 'quoting' },
      ],
    },
    quoting: {
      tags: 'busy',
      invoke: {
        id: 'giftOffer',
        src: 'giftOffer',
        input: ({ context: { titleId, ofCart, countries } }) => ({ titleId, ofCart, countries }),
        onDone: { target: 'quoted', actions: { type: 'keepOffer', params: outputIn } },
        onError: [
          { guard: { type: 'isMissing', params: problemIn }, target: 'notFound' },
          { target: 'unavailable', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    quoted: {
      always: [
        { guard: 'isReturning', target: 'paying' },
        { guard: 'isNotForSale', target: 'notForSale' },
        { guard: 'isFree', target: 'writing' },
        { target: 'readingCards' },
      ],
    },
    ...readingWays('writing'),
    /** Whom it is for, what is said to them, and when. */
    writing: {
      meta: { spec: ['S3.gift'] },
      on: {
        'gift.submitted': { target: 'previewing', actions: { type: 'keepForm', params: ({ event }) => event.pii.form } },
        'gift.rejected': { actions: { type: 'keepFields', params: ({ event }) => event.fields } },
        'cancel.pressed': { actions: 'goBack' },
      },
    },
    previewing: {
      tags: 'busy',
      invoke: {
        id: 'giftLetter',
        src: 'giftLetter',
        input: ({ context: { titleId, cart, pii } }) => ({
          titleId,
          ...(cart === undefined ? {} : { titleIds: payableIds(cart) }),
          pii: { form: pii.form },
        }),
        onDone: { target: 'checking', actions: { type: 'keepLetter', params: outputIn } },
        onError: { target: 'writing', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    checking: {
      entry: 'dropTax',
      exit: 'dropLetter',
      invoke: {
        id: 'tax',
        src: 'tax',
        input: ({ context }) => ({
          titleId: context.ofCart ? '' : context.titleId,
          price: context.price,
          isDue: isTaxed(context),
        }),
      },
      on: {
        'tax.told': { actions: { type: 'keepTax', params: ({ event }) => event.tax } },
        'tax.outdated': { target: 'priceChanged', actions: 'dropCards' },
        'card.chosen': choosesCard,
        'credits.chosen': choosesCredits,
        'method.chosen': choosesMethod,
        'change.pressed': 'writing',
        'pay.pressed': { guard: 'isPriced', target: 'paying', actions: 'dropCards' },
      },
    },
    paying: {
      invoke: {
        id: 'payment',
        src: 'payment',
        input: ({ context }) => {
          const { titleId, cart, price, title, key, transId, pii } = context;
          return {
            titleId,
            ...(cart === undefined ? {} : { titleIds: payableIds(cart) }),
            price,
            free: title !== null && isFree(title),
            key,
            transId,
            ...paidBy(context, isTaxed(context)),
            gift: { pii: { form: pii.form } },
          };
        },
        onDone: { target: 'paid', actions: { type: 'keepOutcome', params: outputIn } },
      },
      on: whilePaying,
    },
    paid: {
      always: [
        endsAs('succeeded'),
        { guard: 'isToChange', target: 'quoted', actions: 'dropTransaction' },
        endsAs('failed'),
        endsAs('cancelled'),
        endsAs('priceChanged'),
        endsAs('notFound'),
        // The server knows of no such payment, and nothing was charged.
        { target: 'quoting', actions: ['startAfresh', 'dropForm', 'goGift'] },
      ],
    },
    succeeded: {
      tags: 'busy',
      entry: ['goSuccess', 'dropForm'],
      invoke: { id: 'forgetSent', src: 'forgetPending', input: { isSent: true } },
    },
    failed: unpaid('forgetFailed'),
    cancelled: unpaid('forgetCancelled'),
    priceChanged: unpaid('forgetPrice'),
    notOffered: {},
    notForSale: { entry: 'dropForm' },
    notFound: { entry: 'dropForm' },
    unavailable: { on: { 'retry.pressed': 'quoting' } },
  },
});
