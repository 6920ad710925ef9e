import { isGift } from '../../../buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { FlowInput } from '../../../flows/flow-input.ts';
import type { PaidFor } from '../../../model/buying/purchase.ts';
import type { StoreProperties } from '../../../model/store/store.ts';
import { getPortInput, rulesFor, type Rule } from '../../../paths/rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant } = rulesFor<typeof purchaseMachine>();

/** The kind of purchase by the prefix of the path; the first match counts. */
const paidForByPath: [path: string, of: PaidFor][] = [
  ['/title/gift', 'gift'],
  ['/cart/gift', 'cartGift'],
  ['/cart/checkout', 'cart'],
  ['/subscription/purchase', 'subscription'],
  ['/', 'title'],
];

/** Whether a store sells each kind of purchase. */
const isSoldByStore: Record<PaidFor, (store: StoreProperties) => boolean> = {
  title: ({ showBuyTitle }) => showBuyTitle,
  cart: ({ showBuyTitle }) => showBuyTitle,
  gift: ({ showBuyTitle, enableGiftingTitle }) => showBuyTitle && enableGiftingTitle,
  cartGift: ({ showBuyTitle, enableGiftingTitle }) => showBuyTitle && enableGiftingTitle,
  subscription: ({ enableSubscription }) => enableSubscription,
};

/** The rules about the start of a purchase. */
export const startRules: Rule[] = [
  always('a purchase starts with the goods and payment of its URL and the settings of its store', (moment) => {
    if (moment.before !== null) return true;
    const { route, store } = moment.event['input'] as FlowInput;
    const getParameter = (key: string): string => new URLSearchParams(route.path.split('?')[1]).get(key) ?? '';
    const of = paidForByPath.find(([path]) => route.path.startsWith(path))?.[1];
    const { context } = moment.snapshot;
    return isSameJson(
      [context.of, context.titleId, context.planId, context.transId ?? '', context.intentId ?? '', context.isSold],
      [
        of,
        getParameter('titleid'),
        getParameter('planid'),
        getParameter('transId') || getParameter('subscriptionid'),
        getParameter('intentId'),
        of !== undefined && isSoldByStore[of](store),
      ],
    );
  }),
  always('a purchase starts by resuming a payment, requesting an offer, or showing why neither is possible', (moment) => {
    if (moment.before !== null) return true;
    const { value, context } = moment.snapshot;
    const { of, titleId, planId, isSold, transId } = context;
    if (transId !== null) return getPortInput(moment, 'payment') !== undefined;
    if (!isSold && (isGift({ of }) || of === 'subscription')) return value === 'notOffered';
    const isNamed = of === 'cart' || of === 'cartGift' || (of === 'subscription' ? planId : titleId) !== '';
    return isNamed ? getPortInput(moment, 'offer') !== undefined : value === 'notFound';
  }),
  invariant('a store without gifts, or without subscriptions, offers none', ({ value, context }) => {
    const isClosed = !context.isSold && (isGift(context) || context.of === 'subscription');
    return (
      !isClosed || ['notOffered', 'paying', 'succeeded', 'failed', 'cancelled', 'priceChanged', 'paymentNotFound'].includes(value)
    );
  }),
];
