import { paymentReturnPath, subscribedPath } from '../../machines/model/purchase-paths.ts';
import type { Plain, Trace } from '../../machines/trace/format.ts';
import type { Player, Position } from '../../machines/trace/player.ts';
import { describeUserAction, isFreeTitleOpen, isTyping } from './user-actions.ts';
import { describeReason } from './reasons.ts';
import {
  getCustomer,
  flowNamePattern,
  isLeaving,
  isCartPurchase,
  isGiftPurchase,
  isPlanPurchase,
  getMachineSnapshot,
  findPath,
  getPayment,
  getRoute,
  findRunning,
  getScreen,
  type Screen,
} from './screen.ts';
import { isLostConfirmation, findNewFailures, describePayment, hasSessionEnded } from './failures.ts';

/**
 * A line for support about a visit. `kind`: `does` is an action of the customer, `works` a success,
 * `fails` a fault, `refuses` a refusal, `waits` a time without events. `at` is in ms since the
 * start of the visit; `shows` is the screen afterwards, if it has changed.
 */
export type NarrativeLine = {
  at: number;
  step: number;
  kind: 'does' | 'works' | 'fails' | 'refuses' | 'waits';
  text: string;
  shows: string | null;
};

export const isWrong = ({ kind }: Pick<NarrativeLine, 'kind'>): boolean => kind === 'fails' || kind === 'refuses';

/** Minimum length in ms of a pause without events that gets a line. */
const LONG_WAIT_MS = 10_000;

const formatSeconds = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

const repetitionPattern = / \((\d+) times\)$/;

/**
 * Collapses a repetition of the last line into that line, with the number of repetitions.
 * @returns whether the text was a repetition
 */
const countRepetition = (last: NarrativeLine, text: string): boolean => {
  if (last.text.replace(repetitionPattern, '') !== text) return false;
  last.text = `${text} (${Number(repetitionPattern.exec(last.text)?.[1] ?? 1) + 1} times)`;
  return true;
};

/**
 * The recorded pseudonym of the e-mail address that a form sent, null without one: equal addresses
 * have equal pseudonyms.
 */
const getEmail = ({ input }: Position['recorded']): string | null => {
  const pii =
    input.kind === 'event' ? (input.event['pii'] as { email?: Plain; form?: { email?: Plain } } | undefined) : undefined;
  const email = pii?.form?.email ?? pii?.email;
  return typeof email === 'string' ? email : null;
};

/**
 * Groups forms by the owner of their e-mail address: the customer in account forms, the recipient
 * in gift forms.
 */
const getFormKind = (machine: string): string => (machine === 'purchase' ? 'gift' : 'account');

/**
 * Describes whether the customer sends the same address again or another one, which is support's
 * first question; `lastAddresses` holds the last address of each kind of form.
 */
export const describeAddress = (lastAddresses: Map<string, string>, machine: string, address: string): string => {
  const lastAddress = lastAddresses.get(getFormKind(machine));
  lastAddresses.set(getFormKind(machine), address);
  if (lastAddress === undefined) return '';
  return address === lastAddress ? ' (the same address)' : ' (another address than before)';
};

/** The fields of a form that the page rejected. */
const getRejectedFields = ({ input }: Position['recorded']): string[] => {
  const fields = input.kind === 'event' && input.event.type.endsWith('.rejected') ? input.event['fields'] : null;
  return typeof fields === 'object' && fields !== null ? Object.keys(fields) : [];
};

const lastButtonPattern = /“([^”]*)”(?=[^“]*$)/;

/**
 * Replaces the description of a rejected form, a tester's instruction, by the customer's action
 * with the rejected fields.
 */
const addRejectedFields = (action: string, position: Position): string => {
  const fields = getRejectedFields(position.recorded);
  const button = lastButtonPattern.exec(action)?.[1];
  if (fields.length === 0 || button === undefined) return action;
  return `Presses “${button}”; the form is not taken: ${fields.join(', ')}`;
};

/** Query parameters in the return address of the payment page. */
const returnPattern = /[?&](?:transId|subscriptionid|intentId)=/;

/** Whether the browser has left for the payment page, not for a page of the shop. */
const isPaying = ({ moment }: Position): boolean => {
  const flow = findRunning(moment.actors, flowNamePattern)?.snapshot;
  return flow?.machine.id !== 'redeem' && !(flow?.machine.id === 'purchase' && flow.value === 'succeeded');
};

const NO_CONNECTION_TEXT = 'the shop could not be reached (the call or its answer was lost)';
/** Maximum time in ms between a failed call and the page load that aborted it. */
const CONNECTION_LOSS_MS = 1_500;

/** The call whose response contained an event for the whole shop. */
const getCall = ({ recorded: { input } }: Position): string | undefined =>
  input.kind === 'emitted' && typeof input.event['call'] === 'string' ? input.event['call'] : undefined;

