import {
  olderFormats,
  type Input,
  type Plain,
  type Reaction,
  type Run,
  type Shown,
  type Step,
  type CrossMessage,
  type Trace,
} from '../format.ts';
import { isSame } from '../plain.ts';
import { toCurrentEnding, toCurrentOutput } from './answers.ts';
import { toContinuation, type Continuation } from './checkpoints.ts';
import { toCurrentChildContext, toCurrentFlowContext } from './contexts.ts';
import { withoutNeedlessFetches } from './fetches.ts';
import {
  toCurrentActor,
  getOldFlow,
  isObject,
  toCurrentState,
  restartMessage,
  withCurrentFlows,
  type OldFlow,
  type PlainObject,
} from './names.ts';
import {
  createStatusInputs,
  createSubscribing,
  restoreSubscribing,
  toCurrentSubscribing,
  type CurrentInputs,
  type OldSubscribing,
} from './subscribing.ts';

/** The progress of one purchase flow in a run. */
type Purchase = {
  actor: string;
  flow: OldFlow;
  /** The title that was offered. */
  title: Plain;
  subscribing: OldSubscribing | null;
  /** The current machines cannot follow it any further: its steps are omitted. */
  isLost: boolean;
  /** The last state of each of its actors. */
  shows: Map<string, Plain>;
};

/** The state of a translation between two steps. */
type Progress = {
  route: PlainObject | null;
  purchases: Map<string, Purchase>;
  /** Inputs to insert after the answers that belong to the previous step. */
  later: Input[];
  /** The screen's flow and the fetched ones, with the current names. */
  screen: PlainObject;
  /**
   * Whether steps are omitted, with the answers within them; `link` if the button is a link now.
   */
  omitted: 'no' | 'all' | 'link';
};

const flowNamePattern = /^root\/screen\/flow(?:~\d+)?/;

const findPurchase = (actor: string, { purchases }: Progress): Purchase | undefined =>
  purchases.get(flowNamePattern.exec(actor)?.[0] ?? '');

const toCurrentName = (actor: string, progress: Progress): string => {
  const purchase = findPurchase(actor, progress);
  if (!purchase || actor === purchase.actor) return actor;
  return `${purchase.actor}/${toCurrentActor(actor.slice(purchase.actor.length + 1))}`;
};

const isAnswer = (input: Input): boolean => 'turn' in input && input.turn !== undefined;

const getEvent = (told: CrossMessage): PlainObject => ('event' in told && isObject(told.event) ? told.event : {});

/** Where the flow sent the customer in a step: by itself, or by a button that is a link now. */
const findExit = ({ told = [] }: Step, { actor }: Purchase): PlainObject | undefined =>
  told
    .filter(({ by, to }) => by === actor && to === 'root/screen')
    .map(getEvent)
    .find(({ type }) => type === 'go' || type === 'leave');

/** “Cancel” of a summary was a button and is a link now; that of the payment is still a button. */
const isOldCancel = (input: Input, { actor, flow, shows }: Purchase): boolean =>
  input.kind === 'event' &&
  input.to === actor &&
  input.event.type === 'cancel.pressed' &&
  (flow === 'subscribing' || shows.get(actor) !== 'paying');

const toCurrentSettled = (input: Extract<Input, { kind: 'settled' }>, purchase: Purchase, progress: Progress): Input => {
  const { actor, flow } = purchase;
  const port = input.from.slice(actor.length + 1).replace(/~.*/, '');
  const { output } = input.event;
  const today = output === undefined ? undefined : toCurrentOutput(flow, port, output, purchase.title);
  if (port === 'quote' && isObject(output)) purchase.title = output['title'] ?? null;
  return { ...input, from: toCurrentName(input.from, progress), event: toCurrentEnding(input.event, today) };
};

const toCurrentInputs = (input: Input, purchase: Purchase, progress: Progress): CurrentInputs => {
  if (purchase.subscribing) return toCurrentSubscribing(input, purchase.subscribing, purchase.shows.get(purchase.actor) ?? null);
  return { input: input.kind === 'settled' ? toCurrentSettled(input, purchase, progress) : input };
};

