import { paymentReturnPath, subscribedPath } from '../../machines/model/paths.ts';
import type { Plain, Trace } from '../../machines/trace/format.ts';
import type { Player, Position } from '../../machines/trace/player.ts';
import { describeUserAction, isFreeTitleOpen, isTyping } from './user-actions.ts';
import { reasonText } from './reasons.ts';
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
  const whole = Math.round(ms / 1000);
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
};

const repetitionPattern = / \((\d+) times\)$/;

/**
 * Repetitions are collapsed into one line with their number; returns whether the text was repeated.
 */
const countRepetition = (last: NarrativeLine, text: string): boolean => {
  if (last.text.replace(repetitionPattern, '') !== text) return false;
  last.text = `${text} (${Number(repetitionPattern.exec(last.text)?.[1] ?? 1) + 1} times)`;
  return true;
};

/**
 * The pseudonym in the record of the e-mail address that a form sent: equal addresses have equal
 * pseudonyms.
 */
const getEmail = ({ input }: Position['recorded']): string | null => {
  const pii =
    input.kind === 'event' ? (input.event['pii'] as { email?: Plain; form?: { email?: Plain } } | undefined) : undefined;
  const email = pii?.form?.email ?? pii?.email;
  return typeof email === 'string' ? email : null;
};

/**
 * Groups forms by owner of the address: in account forms it is the customer's own, in gift forms
 * the recipient's.
 */
const getFormKind = (machine: string): string => (machine === 'purchase' ? 'gift' : 'account');

/**
 * Notes whether the customer sends the same address again or another one, which is support's first
 * question; `sent` holds the last address of each form.
 */
export const describeAddress = (sent: Map<string, string>, machine: string, address: string): string => {
  const earlier = sent.get(getFormKind(machine));
  sent.set(getFormKind(machine), address);
  if (earlier === undefined) return '';
  return address === earlier ? ' (the same address)' : ' (another address than before)';
};

/** The fields of a form that the page rejected. */
const getRejectedFields = ({ input }: Position['recorded']): string[] => {
  const fields = input.kind === 'event' && input.event.type.endsWith('.rejected') ? input.event['fields'] : null;
  return typeof fields === 'object' && fields !== null ? Object.keys(fields) : [];
};

const lastButtonPattern = /“([^”]*)”(?=[^“]*$)/;

/**
 * The description is a tester's instruction for a rejected form; the customer's action is
 * different.
 */
