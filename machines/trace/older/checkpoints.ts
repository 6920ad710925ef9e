import { contextOf } from '../../buying/purchase/context.ts';
import type { FlowInput } from '../../flows/flow-input.ts';
import type { Checkpoint, PendingTimer, Plain } from '../format.ts';
import { plainOf } from '../plain.ts';
import { childContextToday, flowContextToday } from './contexts.ts';
import { actorToday, isObject, isOldFlow, stateToday, withFlowsOfToday, type OldFlow, type PlainObject } from './names.ts';

const at = (value: Plain | undefined, ...keys: string[]): Plain | undefined =>
  keys.reduce<Plain | undefined>((part, key) => (isObject(part) ? part[key] : undefined), value);

const objectAt = (value: Plain | undefined, ...keys: string[]): PlainObject => {
  const part = at(value, ...keys);
  return isObject(part) ? part : {};
};

const portsToday: Readonly<Record<string, string>> = { offer: 'loadOffer', keptCards: 'keptCards' };

/** Fields of the payment's context that the older payment left out. */
const paymentDefaults: PlainObject = {
  planId: '',
  titleIds: null,
  credits: null,
  method: null,
  tax: null,
  gift: null,
  paidFor: null,
  cancels: false,
};

const childToday = (id: string, child: Plain, of: Plain): [string, Plain] => {
  const name = actorToday(id);
  if (!isObject(child)) return [name, child];
  if (id !== 'payment' && id !== 'tax') return [name, { ...child, src: portsToday[name] ?? child['src'] ?? null }];
  const snapshot = objectAt(child, 'snapshot');
  const context = { ...(id === 'payment' ? paymentDefaults : {}), of, ...childContextToday(objectAt(snapshot, 'context')) };
  return [name, { ...child, snapshot: { ...snapshot, context } }];
};

/** Today's machines have no state in which they look up a subscription after a lost answer. */
const isToGoOn = (state: Plain | undefined): boolean => state !== 'lookingUp';

/** The states of subscribing that are states of the payment today, and what runs in them. */
const paymentStates: Readonly<Record<string, { value: string; port?: string }>> = {
  starting: { value: 'submitting', port: 'startPayment' },
  startingByCard: { value: 'charging', port: 'payByCard' },
  actionRequired: { value: 'actionRequired' },
  confirming: { value: 'confirming', port: 'confirmPayment' },
  unknown: { value: 'unknown' },
  lookingUp: { value: 'unknown' },
};

/** The payment of a subscription was no machine of its own. */
const paymentOfSubscribing = (state: Plain, old: PlainObject, children: PlainObject): PlainObject => {
  const name = at(state, 'offering') ?? state;
  const { value, port } = paymentStates[typeof name === 'string' ? name : ''] ?? {};
  if (value === undefined) return {};
  const { planId = '', cardId = null, url = null, checks = 0, problem = null, plan = null, returned } = old;
  const order = { of: 'subscription', titleId: '', planId, price: at(plan, 'price') ?? null, free: false, key: '' };
  const { subscriptionId: transId = null, intentId = null } = isObject(returned) ? returned : {};
  const payment = { transId, intentId, cardId, url, status: null, checks, problem, outcome: 'none' };
  const context = { ...paymentDefaults, ...order, ...payment };
  const [running] = Object.values(children);
  const within = port === undefined || !isObject(running) ? {} : { [port]: { ...running, src: port } };
  const snapshot = { status: 'active', value, historyValue: {}, context, children: within };
  return { payment: { snapshot, src: 'payment', syncSnapshot: false } };
};

const boughtBy = (flow: OldFlow, { ofCart }: PlainObject): PlainObject => {
  if (flow === 'gift') return { of: ofCart === true ? 'cart' : 'title', as: 'gift' };
  return { of: { checkout: 'title', cartCheckout: 'cart', subscribing: 'subscription', receipt: '' }[flow] };
};

/** Parts of an offer that the older flows kept within the cart or the plan. */
const offeredBy = ({ cart, plan }: PlainObject): PlainObject => {
  if (isObject(cart)) return { price: cart['total'] ?? null, isReduced: 'off' in cart };
  return isObject(plan) ? { price: plan['price'] ?? null, key: '' } : {};
};