/** Stores the translated state of a reaction; returns the changes of the context. */
const keepShown = (reaction: Reaction, purchase: Purchase): PlainObject => {
  const { actor, on, state, changed } = reaction;
  const { flow, shows } = purchase;
  if (actor !== purchase.actor) {
    if (state !== undefined) shows.set(actor, state);
    return toCurrentChildContext(changed);
  }
  const isUnsold = flow === 'subscribing' && state === 'notFound' && changed['sells'] === false;
  if (state !== undefined) shows.set(actor, isUnsold ? 'notOffered' : toCurrentState(flow, state, on));
  return toCurrentFlowContext(flow, changed, on, state);
};

/** The states of all running purchases after these reactions. */
const getShownAfter = (reactions: readonly Reaction[], progress: Progress): Shown[] => {
  const contexts = new Map<string, PlainObject>();
  for (const reaction of reactions) {
    const purchase = findPurchase(reaction.actor, progress);
    if (!purchase) continue;
    const name = toCurrentName(reaction.actor, progress);
    contexts.set(name, { ...contexts.get(name), ...keepShown({ ...reaction, actor: name }, purchase) });
    const { subscribing } = purchase;
    // A stored card is confirmed without requesting the status.
    const { state, on } = reaction;
    if (!subscribing) continue;
    subscribing.state = state ?? subscribing.state;
    const isBack = on === 'page.returned' && subscribing.state === 'actionRequired';
    const isConfirmed = state === 'confirming' && on !== 'xstate.done.actor.startByCard';
    if (isBack || isConfirmed) progress.later.push(...createStatusInputs(subscribing));
  }
  return [...progress.purchases.values()]
    .filter(({ isLost }) => !isLost)
    .flatMap(({ shows }) => [...shows].map(([actor, state]) => ({ actor, state, context: contexts.get(actor) ?? {} })));
};

/** Purchase flows that start in a step; earlier ones have ended. */
const registerPurchases = (reactions: readonly Reaction[], progress: Progress): void => {
  for (const { actor, on } of reactions) {
    if (on !== 'xstate.init' || flowNamePattern.exec(actor)?.[0] !== actor) continue;
    for (const purchase of progress.purchases.values()) purchase.isLost = true;
    const flow = getOldFlow(progress.route);
    if (flow !== null) progress.purchases.set(actor, createPurchase(actor, flow, progress.route));
  }
};

/** The rest of a step whose button is a link now: the screen does not pass the press on. */
const toLinkStep = (step: Step, progress: Progress): Step => ({
  ...step,
  reactions: step.reactions.filter(({ actor, on }) => !(actor === 'root/screen' && (on === 'go' || on === 'leave'))),
  told: (step.told ?? []).filter(
    ({ by, to }) => !(by === 'root/screen' && to === 'root') && !(to === 'root/screen' && findPurchase(by, progress)),
  ),
});

/** Removes changes between old flows that are the same flow now. */
const withoutUnchangedFlow = (changed: PlainObject, { screen }: Progress): PlainObject => {
  const entries = Object.entries(changed).filter(([key, value]) => {
    if (key !== 'flow' && key !== 'fetchedFlows') return true;
    const isNew = !isSame(screen[key], value);
    screen[key] = value;
    return isNew;
  });
  return Object.fromEntries(entries);
};

const withCurrentNames = (step: Step, progress: Progress): Step => {
  const renamed = <Part extends Plain>(value: Part): Part => withCurrentFlows(value, progress.route) as Part;
  return {
    ...step,
    reactions: step.reactions.map((each) => {
      const changed = renamed(each.changed);
      return { ...each, changed: each.actor === 'root/screen' ? withoutUnchangedFlow(changed, progress) : changed };
    }),
    ...(step.told && { told: step.told.map((each) => renamed(each as unknown as PlainObject) as unknown as CrossMessage) }),
  };
};

const toAddedSteps = (at: number, inputs: readonly Input[]): Step[] =>
  inputs.map((input) => ({ at, input, reactions: [], told: [] }));

const history = 'root/location/history';

/** The older checkout stayed at the address of a payment that the server did not have. */
const leavesAddress = ({ reactions }: Step, progress: Progress): boolean =>
  reactions.some(({ actor, on, state }) => {
    const isAnew = on === 'xstate.done.actor.payment' && state === 'quoting';
    return isAnew && findPurchase(actor, progress)?.flow === 'checkout';
  });

