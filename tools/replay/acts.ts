import type { AnyMachineSnapshot, Snapshot } from 'xstate';
import { isProblem, type Problem } from '../../machines/model/problem.ts';
import type { Input, Plain } from '../../machines/trace/format.ts';
import type { Player, Position } from '../../machines/trace/player.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { descriptionOf, ownProperty } from './descriptions.ts';
import { nameAt } from '../../src/flows/routes.ts';
import { declineText, reasonText, type Place } from './reasons.ts';
import {
  contextOf,
  customerIn,
  flowName,
  isAway,
  machineIn,
  priceText,
  routeIn,
  runningIn,
  screenIn,
  type Screen,
  objectIn,
} from './screen.ts';
import { idOf } from './story.ts';

/**
 * What support reads of a visit: `does` is the customer’s doing, `works` and `fails` how something ended, `waits` a time in
 * which nothing happened. `at` is in milliseconds since the visit began, `then` the screen that came of it, where it is another.
 */
export type Act = { at: number; step: number; kind: 'does' | 'works' | 'fails' | 'waits'; text: string; then: string | null };

type Actors = Readonly<Record<string, Snapshot<unknown>>>;

/** Milliseconds without a sign of life that are worth a line. */
const longWait = 10_000;

const seconds = (ms: number): string => {
  const whole = Math.round(ms / 1000);
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
};

const isFree = (actors: Actors): boolean => objectIn(runningIn(actors, flowName)?.snapshot, 'title')?.['free'] === true;

const verbs: readonly (readonly [RegExp, string])[] = [
  [/\bPress\b/g, 'Presses'],
  [/\bpress “/g, 'presses “'],
  [/^Fill\b/, 'Fills'],
  [/^Choose\b/, 'Chooses'],
  [/^Move\b/, 'Moves'],
  [/^Open\b/, 'Opens'],
  [/, tick\b/, ', ticks'],
  [/\bchoose\b/, 'chooses'],
];

/** Of several buttons that an order names, the one that the screen has; the first where it has more, or says none. */
const chosenIn = (order: string, words: string, free: boolean): string => {
  const choice =
    /(?:the first button below the message )?\(?“[^”]*”(?: \(| or |, )“[^”]*”(?:(?: or |, )“[^”]*”)*(?: [^)“]*)?\)?/.exec(
      order,
    )?.[0];
  if (choice === undefined) return order;
  const names = [...choice.matchAll(/“([^”]*)”/g)].map(([, name = '']) => name);
  const onScreen = names.filter((name) => words.includes(`“${name}”`));
  const forFree = names.find((name) => /free/i.test(name));
  const name = free && forFree !== undefined ? forFree : ((onScreen.length === 1 ? onScreen[0] : names[0]) ?? '');
  return order.replace(choice, `“${name}”`);
};

/** An order to a tester, as what the customer did: in the third person, and with the price. */
const deedText = (order: string, screen: Screen | null, free: boolean): string => {
  const plain = chosenIn(order, screen?.words ?? '', free);
  const price = screen?.price ?? null;
  const priced = price === null ? plain : plain.replace(/\{(?:price|amount)\}/, () => priceText(price));
  return verbs.reduce((text, [verb, third]) => text.replace(verb, third), priced);
};

/** What is folded away: it happens by itself, or tells nothing of why somebody asks for help. */
const folded: ReadonlySet<string> = new Set([
  'places.seen',
  'related.near',
  'comments.near',
  'search.left',
  'search.typed',
  'suggestion.moved',
  'book.controlsRequested',
]);

/** The press of an event, where it is one of the customer’s. */
const pressIn = (input: Input, actors: Actors): string | undefined => {
  if (input.kind !== 'event') return undefined;
  const machine = machineIn(actors, input.to)?.machine.id ?? '';
  return folded.has(input.event.type) ? undefined : ownProperty(descriptionOf.get(machine)?.presses, input.event.type);
};

const textIn = (value: Plain | undefined): string => (typeof value === 'string' ? value : '');

/** Where a link or a search leads to. */
const wayText = (to: string): string => {
  const [path = '', query = ''] = to.split('?');
  const search = new URLSearchParams(query).get('search');
  if (search !== null) return `Searches for “${search}”`;
  const name = nameAt(path)?.en;
  if (name !== undefined) return `Follows a link to “${name}”`;
  return path.startsWith('/id:') ? 'Follows a link to a title' : `Follows a link to ${path}`;
};

/** The problem that a machine keeps, of those whose screens say it. */
const problemOf = (snapshot: AnyMachineSnapshot): Problem | null => {
  const { problem, skipped } = contextOf(snapshot);
  const { id } = snapshot.machine;
  const kept = id === 'wishes' ? objectIn(snapshot, 'failure')?.['problem'] : id === 'notices' ? skipped : problem;
  return isProblem(kept) ? kept : null;
};

