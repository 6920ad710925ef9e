import type { Plain } from '../format.ts';
import type { OldFlow, PlainObject } from './names.ts';

const ofAll = ['transId', 'problem'];
const ofWays = ['countries', 'key', 'cards', 'cardId', 'methods', 'method', 'addsTax', 'tax', 'outcome', 'fields'];
const ofTitle = ['titleId', 'title', 'price', 'credits', 'balance', 'withCredits'];

/** What can be compared of a flow's context. What else there is was not kept, or not in this form. */
const comparedOf: Readonly<Record<OldFlow, ReadonlySet<string>>> = {
  checkout: new Set([...ofAll, ...ofWays, ...ofTitle, 'signedIn', 'resume', 'instanceId', 'isReduced', 'codeProblem', 'of']),
  cartCheckout: new Set([...ofAll, ...ofWays, 'cart', 'codeProblem']),
  gift: new Set([...ofAll, ...ofWays, ...ofTitle, 'cart', 'days']),
  subscribing: new Set(['planId', 'plan', 'cards']),
  receipt: new Set([...ofAll, 'isGift', 'receipt', 'subscription']),
};

/** The cart's flow kept one problem; what was wrong with a code is a problem of its own today. */
const isOfOrder = (on: string): boolean => on === 'xstate.init' || /\.actor\.(?:cartOrder|payment)$/.test(on);

const keyToday = (flow: OldFlow, key: string, on: string): string => {
  if (flow === 'cartCheckout' && key === 'quote') return 'cart';
  if (flow === 'cartCheckout' && key === 'problem' && !isOfOrder(on)) return 'codeProblem';
  if (flow === 'receipt' && key === 'held') return 'subscription';
  return flow === 'checkout' && key === 'paidFor' ? 'of' : key;
};

/** What has changed in the context of a flow, as today's machine has it; `on` is the event that it took. */
export const flowContextToday = (flow: OldFlow, changed: PlainObject, on: string, state?: Plain): PlainObject => {
  // A cart of which a code leaves nothing to pay is not kept any more.
  if (flow === 'cartCheckout' && state === 'empty' && on !== 'xstate.done.actor.cartOrder') return {};
  // The transaction of a payment that nobody knows is forgotten today.
  const isUnknown = state === 'notFound' && on === 'xstate.done.actor.payment';
  const entries = Object.entries(changed).map(([key, value]): [string, Plain] => [keyToday(flow, key, on), value]);
  return Object.fromEntries(entries.filter(([key]) => comparedOf[flow].has(key) && !(isUnknown && key === 'transId')));
};

/** The same of the machines within a flow, `payment` and `tax`: a returning payment for a cart knew no titles. */
export const childContextToday = (changed: PlainObject): PlainObject => {
  const { titleIds, ...rest } = changed;
  return titleIds === undefined || (Array.isArray(titleIds) && titleIds.length === 0) ? rest : { ...rest, titleIds };
};
