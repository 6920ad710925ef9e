import { createContext } from '../../buying/purchase/context.ts';
import type { FlowInput } from '../../flows/flow-input.ts';
import type { Checkpoint, PendingTimer, Plain } from '../format.ts';
import { toPlain } from '../plain.ts';
import { toCurrentChildContext, toCurrentFlowContext } from './contexts.ts';
import {
  getAt,
  getObjectAt,
  toCurrentActor,
  isObject,
  isOldFlow,
  toCurrentState,
  withCurrentFlows,
  type OldFlow,
  type PlainObject,
} from './names.ts';

const currentPorts: Readonly<Record<string, string>> = { offer: 'loadOffer', keptCards: 'keptCards' };

/** Fields of the payment's context that the older payment lacked. */
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

const toCurrentChild = (id: string, child: Plain, of: Plain): [string, Plain] => {
  const name = toCurrentActor(id);
  if (!isObject(child)) return [name, child];
  if (id !== 'payment' && id !== 'tax') return [name, { ...child, src: currentPorts[name] ?? child['src'] ?? null }];
  const snapshot = getObjectAt(child, 'snapshot');
  const context = {
    ...(id === 'payment' ? paymentDefaults : {}),
    of,
    ...toCurrentChildContext(getObjectAt(snapshot, 'context')),
  };
  return [name, { ...child, snapshot: { ...snapshot, context } }];
};

/** Current machines have no state that looks up a subscription after a lost answer. */
const shouldContinue = (state: Plain | undefined): boolean => state !== 'lookingUp';

/**
 * The older states of subscribing that are now states of the payment, and the port that runs in
 * them.
 */
const paymentStates: Readonly<Record<string, { value: string; port?: string }>> = {
  starting: { value: 'submitting', port: 'startPayment' },
  startingByCard: { value: 'charging', port: 'payByCard' },
  actionRequired: { value: 'actionRequired' },
  confirming: { value: 'confirming', port: 'confirmPayment' },
  unknown: { value: 'unknown' },
  lookingUp: { value: 'unknown' },
};

/** The payment of a subscription was not a machine of its own. */
const toPaymentSnapshot = (state: Plain, old: PlainObject, children: PlainObject): PlainObject => {
  const name = getAt(state, 'offering') ?? state;
  const { value, port } = paymentStates[typeof name === 'string' ? name : ''] ?? {};
  if (value === undefined) return {};
  const { planId = '', cardId = null, url = null, checks = 0, problem = null, plan = null, returned } = old;
  const order = { of: 'subscription', titleId: '', planId, price: getAt(plan, 'price') ?? null, free: false, key: '' };
  const { subscriptionId: transId = null, intentId = null } = isObject(returned) ? returned : {};
  const payment = { transId, intentId, cardId, url, status: null, checks, problem, outcome: 'none' };
  const context = { ...paymentDefaults, ...order, ...payment };
  const [running] = Object.values(children);
  const within = port === undefined || !isObject(running) ? {} : { [port]: { ...running, src: port } };
  const snapshot = { status: 'active', value, historyValue: {}, context, children: within };
  return { payment: { snapshot, src: 'payment', syncSnapshot: false } };
};

const toPurchaseParams = (flow: OldFlow, { ofCart }: PlainObject): PlainObject => {
  if (flow === 'gift') return { of: ofCart === true ? 'cart' : 'title', as: 'gift' };
  return { of: { checkout: 'title', cartCheckout: 'cart', subscribing: 'subscription', receipt: '' }[flow] };
};

/** Parts of an offer that the older flows stored within the cart or the plan. */
const toPriceFields = ({ cart, plan }: PlainObject): PlainObject => {
  if (isObject(cart)) return { price: cart['total'] ?? null, isReduced: 'off' in cart };
  return isObject(plan) ? { price: plan['price'] ?? null, key: '' } : {};
};

