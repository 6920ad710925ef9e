import type { Plain } from '../format.ts';
import type { OldFlow, PlainObject } from './names.ts';

const ofAll = ['transId', 'problem'];
const ofWays = ['countries', 'key', 'cards', 'cardId', 'methods', 'method', 'addsTax', 'tax', 'outcome', 'fields'];
const ofTitle = ['titleId', 'title', 'price', 'credits', 'balance', 'withCredits'];

/** The keys of today's context that the older context had in the same form. */
const comparedOf: Readonly<Record<OldFlow, ReadonlySet<string>>> = {
  checkout: new Set([...ofAll, ...ofWays, ...ofTitle, 'signedIn', 'resume', 'instanceId', 'isReduced', 'codeProblem', 'of']),
  cartCheckout: new Set([...ofAll, ...ofWays, 'cart', 'codeProblem']),
  gift: new Set([...ofAll, ...ofWays, ...ofTitle, 'cart', 'days']),
  subscribing: new Set(['planId', 'plan', 'cards']),
  receipt: new Set([...ofAll, 'isGift', 'receipt', 'subscription']),
};

/** The cart's flow kept one problem; today a refused code sets `codeProblem`. */
const isOfOrder = (on: string): boolean => on === 'xstate.init' || /\.actor\.(?:cartOrder|payment)$/.test(on);

const keyToday = (flow: OldFlow, key: string, on: string): string => {
  if (flow === 'cartCheckout' && key === 'quote') return 'cart';
  if (flow === 'cartCheckout' && key === 'problem' && !isOfOrder(on)) return 'codeProblem';
  if (flow === 'receipt' && key === 'held') return 'subscription';
  return flow === 'checkout' && key === 'paidFor' ? 'of' : key;
};

/** Translates the changes of a flow's context; `on` is the event that it took. */
export const flowContextToday = (flow: OldFlow, changed: PlainObject, on: string, state?: Plain): PlainObject => {
  // A cart of which a code leaves nothing to pay is not kept any more.
  if (flow === 'cartCheckout' && state === 'empty' && on !== 'xstate.done.actor.cartOrder') return {};
  // Today's machine forgets the transaction of an unknown payment.
  const isUnknown = state === 'notFound' && on === 'xstate.done.actor.payment';
  const entries = Object.entries(changed).map(([key, value]): [string, Plain] => [keyToday(flow, key, on), value]);
  return Object.fromEntries(entries.filter(([key]) => comparedOf[flow].has(key) && !(isUnknown && key === 'transId')));
};

/** The same for `payment` and `tax`. A returning payment for a cart had an empty list of titles. */
export const childContextToday = (changed: PlainObject): PlainObject => {
  const { titleIds, ...rest } = changed;
  return titleIds === undefined || (Array.isArray(titleIds) && titleIds.length === 0) ? rest : { ...rest, titleIds };
};
