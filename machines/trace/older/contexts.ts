import type { Plain } from '../format.ts';
import type { OldFlow, PlainObject } from './names.ts';

const commonKeys = ['transId', 'problem'];
const paymentKeys = ['countries', 'key', 'cards', 'cardId', 'methods', 'method', 'addsTax', 'tax', 'outcome', 'fields'];
const titleKeys = ['titleId', 'title', 'price', 'credits', 'balance', 'withCredits'];

/**
 * The keys, by their current names, whose values are the same in the older and current contexts.
 */
const comparedKeys: Readonly<Record<OldFlow, ReadonlySet<string>>> = {
  checkout: new Set([
    ...commonKeys,
    ...paymentKeys,
    ...titleKeys,
    'signedIn',
    'resume',
    'instanceId',
    'isReduced',
    'codeProblem',
    'of',
  ]),
  cartCheckout: new Set([...commonKeys, ...paymentKeys, 'cart', 'codeProblem']),
  gift: new Set([...commonKeys, ...paymentKeys, ...titleKeys, 'cart', 'days']),
  subscribing: new Set(['planId', 'plan', 'cards']),
  receipt: new Set([...commonKeys, 'isGift', 'receipt', 'subscription']),
};

/**
 * Whether an event sets `problem`; after other events the cart's `problem` is now `codeProblem`.
 */
const isOrderEvent = (on: string): boolean => on === 'xstate.init' || /\.actor\.(?:cartOrder|payment)$/.test(on);

const toCurrentKey = (flow: OldFlow, key: string, on: string): string => {
  if (flow === 'cartCheckout' && key === 'quote') return 'cart';
  if (flow === 'cartCheckout' && key === 'problem' && !isOrderEvent(on)) return 'codeProblem';
  if (flow === 'receipt' && key === 'held') return 'subscription';
  return flow === 'checkout' && key === 'paidFor' ? 'of' : key;
};

/** Translates the changes of a flow's context; `on` is the event that caused them. */
export const toCurrentFlowContext = (flow: OldFlow, changed: PlainObject, on: string, state?: Plain): PlainObject => {
  // The context no longer keeps a cart that a code reduces to nothing to pay.
  if (flow === 'cartCheckout' && state === 'empty' && on !== 'xstate.done.actor.cartOrder') return {};
  // The current machine drops the transaction of an unknown payment.
  const isUnknown = state === 'notFound' && on === 'xstate.done.actor.payment';
  const entries = Object.entries(changed).map(([key, value]): [string, Plain] => [toCurrentKey(flow, key, on), value]);
  return Object.fromEntries(entries.filter(([key]) => comparedKeys[flow].has(key) && !(isUnknown && key === 'transId')));
};

/**
 * Translates the changes of the context of `payment` or `tax`: drops the empty list of titles that
 * a resumed payment for a cart had.
 */
export const toCurrentChildContext = (changed: PlainObject): PlainObject => {
  const { titleIds, ...rest } = changed;
  return titleIds === undefined || (Array.isArray(titleIds) && titleIds.length === 0) ? rest : { ...rest, titleIds };
};