/** The flow's context completed with the current machine's initial values. */
const toCurrentContext = (flow: OldFlow, old: PlainObject, { store = null, userId = null }: PlainObject): PlainObject => {
  const known = toCurrentFlowContext(flow, old, 'xstate.init');
  if (flow === 'receipt') {
    const nothing = { transId: '', isGift: false, receipt: null, subscription: null, problem: null };
    return { isOfPlan: old['isSuccess'] === true, ...nothing, ...known };
  }
  const input = { route: { params: toPurchaseParams(flow, old) }, store, signedIn: userId !== null, resume: null };
  const begins = toPlain(createContext({ input: input as unknown as FlowInput })) as PlainObject;
  const { form = null, letter = null } = getObjectAt(old, 'pii');
  const pii = flow === 'gift' ? { code: null, gift: form, preview: letter } : { code: form, gift: null, preview: null };
  return { ...begins, ...known, ...toPriceFields(known), pii };
};

const toCurrentTimer = (timer: PendingTimer): PendingTimer => {
  if (timer.event.type !== 'xstate.after.checkAgain.subscribing.unknown') return timer;
  const [source, target] = [`${timer.source}/payment`, `${timer.target}/payment`];
  const event = { ...timer.event, type: 'xstate.after.checkAgain.payment.unknown' };
  return { ...timer, source, target, event, id: timer.id.replace('subscribing', 'payment') };
};

const toCurrentFlow = (flow: OldFlow, child: PlainObject, screen: PlainObject): PlainObject => {
  const snapshot = getObjectAt(child, 'snapshot');
  const context = toCurrentContext(flow, getObjectAt(snapshot, 'context'), screen);
  const of = context['of'] ?? null;
  const running = getObjectAt(snapshot, 'children');
  const state = snapshot['value'] ?? null;
  const value = toCurrentState(flow, state, '');
  const ofPayment = flow === 'subscribing' && value === 'paying';
  const children = ofPayment
    ? toPaymentSnapshot(state, getObjectAt(snapshot, 'context'), running)
    : Object.fromEntries(Object.entries(running).map(([id, each]) => toCurrentChild(id, each, of)));
  return {
    ...child,
    src: flow === 'receipt' ? 'receipt' : 'purchase',
    snapshot: {
      ...snapshot,
      value,
      // The older machine dropped the choice later than the current one.
      context: ofPayment ? { ...context, cards: [] } : context,
      children,
    },
  };
};

/** The translated checkpoint of an older shop's run. */
export type Continuation = {
  from: Checkpoint;
  /** The route and the fetched flows, with the older shop's names. */
  route: PlainObject;
  fetched: Plain[];
  /** The same with the current names. */
  screen: PlainObject;
  /** The running purchase flow, its state by the current and the old name, and its context. */
  purchase: { flow: OldFlow; state: Plain; oldState: Plain; context: PlainObject; goesOn: boolean } | null;
};

export const toContinuation = (from: Checkpoint): Continuation => {
  const old = getObjectAt(from.snapshot, 'children', 'screen', 'snapshot');
  const before = getObjectAt(old, 'context');
  const route = getObjectAt(before, 'route');
  const snapshot = withCurrentFlows(from.snapshot, route) as PlainObject;
  const children = getObjectAt(snapshot, 'children');
  const screen = getObjectAt(children, 'screen', 'snapshot');
  const child = getObjectAt(old, 'children', 'flow');
  const context = getObjectAt(child, 'snapshot', 'context');
  const flow = context['isSuccess'] === true ? 'receipt' : before['flow'];
  const fetched = before['fetchedFlows'];
  const about = { route, fetched: Array.isArray(fetched) ? fetched : [], screen: getObjectAt(screen, 'context') };
  if (!isOldFlow(flow) || !isObject(old['children']) || !('flow' in old['children'])) {
    return { ...about, from: { ...from, snapshot }, purchase: null };
  }
  const value = getAt(child, 'snapshot', 'value') ?? null;
  const running = { ...getObjectAt(screen, 'children'), flow: toCurrentFlow(flow, child, before) };
  const whole = { ...getObjectAt(children, 'screen'), snapshot: { ...screen, children: running } };
  return {
    ...about,
    from: {
      snapshot: { ...snapshot, children: { ...children, screen: whole } },
      timers: from.timers.map(toCurrentTimer),
    },
    purchase: { flow, state: toCurrentState(flow, value, ''), oldState: value, context, goesOn: shouldContinue(value) },
  };
};
