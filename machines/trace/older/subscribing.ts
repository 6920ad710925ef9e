import type { Input, Plain, RecordedEvent } from '../format.ts';
import { endingToday, offerOfPlan } from './answers.ts';
import { actorToday, isObject, type PlainObject } from './names.ts';

/** Data of the older page that today's machines get in other steps. */
export type Subscribing = {
  /** The name of its actor. */
  flow: string;
  /** The payment that the gateway has led back with, or has made of a kept card. */
  returned: { transId: Plain; intentId: Plain } | null;
  /** The state in which the older machine was. */
  state: Plain;
  /** The customer has cards: today the first one is chosen at first. */
  hasCards: boolean;
  /** The gateway's page. */
  url: Plain;
  /** How often today's machine has requested the payment's status. */
  asked: number;
};

/** The translated input; null where today's machines cannot follow the flow any longer. */
export type InputsToday = { before?: Input[]; input: Input } | null;

export const subscribingAt = (flow: string, route: PlainObject | null): Subscribing => {
  const params = isObject(route?.['params']) ? route['params'] : {};
  const { subscriptionid: transId, intentId } = params;
  const returned = transId === undefined || intentId === undefined ? null : { transId, intentId };
  return { flow, returned, state: null, hasCards: false, url: null, asked: 0 };
};

const hasItems = (list: Plain | undefined): boolean => Array.isArray(list) && list.length > 0;

/** The same at a checkpoint, from the older machine's context. */
export const subscribingFrom = (flow: string, state: Plain, { returned, url = null, cards }: PlainObject): Subscribing => {
  const { subscriptionId: transId = null, intentId = null } = isObject(returned) ? returned : {};
  return { flow, returned: isObject(returned) ? { transId, intentId } : null, state, hasCards: hasItems(cards), url, asked: 0 };
};

/**
 * Today's machine requests the status before it confirms a payment, and when the customer comes
 * back by Back. The older page knew the answer.
 */
export const standing = (about: Subscribing): Input[] => {
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

const codeIn = (error: Plain | undefined): Plain | undefined => (isObject(error) ? error['code'] : undefined);

/** Refusals that today's machines know by another code. */
const problemToday = (error: Plain | undefined): Plain =>
  isObject(error) && codeIn(error) === 'already_subscribed' ? { ...error, code: 'already_owned' } : (error ?? null);

type Settled = Extract<Input, { kind: 'settled' }>;

const settledToday = ({ from, event, ...rest }: Settled, about: Subscribing): InputsToday => {
  const { flow } = about;
  const port = from.slice(flow.length + 1);
  const base = port.replace(/~.*/, '');
  const name = `${flow}/${actorToday(port)}`;
  const settled = (to: string, output?: Plain): InputsToday => ({
    input: { ...rest, to, from: name, event: endingToday(event, output) },
  });
  const failed = (to: string): InputsToday => ({
    input: { ...rest, to, from: name, event: { ...endingToday(event, undefined), error: problemToday(event['error']) } },
  });
  const { output } = event;
  const payment = `${flow}/payment`;
  if (base === 'loadPlan' && Array.isArray(output)) {
    if (output[0] !== undefined) return settled(flow, offerOfPlan(output[0]));
    const type = 'xstate.error.actor.offer';
    const error = { kind: 'refused', code: 'not_found', message: '' };
    return { input: { ...rest, to: flow, from: name, event: { type, error, actorId: 'offer' } } };
  }
  if (base === 'startSubscribing' || base === 'startByCard') {
    if (!isObject(output)) return codeIn(event['error']) === 'already_subscribed' ? failed(payment) : null;
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

const pressedToday = (input: Extract<Input, { kind: 'event' }>, about: Subscribing, state: Plain): InputsToday => {
  const { flow } = about;
  const { event } = input;
  const choosing = (cardId: Plain): Input[] => [{ kind: 'event', to: flow, event: { type: 'card.chosen', cardId } }];
  if (event.type === 'subscribe.pressed')
    return { before: about.hasCards ? choosing(null) : [], input: { ...input, event: pay } };
  if (event.type === 'card.pressed') return { before: choosing(event['cardId'] ?? null), input: { ...input, event: pay } };
  const isOfPayment = event.type === 'status.pressed' || (event.type === 'continue.pressed' && state === 'paying');
  if (isOfPayment) return { input: { ...input, to: `${flow}/payment` } };
  // The older page offered the plan again at once; today's machine goes to the first address.
  return event.type === 'retry.pressed' ? null : { input };
};

/** Translates an input of the older page; `state` is the state of today's flow. */
export const subscribingToday = (input: Input, about: Subscribing, state: Plain): InputsToday => {
  if (input.kind === 'settled') return settledToday(input, about);
  if (input.kind === 'event') return pressedToday(input, about, state);
  if (input.kind !== 'timer') return input.kind === 'start' ? null : { input };
  const event = { ...input.event, type: 'xstate.after.checkAgain.payment.unknown' };
  return { input: { ...input, to: `${about.flow}/payment`, event } };
};
