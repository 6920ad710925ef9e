import {
  olderFormats,
  type Input,
  type Plain,
  type Reaction,
  type Run,
  type Shown,
  type Step,
  type Told,
  type Trace,
} from '../format.ts';
import { isSame } from '../plain.ts';
import { endingToday, outputToday } from './answers.ts';
import { goingOn, type GoingOn } from './checkpoints.ts';
import { childContextToday, flowContextToday } from './contexts.ts';
import { withoutNeedlessFetches } from './fetches.ts';
import {
  actorToday,
  flowAt,
  isObject,
  stateToday,
  wayToBeginning,
  withFlowsOfToday,
  type OldFlow,
  type PlainObject,
} from './names.ts';
import { standing, subscribingAt, subscribingFrom, subscribingToday, type InputsToday, type Subscribing } from './subscribing.ts';

/** A flow of buying in a run, as it goes. */
type Purchase = {
  actor: string;
  flow: OldFlow;
  /** The title that was offered. */
  title: Plain;
  subscribing: Subscribing | null;
  /** Today's machines cannot follow it any longer: its steps are left out. */
  isLost: boolean;
  /** The last state of each of its actors. */
  shows: Map<string, Plain>;
};

/** The state of a translation between two steps. */
type Progress = {
  route: PlainObject | null;
  purchases: Map<string, Purchase>;
  /** Inputs to insert after the answers that belong to the step before. */
  later: Input[];
  /** The screen's flow and those that are there, in today's words. */
  screen: PlainObject;
  /** Left out, with the answers within it; `link` where it has become one. */
  omitted: 'no' | 'all' | 'link';
};

const flowName = /^root\/screen\/flow(?:~\d+)?/;

const purchaseOf = (actor: string, { purchases }: Progress): Purchase | undefined =>
  purchases.get(flowName.exec(actor)?.[0] ?? '');

const nameToday = (actor: string, progress: Progress): string => {
  const purchase = purchaseOf(actor, progress);
  if (!purchase || actor === purchase.actor) return actor;
  return `${purchase.actor}/${actorToday(actor.slice(purchase.actor.length + 1))}`;
};

const isAnswer = (input: Input): boolean => 'turn' in input && input.turn !== undefined;

const eventIn = (told: Told): PlainObject => ('event' in told && isObject(told.event) ? told.event : {});

/** Where the flow sent the customer in a step: from within, or by a link that was a button. */
const wayOut = ({ told = [] }: Step, { actor }: Purchase): PlainObject | undefined =>
  told
    .filter(({ by, to }) => by === actor && to === 'root/screen')
    .map(eventIn)
    .find(({ type }) => type === 'go' || type === 'leave');

/** “Cancel” of a summary was a button and is a link today; that of the payment is a button. */
const isOldCancel = (input: Input, { actor, flow, shows }: Purchase): boolean =>
  input.kind === 'event' &&
  input.to === actor &&
  input.event.type === 'cancel.pressed' &&
  (flow === 'subscribing' || shows.get(actor) !== 'paying');

const settledToday = (input: Extract<Input, { kind: 'settled' }>, purchase: Purchase, progress: Progress): Input => {
  const { actor, flow } = purchase;
  const port = input.from.slice(actor.length + 1).replace(/~.*/, '');
  const { output } = input.event;
  const today = output === undefined ? undefined : outputToday(flow, port, output, purchase.title);
  if (port === 'quote' && isObject(output)) purchase.title = output['title'] ?? null;
  return { ...input, from: nameToday(input.from, progress), event: endingToday(input.event, today) };
};

const inputsToday = (input: Input, purchase: Purchase, progress: Progress): InputsToday => {
  if (purchase.subscribing) return subscribingToday(input, purchase.subscribing, purchase.shows.get(purchase.actor) ?? null);
  return { input: input.kind === 'settled' ? settledToday(input, purchase, progress) : input };
};

