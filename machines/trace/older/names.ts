import type { Plain, Step, CrossMessage } from '../format.ts';

/** The four purchase flows of older shops, and their `receipt`, which had no subscriptions. */
export type OldFlow = 'checkout' | 'cartCheckout' | 'gift' | 'subscribing' | 'receipt';

const oldFlows: ReadonlySet<string> = new Set<OldFlow>(['checkout', 'cartCheckout', 'gift', 'subscribing', 'receipt']);

export const isOldFlow = (name: Plain | undefined): name is OldFlow => typeof name === 'string' && oldFlows.has(name);

export type PlainObject = { [key: string]: Plain };

export const isObject = (value: Plain | undefined): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const getNestedValue = (value: Plain | undefined, ...keys: string[]): Plain | undefined =>
  keys.reduce<Plain | undefined>((part, key) => (isObject(part) ? part[key] : undefined), value);

export const getNestedObject = (value: Plain | undefined, ...keys: string[]): PlainObject => {
  const part = getNestedValue(value, ...keys);
  return isObject(part) ? part : {};
};

const subscribedPage = 'subscription/purchase/success';

const isSubscriptionReceipt = ({ page }: PlainObject): boolean => page === subscribedPage;

/** The parameters that `machines/flows/purchase.ts` reads from the same URL. */
const translateParams = (flow: OldFlow, path: string, oldParams: PlainObject): PlainObject => {
  const { page: _, ...params } = oldParams;
  if (flow === 'cartCheckout') return { of: 'cart', ...params };
  if (flow === 'gift') return { of: 'title', ...params, as: 'gift' };
  if (flow === 'subscribing') return { of: 'subscription', ...params };
  return flow === 'checkout' && path.startsWith('/title/purchase') ? { of: 'title', ...params } : params;
};

type OldRoute = PlainObject & { flow: OldFlow; params: PlainObject };

const isOldRoute = (value: PlainObject): value is OldRoute => isOldFlow(value['flow']) && isObject(value['params']);

const translateRoute = (route: OldRoute): PlainObject => {
  const { flow, params, path } = route;
  const isReceipt = flow === 'receipt' || (flow === 'subscribing' && isSubscriptionReceipt(params));
  return {
    ...route,
    flow: isReceipt ? 'receipt' : 'purchase',
    params: translateParams(flow, typeof path === 'string' ? path : '', params),
  };
};

/** The current name of a flow at this route; the success page of `subscribing` is a receipt. */
export const toCurrentFlowName = (flow: Plain | undefined, route: PlainObject | null): Plain => {
  if (flow === undefined) return null;
  if (!isOldFlow(flow) || flow === 'receipt') return flow;
  const params = route?.['params'];
  return flow === 'subscribing' && isObject(params) && isSubscriptionReceipt(params) ? 'receipt' : 'purchase';
};

/**
 * The old flow of a route, null if it is another flow. A new subscription's success page is
 * `receipt`.
 */
export const getOldFlow = (route: PlainObject | null): OldFlow | null => {
  const flow = toCurrentFlowName(route?.['flow'], route) === 'receipt' ? 'receipt' : route?.['flow'];
  return isOldFlow(flow) ? flow : null;
};

/** Replaces the names of flows in routes, in `fetchedFlows` and in the input of `fetchFlow`. */
export const withCurrentFlows = (value: Plain, route: PlainObject | null): Plain => {
  if (Array.isArray(value)) return value.map((part) => withCurrentFlows(part, route));
  if (!isObject(value)) return value;
  if (isOldRoute(value)) return translateRoute(value);
  const entries = Object.entries(value).map(([key, part]): [string, Plain] => {
    if (key === 'flow' && isOldFlow(part)) return [key, toCurrentFlowName(part, route)];
    if (key === 'fetchedFlows' && Array.isArray(part)) {
      return [key, [...new Set(part.map((each) => toCurrentFlowName(each, route)))]];
    }
    return [key, withCurrentFlows(part, route)];
  });
  return Object.fromEntries(entries);
};

const currentActors: Readonly<Record<string, string>> = {
  quote: 'offer',
  cartOrder: 'offer',
  giftOffer: 'offer',
  giftLetter: 'giftPreview',
  forgetChanged: 'forgetPrice',
  forgetSent: 'forgetPaid',
  loadPlan: 'offer',
  loadCards: 'savedCards',
  startByCard: 'payment/payByCard',
  startSubscribing: 'payment/startPayment',
  confirmSubscription: 'payment/confirmPayment',
};

/**
 * Whether a step contains `restartMessage`: the server had no such payment, and the current machine
 * navigates to the purchase's first page.
 */
export const restartsPurchase = ({ messages = [] }: Pick<Step, 'messages'>): boolean => messages.includes(restartMessage);

/** Inserted in place of a navigation that the older shop did not make; its URL is not compared. */
export const restartMessage: CrossMessage = {
  from: 'root/location',
  to: 'root/location/history',
  event: { type: 'history.replace' },
};

/**
 * The current name of an actor within a purchase, relative to the flow: `offer~1` for `quote~1`.
 */
export const toCurrentActor = (name: string): string => {
  const [, base = '', suffix = ''] = /^([^~/]+)(.*)$/.exec(name) ?? [];
  return `${currentActors[base] ?? base}${suffix}`;
};

const currentStates: Readonly<Record<OldFlow, Readonly<Record<string, string>>>> = {
  checkout: {},
  cartCheckout: { changed: 'priceChanged', empty: 'notForSale', notFound: 'paymentNotFound' },
  gift: { checking: 'ready' },
  subscribing: {
    loading: 'quoting',
    findingCards: 'readingCards',
    actionRequired: 'paying',
    confirming: 'paying',
    unknown: 'paying',
    confirmed: 'succeeded',
    refused: 'failed',
    subscribed: 'owned',
  },
  receipt: { welcoming: 'loadingSubscription', welcomed: 'subscribed' },
};

/** The current name of a flow's state; `on` is the event that led to the state. */
export const toCurrentState = (flow: OldFlow, state: Plain, on: string): Plain => {
  if (isObject(state)) return state['offering'] === 'ready' ? 'ready' : 'paying';
  if (typeof state !== 'string') return state;
  if (state === 'notFound' && on === 'xstate.done.actor.payment') return 'paymentNotFound';
  return currentStates[flow][state] ?? state;
};