/** Its context with all that today's has, as a flow begins with. */
const contextToday = (flow: OldFlow, old: PlainObject, { store = null, userId = null }: PlainObject): PlainObject => {
  const known = flowContextToday(flow, old, 'xstate.init');
  if (flow === 'receipt') {
    const nothing = { transId: '', isGift: false, receipt: null, subscription: null, problem: null };
    return { isOfPlan: old['isSuccess'] === true, ...nothing, ...known };
  }
  const input = { route: { params: boughtBy(flow, old) }, store, signedIn: userId !== null, resume: null };
  const begins = plainOf(contextOf({ input: input as unknown as FlowInput })) as PlainObject;
  const { form = null, letter = null } = objectAt(old, 'pii');
  const pii = flow === 'gift' ? { code: null, gift: form, letter } : { code: form, gift: null, letter: null };
  return { ...begins, ...known, ...offeredBy(known), pii };
};

const timerToday = (timer: PendingTimer): PendingTimer => {
  if (timer.event.type !== 'xstate.after.checkAgain.subscribing.unknown') return timer;
  const [source, target] = [`${timer.source}/payment`, `${timer.target}/payment`];
  const event = { ...timer.event, type: 'xstate.after.checkAgain.payment.unknown' };
  return { ...timer, source, target, event, id: timer.id.replace('subscribing', 'payment') };
};

const flowOfToday = (flow: OldFlow, child: PlainObject, screen: PlainObject): PlainObject => {
  const snapshot = objectAt(child, 'snapshot');
  const context = contextToday(flow, objectAt(snapshot, 'context'), screen);
  const of = context['of'] ?? null;
  const running = objectAt(snapshot, 'children');
  const state = snapshot['value'] ?? null;
  const value = stateToday(flow, state, '');
  const ofPayment = flow === 'subscribing' && value === 'paying';
  const children = ofPayment
    ? paymentOfSubscribing(state, objectAt(snapshot, 'context'), running)
    : Object.fromEntries(Object.entries(running).map(([id, each]) => childToday(id, each, of)));
  return {
    ...child,
    src: flow === 'receipt' ? 'receipt' : 'purchase',
    snapshot: {
      ...snapshot,
      value,
      // Their choice was let go later than today.
      context: ofPayment ? { ...context, cards: [] } : context,
      children,
    },
  };
};

/** The checkpoint of an older shop's run, translated. */
export type GoingOn = {
  from: Checkpoint;
  /** The route and the fetched flows, with the older shop's names. */
  route: PlainObject;
  fetched: Plain[];
  /** The same in today's. */
  screen: PlainObject;
  /** The flow of buying that runs, its state in today's words, and what it knew. */
  purchase: { flow: OldFlow; state: Plain; oldState: Plain; context: PlainObject; goesOn: boolean } | null;
};

export const goingOn = (from: Checkpoint): GoingOn => {
  const old = objectAt(from.snapshot, 'children', 'screen', 'snapshot');
  const before = objectAt(old, 'context');
  const route = objectAt(before, 'route');
  const snapshot = withFlowsOfToday(from.snapshot, route) as PlainObject;
  const children = objectAt(snapshot, 'children');
  const screen = objectAt(children, 'screen', 'snapshot');
  const child = objectAt(old, 'children', 'flow');
  const context = objectAt(child, 'snapshot', 'context');
  const flow = context['isSuccess'] === true ? 'receipt' : before['flow'];
  const fetched = before['fetchedFlows'];
  const about = { route, fetched: Array.isArray(fetched) ? fetched : [], screen: objectAt(screen, 'context') };
  if (!isOldFlow(flow) || !isObject(old['children']) || !('flow' in old['children'])) {
    return { ...about, from: { ...from, snapshot }, purchase: null };
  }
  const value = at(child, 'snapshot', 'value') ?? null;
  const running = { ...objectAt(screen, 'children'), flow: flowOfToday(flow, child, before) };
  const whole = { ...objectAt(children, 'screen'), snapshot: { ...screen, children: running } };
  return {
    ...about,
    from: {
      snapshot: { ...snapshot, children: { ...children, screen: whole } },
      timers: from.timers.map(timerToday),
    },
    purchase: { flow, state: stateToday(flow, value, ''), oldState: value, context, goesOn: isToGoOn(value) },
  };
};
