import { createContext } from '../../buying/purchase/context.ts';
import type { FlowInput } from '../../flows/flow-input.ts';
import type { Checkpoint, PendingTimer, Plain } from '../format.ts';
import { toPlain } from '../plain.ts';
import { toCurrentChildContext, toCurrentFlowContext } from './contexts.ts';
import {
  getNestedValue,
  getNestedObject,
  toCurrentActor,
  isObject,
  isOldFlow,
  toCurrentState,
  withCurrentFlows,
  type OldFlow,
  type PlainObject,
} from './names.ts';

const currentPorts: Readonly<Record<string, string>> = { offer: 'loadOffer', savedCards: 'savedCards' };

/** Fields of the payment's context that the older payment machine did not have. */
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
  const snapshot = getNestedObject(child, 'snapshot');
  const context = {
    ...(id === 'payment' ? paymentDefaults : {}),
    of,
    ...toCurrentChildContext(getNestedObject(snapshot, 'context')),
  };
  return [name, { ...child, snapshot: { ...snapshot, context } }];
};

/** Current machines have no state that looks up a subscription after a lost answer. */
const shouldContinue = (state: Plain | undefined): boolean => state !== 'lookingUp';

/**
 * The older states of subscribing that are now states of the payment, each with the port that runs
 * in it.
 */
const paymentStates: Readonly<Record<string, { value: string; port?: string }>> = {
  starting: { value: 'submitting', port: 'startPayment' },
  startingByCard: { value: 'charging', port: 'payByCard' },
  actionRequired: { value: 'actionRequired' },
  confirming: { value: 'confirming', port: 'confirmPayment' },
  unknown: { value: 'unknown' },
  lookingUp: { value: 'unknown' },
};

/** The child `payment` of a subscription's purchase, whose states were the older flow's own. */
const toPaymentSnapshot = (state: Plain, oldContext: PlainObject, children: PlainObject): PlainObject => {
  const name = getNestedValue(state, 'offering') ?? state;
  const { value, port } = paymentStates[typeof name === 'string' ? name : ''] ?? {};
  if (value === undefined) return {};
  const { planId = '', cardId = null, url = null, checks = 0, problem = null, plan = null, returned } = oldContext;
  const order = { of: 'subscription', titleId: '', planId, price: getNestedValue(plan, 'price') ?? null, free: false, key: '' };
  const { subscriptionId: transId = null, intentId = null } = isObject(returned) ? returned : {};
  const payment = { transId, intentId, cardId, url, status: null, checks, problem, outcome: 'none' };
  const context = { ...paymentDefaults, ...order, ...payment };
  const [childSnapshot] = Object.values(children);
  const paymentChildren = port === undefined || !isObject(childSnapshot) ? {} : { [port]: { ...childSnapshot, src: port } };
  const snapshot = { status: 'active', value, historyValue: {}, context, children: paymentChildren };
  return { payment: { snapshot, src: 'payment', syncSnapshot: false } };
};

const toPurchaseParams = (flow: OldFlow, { ofCart }: PlainObject): PlainObject => {
  if (flow === 'gift') return { of: ofCart === true ? 'cart' : 'title', as: 'gift' };
  return { of: { checkout: 'title', cartCheckout: 'cart', subscribing: 'subscription', receipt: '' }[flow] };
};

/** The fields of an offer that the older flows stored within the cart or the plan. */
const toPriceFields = ({ cart, plan }: PlainObject): PlainObject => {
  if (isObject(cart)) return { price: cart['total'] ?? null, isReduced: 'off' in cart };
  return isObject(plan) ? { price: plan['price'] ?? null, key: '' } : {};
};

/** The flow's context, completed with the current machine's initial values. */
const toCurrentContext = (flow: OldFlow, oldContext: PlainObject, { store = null, userId = null }: PlainObject): PlainObject => {
  const knownContext = toCurrentFlowContext(flow, oldContext, 'xstate.init');
  if (flow === 'receipt') {
    const emptyReceipt = { transId: '', isGift: false, receipt: null, subscription: null, problem: null };
    return { isOfPlan: oldContext['isSuccess'] === true, ...emptyReceipt, ...knownContext };
  }
  const input = { route: { params: toPurchaseParams(flow, oldContext) }, store, signedIn: userId !== null, resume: null };
  const initialContext = toPlain(createContext({ input: input as unknown as FlowInput })) as PlainObject;
  const { form = null, letter = null } = getNestedObject(oldContext, 'pii');
  const pii = flow === 'gift' ? { code: null, gift: form, preview: letter } : { code: form, gift: null, preview: null };
  return { ...initialContext, ...knownContext, ...toPriceFields(knownContext), pii };
};