/** Keeps the state of a reaction, translated; returns the changes of the context. */
const keepShown = (reaction: Reaction, purchase: Purchase): PlainObject => {
  const { actor, on, state, changed } = reaction;
  const { flow, shows } = purchase;
  if (actor !== purchase.actor) {
    if (state !== undefined) shows.set(actor, state);
    return childContextToday(changed);
  }
  const isUnsold = flow === 'subscribing' && state === 'notFound' && changed['sells'] === false;
  if (state !== undefined) shows.set(actor, isUnsold ? 'notOffered' : stateToday(flow, state, on));
  return flowContextToday(flow, changed, on, state);
};

/** The states of all running purchases after these reactions. */
const shownAfter = (reactions: readonly Reaction[], progress: Progress): Shown[] => {
  const contexts = new Map<string, PlainObject>();
  for (const reaction of reactions) {
    const purchase = purchaseOf(reaction.actor, progress);
    if (!purchase) continue;
    const name = nameToday(reaction.actor, progress);
    contexts.set(name, { ...contexts.get(name), ...keepShown({ ...reaction, actor: name }, purchase) });
    const { subscribing } = purchase;
    // A kept card is confirmed without a request of the status.
    const { state, on } = reaction;
    if (!subscribing) continue;
    subscribing.state = state ?? subscribing.state;
    const isBack = on === 'page.returned' && subscribing.state === 'actionRequired';
    const isConfirmed = state === 'confirming' && on !== 'xstate.done.actor.startByCard';
    if (isBack || isConfirmed) progress.later.push(...standing(subscribing));
  }
  return [...progress.purchases.values()]
    .filter(({ isLost }) => !isLost)
    .flatMap(({ shows }) => [...shows].map(([actor, state]) => ({ actor, state, context: contexts.get(actor) ?? {} })));
};

/** Flows of buying that begin in a step; those before are gone. */
const begin = (reactions: readonly Reaction[], progress: Progress): void => {
  for (const { actor, on } of reactions) {
    if (on !== 'xstate.init' || flowName.exec(actor)?.[0] !== actor) continue;
    for (const purchase of progress.purchases.values()) purchase.isLost = true;
    const flow = flowAt(progress.route);
    if (flow !== null) progress.purchases.set(actor, purchaseAt(actor, flow, progress.route));
  }
};

/** The rest of a step whose press is a link today: the screen does not pass it on. */
const asLink = (step: Step, progress: Progress): Step => ({
  ...step,
  reactions: step.reactions.filter(({ actor, on }) => !(actor === 'root/screen' && (on === 'go' || on === 'leave'))),
  told: (step.told ?? []).filter(
    ({ by, to }) => !(by === 'root/screen' && to === 'root') && !(to === 'root/screen' && purchaseOf(by, progress)),
  ),
});

/** Without what is the same flow today. */
const newOfScreen = (changed: PlainObject, { screen }: Progress): PlainObject => {
  const entries = Object.entries(changed).filter(([key, value]) => {
    if (key !== 'flow' && key !== 'fetchedFlows') return true;
    const isNew = !isSame(screen[key], value);
    screen[key] = value;
    return isNew;
  });
  return Object.fromEntries(entries);
};

const withNames = (step: Step, progress: Progress): Step => {
  const renamed = <Part extends Plain>(value: Part): Part => withFlowsOfToday(value, progress.route) as Part;
  return {
    ...step,
    reactions: step.reactions.map((each) => {
      const changed = renamed(each.changed);
      return { ...each, changed: each.actor === 'root/screen' ? newOfScreen(changed, progress) : changed };
    }),
    ...(step.told && { told: step.told.map((each) => renamed(each as unknown as PlainObject) as unknown as Told) }),
  };
};

const added = (at: number, inputs: readonly Input[]): Step[] => inputs.map((input) => ({ at, input, reactions: [], told: [] }));

const history = 'root/location/history';

/** The older checkout did not leave the address of a payment that the server did not know. */
const leavesAddress = ({ reactions }: Step, progress: Progress): boolean =>
  reactions.some(({ actor, on, state }) => {
    const isAnew = on === 'xstate.done.actor.payment' && state === 'quoting';
    return isAnew && purchaseOf(actor, progress)?.flow === 'checkout';
  });