const addRejectedFields = (deed: string, position: Position): string => {
  const fields = getRejectedFields(position.recorded);
  const button = lastButtonPattern.exec(deed)?.[1];
  if (fields.length === 0 || button === undefined) return deed;
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
  input.kind === 'said' && typeof input.event['call'] === 'string' ? input.event['call'] : undefined;

/** `waiting` is the description of the current wait. */
type NarrativeState = { acts: NarrativeLine[]; screen: Screen | null; waiting: string | null };

/**
 * The acts of a visit, one per line: actions and their results, failures with reasons, and long
 * waits.
 */
export const narrate = (player: Player, { runs }: Trace): NarrativeLine[] => {
  const { positions } = player;
  const begun = runs[0]?.startedAt ?? 0;
  const telling: NarrativeState = { acts: [], screen: null, waiting: null };
  const sent = new Map<string, string>();
  let [typed, lastSign, asksByItself, lost] = [false, 0, false, false];
  let before: Position | undefined;
  /** The last known user of the session. */
  let customer: string | null | undefined;

  const time = ({ run, recorded }: Position): number => (runs[run]?.startedAt ?? begun) + recorded.at - begun;
  /**
   * A decline is reported again by each later response of the server, until the payment succeeds or
   * is abandoned.
   */
  const isToldAgain = ({ kind, text }: Pick<NarrativeLine, 'kind' | 'text'>): boolean => {
    const since = telling.acts.findLastIndex((act) => act.kind === 'works') + 1;
    return isWrong({ kind }) && telling.acts.slice(since).some((act) => act.text === text);
  };
  const tellOpening = (position: Position, step: number): void => {
    const path = getRoute(position.moment.actors)?.path ?? '/';
    const text = `Opens the shop at ${path.split('?')[0]}`;
    if (telling.acts.length === 0) telling.acts.push({ at: time(position), step, kind: 'does', text, shows: null });
  };
  const tell = (position: Position, step: number, kind: NarrativeLine['kind'], text: string): void => {
    const last = telling.acts.at(-1);
    tellOpening(position, step);
    if (last && isWrong(last) && last.kind === kind && countRepetition(last, text)) return;
    telling.acts.push({ at: time(position), step, kind, text, shows: null });
  };
  const tellWait = (position: Position, step: number): void => {
    const since = Math.max(lastSign, telling.acts.at(-1)?.at ?? 0);
    const idle = time(position) - since;
    if (idle < LONG_WAIT_MS || telling.acts.length === 0 || wasAway()) return;
    const place = telling.waiting === null ? `on ${telling.screen?.text ?? 'the page'}` : `in front of ${telling.waiting}`;
    telling.acts.push({ at: since, step, kind: 'waits', text: `${formatSeconds(idle)} ${place}`, shows: null });
  };
  const wasAway = (): boolean => before !== undefined && isLeaving(before.moment.actors);
  const awayFor = (position: Position): string => `${formatSeconds(time(position) - lastSign)} on the payment page`;
  const loadText = (position: Position, earlier: Position): string => {
    const path = findPath(player, position.run);
    // A customer who returns without the gateway's redirect loads another page, or uses the
    // browser's Back.
    if (wasAway() && path !== undefined && (path.startsWith(paymentReturnPath('')) || returnPattern.test(path)))
      return `Is sent back by the payment page after ${formatSeconds(time(position) - lastSign)}`;
    // The shop itself loads this page after a subscription has started.
    if (wasAway() && path === subscribedPath && !isPaying(earlier)) return 'The shop goes on to its page that says thank you';
    if (wasAway()) return `Comes back after ${awayFor(position)}`;
    return path === undefined || path === getRoute(earlier.moment.actors)?.path
      ? 'Loads the page anew'
      : `Opens the shop at ${path.split('?')[0]}`;
  };
  /** A reload aborts the calls of the page, which is not a failure of the shop. */
  const tellCutOff = (position: Position): void => {
    const last = telling.acts.at(-1);
    if (last?.kind === 'fails' && time(position) - last.at < CONNECTION_LOSS_MS)
      last.text = last.text.replace(NO_CONNECTION_TEXT, 'the page was left before the shop had answered');
  };
  const tellLoad = (position: Position, step: number): void => {
    if (runs[position.run]?.from) return;
    if (before) {
      tellCutOff(position);
      tellWait(position, step);
      tell(position, step, 'does', loadText(position, before));
    }
    lastSign = time(position);
  };
  const tellDeed = (position: Position, step: number, text: string): void => {
    const last = telling.acts.at(-1);
    // Turning pages, or repeated presses without effect, count as one act.
    if (last?.kind === 'does' && last.shows === null && countRepetition(last, text)) {
      lastSign = time(position);
      return;
    }
    tellWait(position, step);
    tell(position, step, 'does', typed ? `Types into the search field. ${text}` : text);
    typed = false;
    lastSign = time(position);
  };

  const withAddress = (deed: string, position: Position): string => {
    const { input } = position.recorded;
    const address = getEmail(position.recorded);
    if (address === null || input.kind !== 'event') return deed;
    const machine = getMachineSnapshot((before ?? position).moment.actors, input.to)?.machine.id ?? '';
    return `${deed}${describeAddress(sent, machine, address)}`;
  };

  const deedIn = (position: Position): string | null => {
    const { input } = position.recorded;
    const deed = describeUserAction(input, (before ?? position).moment.actors, telling.screen);
    if (deed !== null) return withAddress(addRejectedFields(deed, position), position);
    if (input.kind !== 'said') return null;
    if (input.event.type === 'page.returned') return `Comes back by the browser’s Back after ${awayFor(position)}`;
    const moves = input.event.type === 'history.changed' && input.turn === undefined && before?.run === position.run;
    return moves ? 'Goes back or forward in the browser' : null;
  };

  /** After a sign-in or sign-out in another tab, the next page load has another user. */
  const tellOther = (to: string | null): void => {
    const last = telling.acts.at(-1);
    if (last?.kind === 'does') last.text = `${last.text}, now ${to === null ? 'signed out' : 'signed in'}`;
  };
  const tellCustomer = (position: Position, step: number): void => {
    if (before === undefined) return;
    const [was, is] = [before.moment.actors, position.moment.actors];
    const to = getCustomer(is);
    const isLoaded = before.run !== position.run || getCustomer(was) === undefined;
    if (isLoaded && to !== undefined && customer !== undefined && to !== customer) tellOther(to);
    if (to !== undefined) customer = to;
    if (before.run !== position.run) return;
    const from = getCustomer(was);
    if (hasSessionEnded(is) && !hasSessionEnded(was))
      tell(position, step, 'refuses', reasonText({ kind: 'unauthorized' }, { machine: 'session', answered: getCall(position) }));
    else if (from !== undefined && from !== to) {
      const text = to == null ? 'is signed out' : 'is signed in';
      const last = telling.acts.at(-1);
      // The action and its success are merged into one line.
      if (last?.kind === 'does' && last.shows === null) last.text = `${last.text}, and ${text}`;
      else tell(position, step, 'works', text);
    }
  };

  const tellScreen = (position: Position, step: number): void => {
    const screen = getScreen(position.moment.actors);
    telling.waiting = screen?.waits ? screen.text : null;
    if (!screen || screen.waits || screen.text === telling.screen?.text) return;
    telling.screen = screen;
    tellOpening(position, step);
    const act = telling.acts.at(-1);
    if (act) act.shows = screen.text;
  };

  /**
   * Marks responses to the shop's own retries, in contrast to those to the customer's last action.
   */
  const byItself = (text: string): string => (asksByItself ? `${text} (the shop asked again by itself)` : text);

  for (const [index, position] of positions.entries()) {
    const { input } = position.recorded;
    const step = index + 1;
    if (input.kind === 'timer') asksByItself = /\/payment(~\d+)?$/.test(input.to);
    if (input.kind === 'start') asksByItself = false;
    if (input.kind === 'start') tellLoad(position, step);
    typed ||= isTyping(input);
    const deed = deedIn(position);
    if (deed !== null) {
      asksByItself = false;
      tellDeed(position, step, deed);
    }
    const seen = (before ?? position).moment.actors;
    const credits = Boolean(getPayment(seen)?.credits);
    const news = describePayment(input, {
      lost,
      free: isFreeTitleOpen(seen),
      credits,
      gift: isGiftPurchase(seen),
      cart: isCartPurchase(seen),
      plan: isPlanPurchase(seen),
    });
    lost ||= isLostConfirmation(input);
    if (news && !isToldAgain(news)) {
      tellWait(position, step);
      tell(position, step, news.kind, byItself(news.text));
    }
    tellCustomer(position, step);
    for (const { kind, text } of findNewFailures(position, before?.run === position.run ? before : undefined))
      tell(position, step, kind, byItself(text));
    tellScreen(position, step);
    if (input.kind === 'event') lastSign = time(position);
    before = position;
  }
  if (before) tellOpening(before, positions.length);
  const last = telling.acts.at(-1);
  if (last && telling.waiting !== null)
    last.shows = `${last.shows === null ? '' : `${last.shows}, then `}${telling.waiting}, to the end`;
  return telling.acts;
};