const toCurrentTimer = (timer: PendingTimer): PendingTimer => {
  if (timer.event.type !== 'xstate.after.checkAgain.subscribing.unknown') return timer;
  const [source, target] = [`${timer.source}/payment`, `${timer.target}/payment`];
  const event = { ...timer.event, type: 'xstate.after.checkAgain.payment.unknown' };
  return { ...timer, source, target, event, id: timer.id.replace('subscribing', 'payment') };
};

const toCurrentFlow = (flow: OldFlow, child: PlainObject, screen: PlainObject): PlainObject => {
  const snapshot = getNestedObject(child, 'snapshot');
  const context = toCurrentContext(flow, getNestedObject(snapshot, 'context'), screen);
  const of = context['of'] ?? null;
  const oldChildren = getNestedObject(snapshot, 'children');
  const state = snapshot['value'] ?? null;
  const value = toCurrentState(flow, state, '');
  const isSubscriptionPayment = flow === 'subscribing' && value === 'paying';
  const children = isSubscriptionPayment
    ? toPaymentSnapshot(state, getNestedObject(snapshot, 'context'), oldChildren)
    : Object.fromEntries(Object.entries(oldChildren).map(([id, each]) => toCurrentChild(id, each, of)));
  return {
    ...child,
    src: flow === 'receipt' ? 'receipt' : 'purchase',
    snapshot: {
      ...snapshot,
      value,
      // The older machine dropped the cards later than the current machine does.
      context: isSubscriptionPayment ? { ...context, cards: [] } : context,
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
  /** The context of the screen, with the current names of routes and flows. */
  screen: PlainObject;
  /**
   * The running purchase flow, its state by the current and the old name, and its context;
   * `isContinuable` if the current machines have such a state.
   */
  purchase: { flow: OldFlow; state: Plain; oldState: Plain; context: PlainObject; isContinuable: boolean } | null;
};

export const toContinuation = (from: Checkpoint): Continuation => {
  const oldScreen = getNestedObject(from.snapshot, 'children', 'screen', 'snapshot');
  const oldScreenContext = getNestedObject(oldScreen, 'context');
  const route = getNestedObject(oldScreenContext, 'route');
  const snapshot = withCurrentFlows(from.snapshot, route) as PlainObject;
  const children = getNestedObject(snapshot, 'children');
  const screen = getNestedObject(children, 'screen', 'snapshot');
  const child = getNestedObject(oldScreen, 'children', 'flow');
  const context = getNestedObject(child, 'snapshot', 'context');
  const flow = context['isSuccess'] === true ? 'receipt' : oldScreenContext['flow'];
  const fetched = oldScreenContext['fetchedFlows'];
  const commonParts = { route, fetched: Array.isArray(fetched) ? fetched : [], screen: getNestedObject(screen, 'context') };
  if (!isOldFlow(flow) || !isObject(oldScreen['children']) || !('flow' in oldScreen['children'])) {
    return { ...commonParts, from: { ...from, snapshot }, purchase: null };
  }
  const value = getNestedValue(child, 'snapshot', 'value') ?? null;
  const screenChildren = { ...getNestedObject(screen, 'children'), flow: toCurrentFlow(flow, child, oldScreenContext) };
  const screenActor = { ...getNestedObject(children, 'screen'), snapshot: { ...screen, children: screenChildren } };
  return {
    ...commonParts,
    from: {
      snapshot: { ...snapshot, children: { ...children, screen: screenActor } },
      timers: from.timers.map(toCurrentTimer),
    },
    purchase: { flow, state: toCurrentState(flow, value, ''), oldState: value, context, isContinuable: shouldContinue(value) },
  };
};