/** Numbers the answers of the history by its commands, of which there may be more or fewer now. */
const withTurns = (steps: readonly Step[]): Step[] => {
  let told = 0;
  return steps.map((step) => {
    const { input } = step;
    const turn = input.kind === 'said' && input.from === history && input.turn !== undefined ? told : undefined;
    told += (step.told ?? []).filter((each) => each.to === history && 'event' in each).length;
    return turn === undefined ? step : { ...step, input: { ...input, turn } as Input };
  });
};

/** The steps of today for one of an older shop. */
const stepsToday = (step: Step, progress: Progress): Step[] => {
  const { input, at } = step;
  if (input.kind === 'said' && input.to === 'root/location' && isObject(input.event['route']))
    progress.route = input.event['route'];
  if (isAnswer(input)) {
    if (progress.omitted === 'all') return [];
  } else progress.omitted = 'no';
  const due = isAnswer(input) ? [] : added(at, progress.later.splice(0));
  const purchase =
    'to' in input ? purchaseOf('from' in input && input.from !== undefined ? input.from : input.to, progress) : undefined;
  if (purchase && isOldCancel(input, purchase)) purchase.isLost = true;
  const inputs: InputsToday = purchase && !purchase.isLost ? inputsToday(input, purchase, progress) : { input };
  if (purchase && inputs === null) purchase.isLost = true;
  begin(step.reactions, progress);
  const named = withNames(step, progress);
  const shows = shownAfter(named.reactions, progress);
  if (purchase?.isLost && input.kind !== 'start') {
    const out = wayOut(step, purchase);
    progress.omitted = out === undefined ? 'all' : 'link';
    if (out === undefined) return due;
    const link = { kind: 'event', to: 'root', event: out } as Input;
    return [...due, { ...asLink(named, progress), input: link, shows }];
  }
  const { before = [], input: today } = inputs ?? { input };
  const renamed =
    'event' in today ? { ...today, event: withFlowsOfToday(today.event, progress.route) as typeof today.event } : today;
  const whole = {
    ...named,
    input: renamed,
    shows,
    ...(leavesAddress(step, progress) && { told: [...(named.told ?? []), wayToBeginning] }),
  };
  return [...due, ...added(at, before), progress.omitted === 'link' ? asLink(whole, progress) : whole];
};

const purchaseAt = (actor: string, flow: OldFlow, route: PlainObject | null): Purchase => {
  const subscribing = flow === 'subscribing' ? subscribingAt(actor, route) : null;
  return { actor, flow, title: null, subscribing, isLost: false, shows: new Map() };
};

/** The state at the start of a run; empty after a page load. */
const progressFrom = (start: GoingOn | null): Progress => {
  const progress: Progress = { route: start?.route ?? null, purchases: new Map(), later: [], screen: {}, omitted: 'no' };
  if (!start) return progress;
  const { purchase, screen } = start;
  Object.assign(progress.screen, { flow: screen['flow'] ?? null, fetchedFlows: screen['fetchedFlows'] ?? [] });
  if (!purchase) return progress;
  const actor = 'root/screen/flow';
  const { flow, context, state, oldState, goesOn } = purchase;
  const shows = new Map([[actor, state]]);
  const subscribing = flow === 'subscribing' ? subscribingFrom(actor, oldState, context) : null;
  progress.purchases.set(actor, { actor, flow, title: context['title'] ?? null, subscribing, shows, isLost: !goesOn });
  return progress;
};

const runToday = (recorded: Run): Run => {
  const start = recorded.from ? goingOn(recorded.from) : null;
  const run = withoutNeedlessFetches(recorded, start);
  const progress = progressFrom(start);
  const steps = run.steps.flatMap((step) => stepsToday(step, progress));
  const whole = [...steps, ...added(steps.at(-1)?.at ?? 0, progress.later)];
  return {
    ...run,
    ...(start && { from: start.from }),
    steps: run.tells ? withTurns(whole) : whole,
    purchases: [...progress.purchases.keys()],
  };
};

/** Whether a shop recorded it that had four flows of buying. */
export const isOfOlderShop = ({ format }: Pick<Trace, 'format'>): boolean => (olderFormats as readonly number[]).includes(format);

/** A record by an older shop as one that today's machines replay; any other as it is. */
export const ofToday = (trace: Trace): Trace => (isOfOlderShop(trace) ? { ...trace, runs: trace.runs.map(runToday) } : trace);
