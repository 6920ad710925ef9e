import { paymentReturnPath, subscribedPath } from '../../machines/model/paths.ts';
import type { Plain, Trace } from '../../machines/trace/format.ts';
import type { Player, Position } from '../../machines/trace/player.ts';
import { customerDeed, isFree, isTyping } from './deeds.ts';
import { reasonText } from './reasons.ts';
import {
  customerIn,
  flowName,
  isAway,
  isCart,
  isGift,
  isPlan,
  machineIn,
  pathOf,
  paymentIn,
  routeIn,
  runningIn,
  screenIn,
  type Screen,
} from './screen.ts';
import { isLostConfirmation, newTroubles, paymentNews, sessionEnded } from './troubles.ts';

/**
 * What support reads of a visit: `does` is the customer’s doing, `works` how something ended well; what went wrong `fails` where
 * something did not work, and `refuses` where somebody said no; `waits` is a time in which nothing happened. `at` is in milliseconds since the visit began, `shows` the screen that came of it, where it is another.
 */
export type Act = {
  at: number;
  step: number;
  kind: 'does' | 'works' | 'fails' | 'refuses' | 'waits';
  text: string;
  shows: string | null;
};

export const isWrong = ({ kind }: Pick<Act, 'kind'>): boolean => kind === 'fails' || kind === 'refuses';

/** Milliseconds without a sign of life that are worth a line. */
const longWait = 10_000;

const seconds = (ms: number): string => {
  const whole = Math.round(ms / 1000);
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
};

const timesAtEnd = / \((\d+) times\)$/;

/** The same over and over is one line: it says how often, and the answer is whether it was the same. */
const isAgain = (last: Act, text: string): boolean => {
  if (last.text.replace(timesAtEnd, '') !== text) return false;
  last.text = `${text} (${Number(timesAtEnd.exec(last.text)?.[1] ?? 1) + 1} times)`;
  return true;
};

/** What the record holds in the place of the e-mail address that was sent with a form: the same for the same address. */
const addressIn = ({ input }: Position['recorded']): string | null => {
  const pii =
    input.kind === 'event' ? (input.event['pii'] as { email?: Plain; form?: { email?: Plain } } | undefined) : undefined;
  const email = pii?.form?.email ?? pii?.email;
  return typeof email === 'string' ? email : null;
};

/** The forms of an account, in which an address is the customer’s own; a gift’s is somebody else’s. */
const formOf = (machine: string): string => (machine === 'purchase' ? 'gift' : 'account');

/** Whether somebody tries another address or the same one again is what support asks first; `sent` holds the last one of each form. */
export const addressNote = (sent: Map<string, string>, machine: string, address: string): string => {
  const earlier = sent.get(formOf(machine));
  sent.set(formOf(machine), address);
  if (earlier === undefined) return '';
  return address === earlier ? ' (the same address)' : ' (another address than before)';
};

/** The fields of a form that the page did not take. */
const refusedFields = ({ input }: Position['recorded']): string[] => {
  const fields = input.kind === 'event' && input.event.type.endsWith('.rejected') ? input.event['fields'] : null;
  return typeof fields === 'object' && fields !== null ? Object.keys(fields) : [];
};

const lastButton = /“([^”]*)”(?=[^“]*$)/;

/** How a tester has a form refused is not what the customer did. */
const withRefusal = (deed: string, position: Position): string => {
  const fields = refusedFields(position.recorded);
  const button = lastButton.exec(deed)?.[1];
  if (fields.length === 0 || button === undefined) return deed;
  return `Presses “${button}”; the form is not taken: ${fields.join(', ')}`;
};

/** In the address that the payment page leads back to. */
const returned = /[?&](?:transId|subscriptionid|intentId)=/;

/** Left for the payment page, not for a page of the shop. */
const isPaying = ({ moment }: Position): boolean => {
  const flow = runningIn(moment.actors, flowName)?.snapshot;
  return flow?.machine.id !== 'redeem' && !(flow?.machine.id === 'purchase' && flow.value === 'succeeded');
};

const noConnection = 'the shop could not be reached (the call or its answer was lost)';
/** Milliseconds between a call that is cut off and the page load that cuts it off. */
const cutOff = 1_500;

/** The call whose answer said something of the whole shop. */
const callIn = ({ recorded: { input } }: Position): string | undefined =>
  input.kind === 'said' && typeof input.event['call'] === 'string' ? input.event['call'] : undefined;

/** `waiting` says what the customer waits for at the moment. */
type Telling = { acts: Act[]; screen: Screen | null; waiting: string | null };