/** Numbers the history's answers by its commands, whose count may differ now. */
const withTurns = (steps: readonly Step[]): Step[] => {
  let told = 0;
  return steps.map((step) => {
    const { input } = step;
    const turn = input.kind === 'said' && input.from === history && input.turn !== undefined ? told : undefined;
    told += (step.told ?? []).filter((each) => each.to === history && 'event' in each).length;
    return turn === undefined ? step : { ...step, input: { ...input, turn } as Input };
  });
};

/** The current steps for one of an older shop. */
const toCurrentSteps = (step: Step, progress: Progress): Step[] => {
  const { input, at } = step;
  if (input.kind === 'said' && input.to === 'root/location' && isObject(input.event['route']))
    progress.route = input.event['route'];
  if (isAnswer(input)) {
    if (progress.omitted === 'all') return [];
  } else progress.omitted = 'no';
  const due = isAnswer(input) ? [] : toAddedSteps(at, progress.later.splice(0));
  const purchase =
    'to' in input ? findPurchase('from' in input && input.from !== undefined ? input.from : input.to, progress) : undefined;
  if (purchase && isOldCancel(input, purchase)) purchase.isLost = true;
  const inputs: CurrentInputs = purchase && !purchase.isLost ? toCurrentInputs(input, purchase, progress) : { input };
  if (purchase && inputs === null) purchase.isLost = true;
  registerPurchases(step.reactions, progress);
  const named = withCurrentNames(step, progress);
  const shows = getShownAfter(named.reactions, progress);
  if (purchase?.isLost && input.kind !== 'start') {
    const out = findExit(step, purchase);
    progress.omitted = out === undefined ? 'all' : 'link';
    if (out === undefined) return due;
    const link = { kind: 'event', to: 'root', event: out } as Input;
    return [...due, { ...toLinkStep(named, progress), input: link, shows }];
  }
  const { before = [], input: today } = inputs ?? { input };
  const renamed =
    'event' in today ? { ...today, event: withCurrentFlows(today.event, progress.route) as typeof today.event } : today;
  const whole = {
    ...named,
    input: renamed,
    shows,
    ...(leavesAddress(step, progress) && { told: [...(named.told ?? []), restartMessage] }),
  };
  return [...due, ...toAddedSteps(at, before), progress.omitted === 'link' ? toLinkStep(whole, progress) : whole];
};

const createPurchase = (actor: string, flow: OldFlow, route: PlainObject | null): Purchase => {
  const subscribing = flow === 'subscribing' ? createSubscribing(actor, route) : null;
  return { actor, flow, title: null, subscribing, isLost: false, shows: new Map() };
};

/** The state at the start of a run; empty after a page load. */
const createProgress = (start: Continuation | null): Progress => {
  const progress: Progress = { route: start?.route ?? null, purchases: new Map(), later: [], screen: {}, omitted: 'no' };
  if (!start) return progress;
  const { purchase, screen } = start;
  Object.assign(progress.screen, { flow: screen['flow'] ?? null, fetchedFlows: screen['fetchedFlows'] ?? [] });
  if (!purchase) return progress;
  const actor = 'root/screen/flow';
  const { flow, context, state, oldState, goesOn } = purchase;
  const shows = new Map([[actor, state]]);
  const subscribing = flow === 'subscribing' ? restoreSubscribing(actor, oldState, context) : null;
  progress.purchases.set(actor, { actor, flow, title: context['title'] ?? null, subscribing, shows, isLost: !goesOn });
  return progress;
};

const toCurrentRun = (recorded: Run): Run => {
  const start = recorded.from ? toContinuation(recorded.from) : null;
  const run = withoutNeedlessFetches(recorded, start);
  const progress = createProgress(start);
  const steps = run.steps.flatMap((step) => toCurrentSteps(step, progress));
  const whole = [...steps, ...toAddedSteps(steps.at(-1)?.at ?? 0, progress.later)];
  return {
    ...run,
    ...(start && { from: start.from }),
    steps: run.tells ? withTurns(whole) : whole,
    purchases: [...progress.purchases.keys()],
  };
};

/** Whether a shop with four purchase flows recorded it. */
export const isOldFormat = ({ format }: Pick<Trace, 'format'>): boolean => (olderFormats as readonly number[]).includes(format);

/**
 * Translates an older shop's record so that the current machines can replay it; others are
 * unchanged.
 */
export const toCurrentTrace = (trace: Trace): Trace =>
  isOldFormat(trace) ? { ...trace, runs: trace.runs.map(toCurrentRun) } : trace;
