import type { Plain, Step, Told } from '../format.ts';

/** The purchase flows of older shops. Today's `receipt` includes subscriptions. */
export type OldFlow = 'checkout' | 'cartCheckout' | 'gift' | 'subscribing' | 'receipt';

const oldFlows: ReadonlySet<string> = new Set<OldFlow>(['checkout', 'cartCheckout', 'gift', 'subscribing', 'receipt']);

export const isOldFlow = (name: Plain | undefined): name is OldFlow => typeof name === 'string' && oldFlows.has(name);

export type PlainObject = { [key: string]: Plain };

export const isObject = (value: Plain | undefined): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const subscribedPage = 'subscription/purchase/success';

const isOfSubscribed = ({ page }: PlainObject): boolean => page === subscribedPage;

/** The parameters that `machines/flows/purchase.ts` reads out of the same address. */
const translatedParams = (flow: OldFlow, path: string, old: PlainObject): PlainObject => {
  const { page: _, ...params } = old;
  if (flow === 'cartCheckout') return { of: 'cart', ...params };
  if (flow === 'gift') return { of: 'title', ...params, as: 'gift' };
  if (flow === 'subscribing') return { of: 'subscription', ...params };
  return flow === 'checkout' && path.startsWith('/title/purchase') ? { of: 'title', ...params } : params;
};

type OldRoute = PlainObject & { flow: OldFlow; params: PlainObject };

const isOldRoute = (value: PlainObject): value is OldRoute => isOldFlow(value['flow']) && isObject(value['params']);

const translatedRoute = (route: OldRoute): PlainObject => {
  const { flow, params, path } = route;
  const isReceipt = flow === 'receipt' || (flow === 'subscribing' && isOfSubscribed(params));
  return {
    ...route,
    flow: isReceipt ? 'receipt' : 'purchase',
    params: translatedParams(flow, typeof path === 'string' ? path : '', params),
  };
};

/** Today's name of a flow at this route; the success page of `subscribing` is a receipt. */
export const flowToday = (flow: Plain | undefined, route: PlainObject | null): Plain => {
  if (flow === undefined) return null;
  if (!isOldFlow(flow) || flow === 'receipt') return flow;
  const params = route?.['params'];
  return flow === 'subscribing' && isObject(params) && isOfSubscribed(params) ? 'receipt' : 'purchase';
};

/** The old flow that runs at an address; the page of a subscription that has begun is a receipt. */
export const flowAt = (route: PlainObject | null): OldFlow | null => {
  const flow = flowToday(route?.['flow'], route) === 'receipt' ? 'receipt' : route?.['flow'];
  return isOldFlow(flow) ? flow : null;
};

/** Replaces the names of flows in routes, in `fetchedFlows` and in the input of `fetchFlow`. */
export const withFlowsOfToday = (value: Plain, route: PlainObject | null): Plain => {
  if (Array.isArray(value)) return value.map((part) => withFlowsOfToday(part, route));
  if (!isObject(value)) return value;
  if (isOldRoute(value)) return translatedRoute(value);
  const entries = Object.entries(value).map(([key, part]): [string, Plain] => {
    if (key === 'flow' && isOldFlow(part)) return [key, flowToday(part, route)];
    if (key === 'fetchedFlows' && Array.isArray(part)) {
      return [key, [...new Set(part.map((each) => flowToday(each, route)))]];
    }
    return [key, withFlowsOfToday(part, route)];
  });
  return Object.fromEntries(entries);
};

const actorsToday: Readonly<Record<string, string>> = {
  quote: 'offer',
  cartOrder: 'offer',
  giftOffer: 'offer',
  forgetChanged: 'forgetPrice',
  forgetSent: 'forgetPaid',
  loadPlan: 'offer',
  loadCards: 'keptCards',
  startByCard: 'payment/payByCard',
  startSubscribing: 'payment/startPayment',
  confirmSubscription: 'payment/confirmPayment',
};

/** The server knew no such payment: today the purchase starts again at its first address. */
export const beginsAnew = ({ told = [] }: Pick<Step, 'told'>): boolean => told.includes(wayToBeginning);

/** In place of a message that the older shop did not send; its address is not compared. */
export const wayToBeginning: Told = { by: 'root/location', to: 'root/location/history', event: { type: 'history.replace' } };

/** The name of an actor within a purchase, without that of the flow: `quote~1` is `offer~1`. */
export const actorToday = (name: string): string => {
  const [, base = '', rest = ''] = /^([^~/]+)(.*)$/.exec(name) ?? [];
  return `${actorsToday[base] ?? base}${rest}`;
};

const statesToday: Readonly<Record<OldFlow, Readonly<Record<string, string>>>> = {
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

/** The state of today's machine; `on` is the event that led to it. */
export const stateToday = (flow: OldFlow, state: Plain, on: string): Plain => {
  if (isObject(state)) return state['offering'] === 'ready' ? 'ready' : 'paying';
  if (typeof state !== 'string') return state;
  if (state === 'notFound' && on === 'xstate.done.actor.payment') return 'paymentNotFound';
  return statesToday[flow][state] ?? state;
};