/** The narrative so far; `waitText` describes the current wait, null outside a wait. */
type NarrativeState = { acts: NarrativeLine[]; screen: Screen | null; waitText: string | null };

/**
 * The acts of a visit, one per line: actions and their results, failures with reasons, and long
 * waits.
 */
export const narrate = (player: Player, { runs }: Trace): NarrativeLine[] => {
  const { positions } = player;
  const visitStart = runs[0]?.startedAt ?? 0;
  const state: NarrativeState = { acts: [], screen: null, waitText: null };
  const lastAddresses = new Map<string, string>();
  let [hasTyped, lastEventAt, isRetrying, isConfirmationLost] = [false, 0, false, false];
  let previousPosition: Position | undefined;
  /** The last known user of the session. */
  let customer: string | null | undefined;

  const getVisitTime = ({ run, recorded }: Position): number => (runs[run]?.startedAt ?? visitStart) + recorded.at - visitStart;
  /**
   * A decline is reported again by each later response of the server, until the payment succeeds or
   * is abandoned.
   */
  const isReported = ({ kind, text }: Pick<NarrativeLine, 'kind' | 'text'>): boolean => {
    const since = state.acts.findLastIndex((act) => act.kind === 'works') + 1;
    return isWrong({ kind }) && state.acts.slice(since).some((act) => act.text === text);
  };
  const addOpening = (position: Position, step: number): void => {
    const path = getRoute(position.moment.actors)?.path ?? '/';
    const text = `Opens the shop at ${path.split('?')[0]}`;
    if (state.acts.length === 0) state.acts.push({ at: getVisitTime(position), step, kind: 'does', text, shows: null });
  };
  const addLine = (position: Position, step: number, kind: NarrativeLine['kind'], text: string): void => {
    const last = state.acts.at(-1);
    addOpening(position, step);
    if (last && isWrong(last) && last.kind === kind && countRepetition(last, text)) return;
    state.acts.push({ at: getVisitTime(position), step, kind, text, shows: null });
  };
  const addWait = (position: Position, step: number): void => {
    const since = Math.max(lastEventAt, state.acts.at(-1)?.at ?? 0);
    const idle = getVisitTime(position) - since;
    if (idle < LONG_WAIT_MS || state.acts.length === 0 || wasAway()) return;
    const location = state.waitText === null ? `on ${state.screen?.text ?? 'the page'}` : `in front of ${state.waitText}`;
    state.acts.push({ at: since, step, kind: 'waits', text: `${formatSeconds(idle)} ${location}`, shows: null });
  };
  const wasAway = (): boolean => previousPosition !== undefined && isLeaving(previousPosition.moment.actors);
  const formatAbsence = (position: Position): string =>
    `${formatSeconds(getVisitTime(position) - lastEventAt)} on the payment page`;
  const describeLoad = (position: Position, lastPosition: Position): string => {
    const path = findPath(player, position.run);
    // A customer who returns without the gateway's redirect loads another page, or uses the
    // browser's Back.
    if (wasAway() && path !== undefined && (path.startsWith(paymentReturnPath('')) || returnPattern.test(path)))
      return `Is sent back by the payment page after ${formatSeconds(getVisitTime(position) - lastEventAt)}`;
    // The shop itself loads this page after a subscription has started.
    if (wasAway() && path === subscribedPath && !isPaying(lastPosition))
      return 'The shop goes on to its page that says thank you';
    if (wasAway()) return `Comes back after ${formatAbsence(position)}`;
    return path === undefined || path === getRoute(lastPosition.moment.actors)?.path
      ? 'Loads the page anew'
      : `Opens the shop at ${path.split('?')[0]}`;
  };
  /** Marks a call that a reload aborted, which is not a failure of the shop. */
  const markAbortedCall = (position: Position): void => {
    const last = state.acts.at(-1);
    if (last?.kind === 'fails' && getVisitTime(position) - last.at < CONNECTION_LOSS_MS)
      last.text = last.text.replace(NO_CONNECTION_TEXT, 'the page was left before the shop had answered');
  };
  const addLoad = (position: Position, step: number): void => {
    if (runs[position.run]?.from) return;
    if (previousPosition) {
      markAbortedCall(position);
      addWait(position, step);
      addLine(position, step, 'does', describeLoad(position, previousPosition));
    }
    lastEventAt = getVisitTime(position);
  };
  const addAction = (position: Position, step: number, text: string): void => {
    const last = state.acts.at(-1);
    // Turning pages, or repeated presses without effect, count as one act.
    if (last?.kind === 'does' && last.shows === null && countRepetition(last, text)) {
      lastEventAt = getVisitTime(position);
      return;
    }
    addWait(position, step);
    addLine(position, step, 'does', hasTyped ? `Types into the search field. ${text}` : text);
    hasTyped = false;
    lastEventAt = getVisitTime(position);
  };

  const appendAddressNote = (action: string, position: Position): string => {
    const { input } = position.recorded;
    const address = getEmail(position.recorded);
    if (address === null || input.kind !== 'event') return action;
    const machine = getMachineSnapshot((previousPosition ?? position).moment.actors, input.to)?.machine.id ?? '';
    return `${action}${describeAddress(lastAddresses, machine, address)}`;
  };

  const describeAction = (position: Position): string | null => {
    const { input } = position.recorded;
    const action = describeUserAction(input, (previousPosition ?? position).moment.actors, state.screen);
    if (action !== null) return appendAddressNote(addRejectedFields(action, position), position);
    if (input.kind !== 'emitted') return null;
    if (input.event.type === 'page.returned') return `Comes back by the browser’s Back after ${formatAbsence(position)}`;
    const isMove = input.event.type === 'history.changed' && input.turn === undefined && previousPosition?.run === position.run;
    return isMove ? 'Goes back or forward in the browser' : null;
  };

  /** After a sign-in or sign-out in another tab, the next page load has another user. */
  const markUserChange = (userId: string | null): void => {
    const last = state.acts.at(-1);
    if (last?.kind === 'does') last.text = `${last.text}, now ${userId === null ? 'signed out' : 'signed in'}`;
  };
  const addSessionChange = (position: Position, step: number): void => {
    if (previousPosition === undefined) return;
    const [actorsBefore, actorsAfter] = [previousPosition.moment.actors, position.moment.actors];
    const userId = getCustomer(actorsAfter);
    const isLoaded = previousPosition.run !== position.run || getCustomer(actorsBefore) === undefined;
    if (isLoaded && userId !== undefined && customer !== undefined && userId !== customer) markUserChange(userId);
    if (userId !== undefined) customer = userId;
    if (previousPosition.run !== position.run) return;
    const userIdBefore = getCustomer(actorsBefore);
    if (hasSessionEnded(actorsAfter) && !hasSessionEnded(actorsBefore))
      addLine(
        position,
        step,
        'refuses',
        describeReason({ kind: 'unauthorized' }, { machine: 'session', answered: getCall(position) }),
      );
    else if (userIdBefore !== undefined && userIdBefore !== userId) {
      const text = userId == null ? 'is signed out' : 'is signed in';
      const last = state.acts.at(-1);
      // The action and its success are merged into one line.
      if (last?.kind === 'does' && last.shows === null) last.text = `${last.text}, and ${text}`;
      else addLine(position, step, 'works', text);
    }
  };

  const updateScreen = (position: Position, step: number): void => {
    const screen = getScreen(position.moment.actors);
    state.waitText = screen?.waits ? screen.text : null;
    if (!screen || screen.waits || screen.text === state.screen?.text) return;
    state.screen = screen;
    addOpening(position, step);
    const act = state.acts.at(-1);
    if (act) act.shows = screen.text;
  };

  /**
   * Marks a response to a retry of the shop, in contrast to one to the customer's last action.
   */
  const markRetry = (text: string): string => (isRetrying ? `${text} (the shop asked again by itself)` : text);

  for (const [index, position] of positions.entries()) {
    const { input } = position.recorded;
    const step = index + 1;
    if (input.kind === 'timer') isRetrying = /\/payment(~\d+)?$/.test(input.to);
    if (input.kind === 'start') isRetrying = false;
    if (input.kind === 'start') addLoad(position, step);
    hasTyped ||= isTyping(input);
    const action = describeAction(position);
    if (action !== null) {
      isRetrying = false;
      addAction(position, step, action);
    }
    const actorsBefore = (previousPosition ?? position).moment.actors;
    const credits = Boolean(getPayment(actorsBefore)?.credits);
    const outcome = describePayment(input, {
      lost: isConfirmationLost,
      free: isFreeTitleOpen(actorsBefore),
      credits,
      gift: isGiftPurchase(actorsBefore),
      cart: isCartPurchase(actorsBefore),
      plan: isPlanPurchase(actorsBefore),
    });
    isConfirmationLost ||= isLostConfirmation(input);
    if (outcome && !isReported(outcome)) {
      addWait(position, step);
      addLine(position, step, outcome.kind, markRetry(outcome.text));
    }
    addSessionChange(position, step);
    for (const { kind, text } of findNewFailures(position, previousPosition?.run === position.run ? previousPosition : undefined))
      addLine(position, step, kind, markRetry(text));
    updateScreen(position, step);
    if (input.kind === 'event') lastEventAt = getVisitTime(position);
    previousPosition = position;
  }
  if (previousPosition) addOpening(previousPosition, positions.length);
  const last = state.acts.at(-1);
  if (last && state.waitText !== null)
    last.shows = `${last.shows === null ? '' : `${last.shows}, then `}${state.waitText}, to the end`;
  return state.acts;
};
