import type { Input, Plain, RecordedEvent } from '../format.ts';
import { toCurrentEnding, toPlanOffer } from './answers.ts';
import { toCurrentActor, isObject, type PlainObject } from './names.ts';

/** Data of the older subscription page that the current machines receive in other steps. */
export type OldSubscribing = {
  /** The name of the flow's actor. */
  flow: string;
  /** The payment of the gateway's redirect, or one made with a stored card. */
  returned: { transId: Plain; intentId: Plain } | null;
  /** The state of the older machine. */
  state: Plain;
  /** The customer has cards, of which the current machine preselects the first. */
  hasCards: boolean;
  /** The URL of the gateway's page. */
  url: Plain;
  /** The number of times that the current machine has requested the payment's status. */
  statusRequests: number;
};

/**
 * The translated input, with inputs to insert `before` it; null if the current machines cannot
 * follow the flow any further.
 */
export type CurrentInputs = { before?: Input[]; input: Input } | null;

export const createSubscribing = (flow: string, route: PlainObject | null): OldSubscribing => {
  const params = isObject(route?.['params']) ? route['params'] : {};
  const { subscriptionid: transId, intentId } = params;
  const returnedPayment = transId === undefined || intentId === undefined ? null : { transId, intentId };
  return { flow, returned: returnedPayment, state: null, hasCards: false, url: null, statusRequests: 0 };
};

const hasItems = (list: Plain | undefined): boolean => Array.isArray(list) && list.length > 0;

/** Creates the data at a checkpoint, from the older machine's state and context. */
export const restoreSubscribing = (flow: string, state: Plain, { returned, url = null, cards }: PlainObject): OldSubscribing => {
  const { subscriptionId: transId = null, intentId = null } = isObject(returned) ? returned : {};
  return {
    flow,
    returned: isObject(returned) ? { transId, intentId } : null,
    state,
    hasCards: hasItems(cards),
    url,
    statusRequests: 0,
  };
};

/**
 * The answers to the status requests of the current machine, which it sends before it confirms a
 * payment and when the customer returns by the Back button. The older page had the data already.
 */
export const createStatusInputs = (oldData: OldSubscribing): Input[] => {
  const { flow, returned, url } = oldData;
  const occurrence = oldData.statusRequests === 0 ? '' : `~${oldData.statusRequests}`;
  oldData.statusRequests += 1;
  const state = returned
    ? { ...returned, status: 'authorized', url: null }
    : { transId: '', intentId: null, status: 'pending', url };
  const output = { titleId: '', reason: null, ...state };
  const type = 'xstate.done.actor.paymentStatus';
  const from = `${flow}/payment/paymentStatus${occurrence}`;
  return [{ kind: 'settled', to: `${flow}/payment`, from, event: { type, output, actorId: 'paymentStatus' } }];
};

const getCode = (error: Plain | undefined): Plain | undefined => (isObject(error) ? error['code'] : undefined);

/** Replaces the code of a refusal that has another code in the current machines. */
const toCurrentProblem = (error: Plain | undefined): Plain =>
  isObject(error) && getCode(error) === 'already_subscribed' ? { ...error, code: 'already_owned' } : (error ?? null);

type SettledInput = Extract<Input, { kind: 'settled' }>;

const toCurrentSettled = ({ from, event, ...rest }: SettledInput, oldData: OldSubscribing): CurrentInputs => {
  const { flow } = oldData;
  const port = from.slice(flow.length + 1);
  const base = port.replace(/~.*/, '');
  const name = `${flow}/${toCurrentActor(port)}`;
  const toSettledInputs = (to: string, output?: Plain): CurrentInputs => ({
    input: { ...rest, to, from: name, event: toCurrentEnding(event, output) },
  });
  const toFailedInputs = (to: string): CurrentInputs => ({
    input: { ...rest, to, from: name, event: { ...toCurrentEnding(event, undefined), error: toCurrentProblem(event['error']) } },
  });
  const { output } = event;
  const payment = `${flow}/payment`;
  if (base === 'loadPlan' && Array.isArray(output)) {
    if (output[0] !== undefined) return toSettledInputs(flow, toPlanOffer(output[0]));
    const type = 'xstate.error.actor.offer';
    const error = { kind: 'refused', code: 'not_found', message: '' };
    return { input: { ...rest, to: flow, from: name, event: { type, error, actorId: 'offer' } } };
  }
  if (base === 'startSubscribing' || base === 'startByCard') {
    if (!isObject(output)) return getCode(event['error']) === 'already_subscribed' ? toFailedInputs(payment) : null;
    const { url = null, subscriptionId = '', intentId = null } = output;
    oldData.url = url;
    if (base === 'startSubscribing') return toSettledInputs(payment, { transId: '', provider: '', url });
    oldData.returned = { transId: subscriptionId, intentId };
    const status = url === null ? 'authorized' : 'pending';
    return toSettledInputs(payment, { transId: subscriptionId, titleId: '', status, intentId, url, reason: null });
  }
  if (base === 'loadCards') oldData.hasCards = hasItems(output);
  if (base === 'confirmSubscription') return 'error' in event ? toFailedInputs(payment) : toSettledInputs(payment, null);
  return toSettledInputs(flow);
};

const payPressed: RecordedEvent = { type: 'pay.pressed' };

const toCurrentPress = (input: Extract<Input, { kind: 'event' }>, oldData: OldSubscribing, state: Plain): CurrentInputs => {
  const { flow } = oldData;
  const { event } = input;
  const toCardChoice = (cardId: Plain): Input[] => [{ kind: 'event', to: flow, event: { type: 'card.chosen', cardId } }];
  if (event.type === 'subscribe.pressed')
    return { before: oldData.hasCards ? toCardChoice(null) : [], input: { ...input, event: payPressed } };
  if (event.type === 'card.pressed')
    return { before: toCardChoice(event['cardId'] ?? null), input: { ...input, event: payPressed } };
  const isOfPayment = event.type === 'status.pressed' || (event.type === 'continue.pressed' && state === 'paying');
  if (isOfPayment) return { input: { ...input, to: `${flow}/payment` } };
  // The older page offered the plan again at once; the current machine navigates to the first page.
  return event.type === 'retry.pressed' ? null : { input };
};

/** Translates an input of the older page; `state` is the current flow's state. */
export const toCurrentSubscribing = (input: Input, oldData: OldSubscribing, state: Plain): CurrentInputs => {
  if (input.kind === 'settled') return toCurrentSettled(input, oldData);
  if (input.kind === 'event') return toCurrentPress(input, oldData, state);
  if (input.kind !== 'timer') return input.kind === 'start' ? null : { input };
  const event = { ...input.event, type: 'xstate.after.checkAgain.payment.unknown' };
  return { input: { ...input, to: `${oldData.flow}/payment`, event } };
};