/** Screens that have come to an end without a problem of their own. */
const deadEnds: Readonly<Record<string, string>> = {
  'screen.unfetched': 'a part of the page could not be loaded: “Loading failed! Please reload.”',
  'title.notFound': 'the shop has no such title',
  'page.notFound': 'the shop has no such page',
  'catalogue.notFound': 'the shop has no such category',
  'checkout.notFound': 'the shop has no such title',
  'checkout.notForSale': 'the title is not for sale',
  'checkout.priceChanged': 'the price has changed since the customer saw it; nothing was charged',
  'receipt.notFound': 'the shop has no such receipt',
  'viewer.notOwned': 'the customer does not own the title',
  'viewer.notFound': 'there is nothing to read at this address',
  'app.invalid': 'the server does not know the store',
};

/** What is wrong with what a customer sees, by the actor that it is wrong with. */
type Trouble = { actor: string; text: string };

/** What a machine had asked for that the step settles. */
const askedIn = ({ input }: Position['recorded'], actor: string, machine: string): Omit<Place, 'machine'> => {
  if (input.kind !== 'settled' || input.to !== actor) return {};
  const call = idOf(input.from);
  return { call, asked: ownProperty(descriptionOf.get(machine)?.asks, call) };
};

const isSeen = (name: string): boolean => /^root(\/(boot|screen|frame\/wishes)|$)/.test(name);

/** The troubles of a moment: problems that machines keep, and dead ends. */
const troublesIn = ({ moment: { actors }, recorded }: Position): Trouble[] =>
  Object.keys(actors).flatMap((actor): Trouble[] => {
    const snapshot = isSeen(actor) ? machineIn(actors, actor) : null;
    if (!snapshot || snapshot.status === 'stopped') return [];
    const { machine } = snapshot;
    const problem = problemOf(snapshot);
    // What the payment tells the checkout it has told before.
    if (problem && !(machine.id === 'checkout' && snapshot.value === 'failed'))
      return [{ actor, text: reasonText(problem, { machine: machine.id, ...askedIn(recorded, actor, machine.id) }) }];
    const ends = (snapshot._nodes as { id: string }[])
      .map(({ id }) => ownProperty(deadEnds, id))
      .filter((each) => each !== undefined);
    return ends.map((text) => ({ actor, text }));
  });

const sessionEnded = (actors: Actors): boolean => contextOf(runningIn(actors, /^root\/session$/)?.snapshot)['ended'] === true;

type Output = { status?: Plain; reason?: Plain; url?: Plain; transId?: Plain };

const outputIn = (input: Input): Output => {
  const output = input.kind === 'settled' ? input.event['output'] : null;
  return typeof output === 'object' && output !== null && !Array.isArray(output) ? output : {};
};

/** What the server told of a payment, as an act. */
const paymentNews = (input: Input): Pick<Act, 'kind' | 'text'> | null => {
  if (input.kind !== 'settled' || 'error' in input.event) return null;
  const [asked, { status, reason, url }] = [idOf(input.from), outputIn(input)];
  if (asked === 'confirmPayment') return { kind: 'works', text: 'The payment is taken, and the title is in the library' };
  if (asked === 'startPayment' && url === '') return { kind: 'works', text: 'The free title is in the library' };
  if (asked === 'grant') return { kind: 'works', text: 'The free title is in the library' };
  if (!/^(paymentStatus|statusBeforeCancel)$/.test(asked)) return null;
  if (status === 'paid') return { kind: 'works', text: 'The server says that the payment is taken' };
  if (typeof reason === 'string' && (status === 'authorized' || status === 'pending')) {
    const after = status === 'authorized' ? ', before another try was accepted' : '';
    return { kind: 'fails', text: `${declineText(reason)}${after}` };
  }
  return status === 'cancelled'
    ? { kind: 'works', text: 'The payment was cancelled at the payment page; nothing was charged' }
    : null;
};

/** Tells an actor’s troubles of the step before from those that are new. */
const isNew = (before: readonly Trouble[], { input }: Position['recorded'], { actor, text }: Trouble): boolean => {
  const known = before.find((each) => each.actor === actor);
  const again = input.kind === 'settled' && 'error' in input.event && input.to === actor;
  return known === undefined || again || (known.text !== text && !known.text.startsWith(text));
};

/** `waiting` says what the customer waits for at the moment. */
type Telling = { acts: Act[]; screen: Screen | null; waiting: string | null };

const isTyping = (input: Input): boolean => input.kind === 'event' && input.event.type === 'search.typed';