/** The acts of a visit, each a line: presses and what came of them, failures with their reason, and long waits. */
export const actsOf = (player: Player, { runs }: Trace): Act[] => {
  const { positions } = player;
  const begun = runs[0]?.startedAt ?? 0;
  const telling: Telling = { acts: [], screen: null, waiting: null };
  const sent = new Map<string, string>();
  let [typed, lastSign, asksByItself, lost] = [false, 0, false, false];
  let before: Position | undefined;
  /** Whose session it was when that was known last. */
  let customer: string | null | undefined;

  const time = ({ run, recorded }: Position): number => (runs[run]?.startedAt ?? begun) + recorded.at - begun;
  /** A decline is told by each answer of the server that follows, until the payment is taken or given up. */
  const isToldAgain = ({ kind, text }: Pick<Act, 'kind' | 'text'>): boolean => {
    const since = telling.acts.findLastIndex((act) => act.kind === 'works') + 1;
    return isWrong({ kind }) && telling.acts.slice(since).some((act) => act.text === text);
  };
  const tellOpening = (position: Position, step: number): void => {
    const path = routeIn(position.moment.actors)?.path ?? '/';
    const text = `Opens the shop at ${path.split('?')[0]}`;
    if (telling.acts.length === 0) telling.acts.push({ at: time(position), step, kind: 'does', text, shows: null });
  };
  const tell = (position: Position, step: number, kind: Act['kind'], text: string): void => {
    const last = telling.acts.at(-1);
    tellOpening(position, step);
    if (last && isWrong(last) && last.kind === kind && isAgain(last, text)) return;
    telling.acts.push({ at: time(position), step, kind, text, shows: null });
  };
  const tellWait = (position: Position, step: number): void => {
    const since = Math.max(lastSign, telling.acts.at(-1)?.at ?? 0);
    const idle = time(position) - since;
    if (idle < longWait || telling.acts.length === 0 || wasAway()) return;
    const place = telling.waiting === null ? `on ${telling.screen?.text ?? 'the page'}` : `in front of ${telling.waiting}`;
    telling.acts.push({ at: since, step, kind: 'waits', text: `${seconds(idle)} ${place}`, shows: null });
  };
  const wasAway = (): boolean => before !== undefined && isAway(before.moment.actors);
  const awayFor = (position: Position): string => `${seconds(time(position) - lastSign)} on the payment page`;
  const loadText = (position: Position, earlier: Position): string => {
    const path = pathOf(player, position.run);
    // Whoever finds the way back alone comes to another page, or by the browser's Back.
    if (wasAway() && path !== undefined && (path.startsWith(paymentReturnPath('')) || returned.test(path)))
      return `Is sent back by the payment page after ${seconds(time(position) - lastSign)}`;
    // The shop loads this page itself, once a subscription has begun.
    if (wasAway() && path === subscribedPath && !isPaying(earlier)) return 'The shop goes on to its page that says thank you';
    if (wasAway()) return `Comes back after ${awayFor(position)}`;
    return path === undefined || path === routeIn(earlier.moment.actors)?.path
      ? 'Loads the page anew'
      : `Opens the shop at ${path.split('?')[0]}`;
  };
  /** Whoever reloads ends the calls of the page, for which nobody else can be blamed. */
  const tellCutOff = (position: Position): void => {
    const last = telling.acts.at(-1);
    if (last?.kind === 'fails' && time(position) - last.at < cutOff)
      last.text = last.text.replace(noConnection, 'the page was left before the shop had answered');
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
    // Who turns pages, or presses what does nothing, does one thing for long.
    if (last?.kind === 'does' && last.shows === null && isAgain(last, text)) {
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
    const address = addressIn(position.recorded);
    if (address === null || input.kind !== 'event') return deed;
    const machine = machineIn((before ?? position).moment.actors, input.to)?.machine.id ?? '';
    return `${deed}${addressNote(sent, machine, address)}`;
  };

  const deedIn = (position: Position): string | null => {
    const { input } = position.recorded;
    const deed = customerDeed(input, (before ?? position).moment.actors, telling.screen);
    if (deed !== null) return withAddress(withRefusal(deed, position), position);
    if (input.kind !== 'said') return null;
    if (input.event.type === 'page.returned') return `Comes back by the browser’s Back after ${awayFor(position)}`;
    const moves = input.event.type === 'history.changed' && input.turn === undefined && before?.run === position.run;
    return moves ? 'Goes back or forward in the browser' : null;
  };

  /** Who signed in, or out, in another tab is somebody else from the next page load on. */
  const tellOther = (to: string | null): void => {
    const last = telling.acts.at(-1);
    if (last?.kind === 'does') last.text = `${last.text}, now ${to === null ? 'signed out' : 'signed in'}`;
  };
  const tellCustomer = (position: Position, step: number): void => {
    if (before === undefined) return;
    const [was, is] = [before.moment.actors, position.moment.actors];
    const to = customerIn(is);
    const isLoaded = before.run !== position.run || customerIn(was) === undefined;
    if (isLoaded && to !== undefined && customer !== undefined && to !== customer) tellOther(to);
    if (to !== undefined) customer = to;
    if (before.run !== position.run) return;
    const from = customerIn(was);
    if (sessionEnded(is) && !sessionEnded(was))
      tell(position, step, 'refuses', reasonText({ kind: 'unauthorized' }, { machine: 'session', answered: callIn(position) }));
    else if (from !== undefined && from !== to) {
      const text = to == null ? 'is signed out' : 'is signed in';
      const last = telling.acts.at(-1);
      // What was pressed for it and that it came about are one line.
      if (last?.kind === 'does' && last.shows === null) last.text = `${last.text}, and ${text}`;
      else tell(position, step, 'works', text);
    }
  };

  const tellScreen = (position: Position, step: number): void => {
    const screen = screenIn(position.moment.actors);
    telling.waiting = screen?.waits ? screen.text : null;
    if (!screen || screen.waits || screen.text === telling.screen?.text) return;
    telling.screen = screen;
    tellOpening(position, step);
    const act = telling.acts.at(-1);
    if (act) act.shows = screen.text;
  };

  /** Whose doing an answer was is what who reads of it wonders: the customer's last press, or the shop's own asking. */
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
    const credits = Boolean(paymentIn(seen)?.credits);
    const news = paymentNews(input, {
      lost,
      free: isFree(seen),
      credits,
      gift: isGift(seen),
      cart: isCart(seen),
      plan: isPlan(seen),
    });
    lost ||= isLostConfirmation(input);
    if (news && !isToldAgain(news)) {
      tellWait(position, step);
      tell(position, step, news.kind, byItself(news.text));
    }
    tellCustomer(position, step);
    for (const { kind, text } of newTroubles(position, before?.run === position.run ? before : undefined))
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
