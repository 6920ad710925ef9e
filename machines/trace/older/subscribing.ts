import type { Input, Plain, RecordedEvent } from '../format.ts';
import { toCurrentEnding, toPlanOffer } from './answers.ts';
import { toCurrentActor, isObject, type PlainObject } from './names.ts';

/** Data of the older page that the current machines receive in other steps. */
export type OldSubscribing = {
  /** The name of its actor. */
  flow: string;
  /** The payment of the gateway's redirect, or one made with a stored card. */
  returned: { transId: Plain; intentId: Plain } | null;
  /** The state of the older machine. */
  state: Plain;
  /** The customer has cards: the current machine preselects the first one. */
  hasCards: boolean;
  /** The gateway's page. */
  url: Plain;
  /** How often the current machine has requested the payment's status. */
  asked: number;
};

/** The translated input; null if the current machines cannot follow the flow any further. */
export type CurrentInputs = { before?: Input[]; input: Input } | null;

export const createSubscribing = (flow: string, route: PlainObject | null): OldSubscribing => {
  const params = isObject(route?.['params']) ? route['params'] : {};
  const { subscriptionid: transId, intentId } = params;
  const returned = transId === undefined || intentId === undefined ? null : { transId, intentId };
  return { flow, returned, state: null, hasCards: false, url: null, asked: 0 };
};

const hasItems = (list: Plain | undefined): boolean => Array.isArray(list) && list.length > 0;

/** The same at a checkpoint, from the older machine's context. */
export const restoreSubscribing = (flow: string, state: Plain, { returned, url = null, cards }: PlainObject): OldSubscribing => {
  const { subscriptionId: transId = null, intentId = null } = isObject(returned) ? returned : {};
  return { flow, returned: isObject(returned) ? { transId, intentId } : null, state, hasCards: hasItems(cards), url, asked: 0 };
};

/**
 * The status answers that the current machine requires: it requests the status before it confirms a
 * payment, and when the customer returns by the Back button. The older page had the data already.
 */
export const createStatusInputs = (about: OldSubscribing): Input[] => {
  const { flow, returned, url } = about;
  const occurrence = about.asked === 0 ? '' : `~${about.asked}`;
  about.asked += 1;
  const state = returned
    ? { ...returned, status: 'authorized', url: null }
    : { transId: '', intentId: null, status: 'pending', url };
  const output = { titleId: '', reason: null, ...state };
  const type = 'xstate.done.actor.paymentStatus';
  const from = `${flow}/payment/paymentStatus${occurrence}`;
  return [{ kind: 'settled', to: `${flow}/payment`, from, event: { type, output, actorId: 'paymentStatus' } }];
};

const getCode = (error: Plain | undefined): Plain | undefined => (isObject(error) ? error['code'] : undefined);

/** Refusals with another code in the current machines. */
const toCurrentProblem = (error: Plain | undefined): Plain =>
  isObject(error) && getCode(error) === 'already_subscribed' ? { ...error, code: 'already_owned' } : (error ?? null);

type SettledInput = Extract<Input, { kind: 'settled' }>;

const toCurrentSettled = ({ from, event, ...rest }: SettledInput, about: OldSubscribing): CurrentInputs => {
  const { flow } = about;
  const port = from.slice(flow.length + 1);
  const base = port.replace(/~.*/, '');
  const name = `${flow}/${toCurrentActor(port)}`;
  const settled = (to: string, output?: Plain): CurrentInputs => ({
    input: { ...rest, to, from: name, event: toCurrentEnding(event, output) },
  });
  const failed = (to: string): CurrentInputs => ({
    input: { ...rest, to, from: name, event: { ...toCurrentEnding(event, undefined), error: toCurrentProblem(event['error']) } },
  });
  const { output } = event;
  const payment = `${flow}/payment`;
  if (base === 'loadPlan' && Array.isArray(output)) {
    if (output[0] !== undefined) return settled(flow, toPlanOffer(output[0]));
    const type = 'xstate.error.actor.offer';
    const error = { kind: 'refused', code: 'not_found', message: '' };
    return { input: { ...rest, to: flow, from: name, event: { type, error, actorId: 'offer' } } };
  }
  if (base === 'startSubscribing' || base === 'startByCard') {
    if (!isObject(output)) return getCode(event['error']) === 'already_subscribed' ? failed(payment) : null;
    const { url = null, subscriptionId = '', intentId = null } = output;
    about.url = url;
    if (base === 'startSubscribing') return settled(payment, { transId: '', provider: '', url });
    about.returned = { transId: subscriptionId, intentId };
    const status = url === null ? 'authorized' : 'pending';
    return settled(payment, { transId: subscriptionId, titleId: '', status, intentId, url, reason: null });
  }
  if (base === 'loadCards') about.hasCards = hasItems(output);
  if (base === 'confirmSubscription') return 'error' in event ? failed(payment) : settled(payment, null);
  return settled(flow);
};

const pay: RecordedEvent = { type: 'pay.pressed' };

const toCurrentPress = (input: Extract<Input, { kind: 'event' }>, about: OldSubscribing, state: Plain): CurrentInputs => {
  const { flow } = about;
  const { event } = input;
  const choosing = (cardId: Plain): Input[] => [{ kind: 'event', to: flow, event: { type: 'card.chosen', cardId } }];
  if (event.type === 'subscribe.pressed')
    return { before: about.hasCards ? choosing(null) : [], input: { ...input, event: pay } };
  if (event.type === 'card.pressed') return { before: choosing(event['cardId'] ?? null), input: { ...input, event: pay } };
  const isOfPayment = event.type === 'status.pressed' || (event.type === 'continue.pressed' && state === 'paying');
  if (isOfPayment) return { input: { ...input, to: `${flow}/payment` } };
  // The older page offered the plan again at once; the current machine goes to the first address.
  return event.type === 'retry.pressed' ? null : { input };
};

/** Translates an input of the older page; `state` is the state of the current flow. */
export const toCurrentSubscribing = (input: Input, about: OldSubscribing, state: Plain): CurrentInputs => {
  if (input.kind === 'settled') return toCurrentSettled(input, about);
  if (input.kind === 'event') return toCurrentPress(input, about, state);
  if (input.kind !== 'timer') return input.kind === 'start' ? null : { input };
  const event = { ...input.event, type: 'xstate.after.checkAgain.payment.unknown' };
  return { input: { ...input, to: `${about.flow}/payment`, event } };
};