/** The acts of a visit, each a line: presses and what came of them, failures with their reason, and long waits. */
export const actsOf = ({ positions }: Player, { runs }: Trace): Act[] => {
  const begun = runs[0]?.startedAt ?? 0;
  const telling: Telling = { acts: [], screen: null, waiting: null };
  let [typed, lastSign] = [false, 0];
  let before: Position | undefined;

  const time = ({ run, recorded }: Position): number => (runs[run]?.startedAt ?? begun) + recorded.at - begun;
  const tellOpening = (position: Position, step: number): void => {
    const path = routeIn(position.moment.actors)?.path ?? '/';
    const text = `Opens the shop at ${path.split('?')[0]}`;
    if (telling.acts.length === 0) telling.acts.push({ at: time(position), step, kind: 'does', text, then: null });
  };
  const tell = (position: Position, step: number, kind: Act['kind'], text: string): void => {
    const last = telling.acts.at(-1);
    tellOpening(position, step);
    // The same failure over and over is one line.
    if (last?.kind === 'fails' && last.text.replace(/ \(\d+ times\)$/, '') === text) {
      const times = Number(/ \((\d+) times\)$/.exec(last.text)?.[1] ?? 1) + 1;
      last.text = `${text} (${times} times)`;
      return;
    }
    telling.acts.push({ at: time(position), step, kind, text, then: null });
  };
  const tellWait = (position: Position, step: number): void => {
    const idle = time(position) - lastSign;
    if (idle < longWait || telling.acts.length === 0 || wasAway()) return;
    const place = telling.waiting === null ? `on ${telling.screen?.text ?? 'the page'}` : `in front of ${telling.waiting}`;
    telling.acts.push({ at: lastSign, step, kind: 'waits', text: `${seconds(idle)} ${place}`, then: null });
  };
  const wasAway = (): boolean => before !== undefined && isAway(before.moment.actors);
  const awayFor = (position: Position): string => `${seconds(time(position) - lastSign)} on the payment page`;
  const loadText = (position: Position, earlier: Position): string => {
    if (wasAway()) return `Comes back after ${awayFor(position)}`;
    const path = positions
      .map((each) => (each.run === position.run ? routeIn(each.moment.actors)?.path : undefined))
      .find(Boolean);
    return path === undefined || path === routeIn(earlier.moment.actors)?.path
      ? 'Loads the page anew'
      : `Opens the shop at ${path.split('?')[0]}`;
  };
  const tellLoad = (position: Position, step: number): void => {
    if (runs[position.run]?.from) return;
    if (before) {
      tellWait(position, step);
      tell(position, step, 'does', loadText(position, before));
    }
    lastSign = time(position);
  };
  const tellDeed = (position: Position, step: number, text: string): void => {
    tellWait(position, step);
    tell(position, step, 'does', typed ? `Types into the search field. ${text}` : text);
    typed = false;
    lastSign = time(position);
  };

  const deedIn = (position: Position): string | null => {
    const { input } = position.recorded;
    const actors = (before ?? position).moment.actors;
    const press = pressIn(input, actors);
    if (press !== undefined) return deedText(press, telling.screen, isFree(actors));
    if (input.kind === 'event' && input.to === 'root' && input.event.type === 'go') return wayText(textIn(input.event['to']));
    if (input.kind !== 'said') return null;
    if (input.event.type === 'page.returned') return `Comes back by the browser’s Back after ${awayFor(position)}`;
    const moves = input.event.type === 'history.changed' && input.turn === undefined && before?.run === position.run;
    return moves ? 'Goes back or forward in the browser' : null;
  };

  const tellCustomer = (position: Position, step: number): void => {
    if (before === undefined || before.run !== position.run) return;
    const [was, is] = [before.moment.actors, position.moment.actors];
    const [from, to] = [customerIn(was), customerIn(is)];
    if (sessionEnded(is) && !sessionEnded(was))
      tell(position, step, 'fails', reasonText({ kind: 'unauthorized' }, { machine: 'session' }));
    else if (from !== undefined && from !== to) {
      const text = to == null ? 'is signed out' : 'is signed in';
      const last = telling.acts.at(-1);
      // What was pressed for it and that it came about are one line.
      if (last?.kind === 'does' && last.then === null) last.text = `${last.text}, and ${text}`;
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
    if (act) act.then = screen.text;
  };

  for (const [index, position] of positions.entries()) {
    const { input } = position.recorded;
    const step = index + 1;
    if (input.kind === 'start') tellLoad(position, step);
    typed ||= isTyping(input);
    const deed = deedIn(position);
    if (deed !== null) tellDeed(position, step, deed);
    const news = paymentNews(input);
    if (news) tell(position, step, news.kind, news.text);
    tellCustomer(position, step);
    const known = before?.run === position.run ? troublesIn(before) : [];
    for (const trouble of troublesIn(position))
      if (isNew(known, position.recorded, trouble)) tell(position, step, 'fails', trouble.text);
    tellScreen(position, step);
    if (input.kind === 'event') lastSign = time(position);
    before = position;
  }
  if (before) tellOpening(before, positions.length);
  const last = telling.acts.at(-1);
  if (last && telling.waiting !== null)
    last.then = `${last.then === null ? '' : `${last.then}, then `}${telling.waiting}, to the end`;
  return telling.acts;
};
