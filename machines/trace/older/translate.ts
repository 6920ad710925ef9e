import {
  olderFormats,
  type Input,
  type Plain,
  type Reaction,
  type Run,
  type ShownState,
  type Step,
  type CrossMessage,
  type Trace,
} from '../format.ts';
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
import { toCurrentNames } from './renames.ts';
import {
  createStatusInputs,
  createSubscribing,
  restoreSubscribing,
  toCurrentSubscribing,
  type CurrentInputs,
  type OldSubscribing,
} from './subscribing.ts';
import { isSameJson } from '../../same-json.ts';

/** The progress of one purchase flow in a run. */
type Purchase = {
  actor: string;
  flow: OldFlow;
  /** The title that was offered. */
  title: Plain;
  subscribing: OldSubscribing | null;
  /** The flow has ended, or the current machines cannot follow it: its steps are omitted. */
  isLost: boolean;
  /** The last state of each actor of the flow. */
  shows: Map<string, Plain>;
};

/** The state of a translation between two steps. */
type Progress = {
  route: PlainObject | null;
  purchases: Map<string, Purchase>;
  /** Inputs to insert after the answers that belong to the previous step. */
  pendingInputs: Input[];
  /** The screen's flow and the fetched ones, with the current names. */
  screen: PlainObject;
  /**
   * Whether the current step and the answers within it are omitted; `link` if only the press is
   * replaced, because the button is a link now.
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

const getEvent = (message: CrossMessage): PlainObject => ('event' in message && isObject(message.event) ? message.event : {});

/** The event by which a flow navigated in a step, also by a button that is a link now. */
const findExit = ({ messages = [] }: Step, { actor }: Purchase): PlainObject | undefined =>
  messages
    .filter(({ from, to }) => from === actor && to === 'root/screen')
    .map(getEvent)
    .find(({ type }) => type === 'go' || type === 'leave');

/** Whether an input is a press of the summary's “Cancel”, which is a link now. */
const isOldCancel = (input: Input, { actor, flow, shows }: Purchase): boolean =>
  input.kind === 'event' &&
  input.to === actor &&
  input.event.type === 'cancel.pressed' &&
  (flow === 'subscribing' || shows.get(actor) !== 'paying');

const toCurrentSettled = (input: Extract<Input, { kind: 'settled' }>, purchase: Purchase, progress: Progress): Input => {
  const { actor, flow } = purchase;
  const port = input.from.slice(actor.length + 1).replace(/~.*/, '');
  const { output } = input.event;
  const currentOutput = output === undefined ? undefined : toCurrentOutput(flow, port, output, purchase.title);
  if (port === 'quote' && isObject(output)) purchase.title = output['title'] ?? null;
  return { ...input, from: toCurrentName(input.from, progress), event: toCurrentEnding(input.event, currentOutput) };
};

const toCurrentInputs = (input: Input, purchase: Purchase, progress: Progress): CurrentInputs => {
  if (purchase.subscribing) return toCurrentSubscribing(input, purchase.subscribing, purchase.shows.get(purchase.actor) ?? null);
  return { input: input.kind === 'settled' ? toCurrentSettled(input, purchase, progress) : input };
};

/** Stores the translated state of a reaction, and returns the translated changes of the context. */
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
const getShownAfter = (reactions: readonly Reaction[], progress: Progress): ShownState[] => {
  const contexts = new Map<string, PlainObject>();
  for (const reaction of reactions) {
    const purchase = findPurchase(reaction.actor, progress);
    if (!purchase) continue;
    const name = toCurrentName(reaction.actor, progress);
    contexts.set(name, { ...contexts.get(name), ...keepShown({ ...reaction, actor: name }, purchase) });
    const { subscribing } = purchase;
    const { state, on } = reaction;
    if (!subscribing) continue;
    subscribing.state = state ?? subscribing.state;
    const isBack = on === 'page.returned' && subscribing.state === 'actionRequired';
    // A payment by a saved card is confirmed without a request for its status.
    const isConfirmed = state === 'confirming' && on !== 'xstate.done.actor.startByCard';
    if (isBack || isConfirmed) progress.pendingInputs.push(...createStatusInputs(subscribing));
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

/** A step whose button is a link now, without the events that the screen forwarded. */
const toLinkStep = (step: Step, progress: Progress): Step => ({
  ...step,
  reactions: step.reactions.filter(({ actor, on }) => !(actor === 'root/screen' && (on === 'go' || on === 'leave'))),
  messages: (step.messages ?? []).filter(
    ({ from, to }) => !(from === 'root/screen' && to === 'root') && !(to === 'root/screen' && findPurchase(from, progress)),
  ),
});

/** Removes changes of the screen between old flows that are the same flow now. */
const withoutUnchangedFlow = (changed: PlainObject, { screen }: Progress): PlainObject => {
  const entries = Object.entries(changed).filter(([key, value]) => {
    if (key !== 'flow' && key !== 'fetchedFlows') return true;
    const isNew = !isSameJson(screen[key], value);
    screen[key] = value;
    return isNew;
  });
  return Object.fromEntries(entries);
};

const withCurrentNames = (step: Step, progress: Progress): Step => {
  const withFlowNames = <Part extends Plain>(value: Part): Part => withCurrentFlows(value, progress.route) as Part;
  return {
    ...step,
    reactions: step.reactions.map((each) => {
      const changed = withFlowNames(each.changed);
      return { ...each, changed: each.actor === 'root/screen' ? withoutUnchangedFlow(changed, progress) : changed };
    }),
    ...(step.messages && {
      messages: step.messages.map((each) => withFlowNames(each as unknown as PlainObject) as unknown as CrossMessage),
    }),
  };
};

const toAddedSteps = (at: number, inputs: readonly Input[]): Step[] =>
  inputs.map((input) => ({ at, input, reactions: [], messages: [] }));

const history = 'root/location/history';

/**
 * Whether the server had no such payment in this step: the current checkout then changes the URL,
 * which the older checkout did not.
 */
const leavesAddress = ({ reactions }: Step, progress: Progress): boolean =>
  reactions.some(({ actor, on, state }) => {
    const isRestarted = on === 'xstate.done.actor.payment' && state === 'quoting';
    return isRestarted && findPurchase(actor, progress)?.flow === 'checkout';
  });

/** Renumbers the turns of the history's answers, since the count of its commands may differ now. */
const withTurns = (steps: readonly Step[]): Step[] => {
  let commandCount = 0;
  return steps.map((step) => {
    const { input } = step;
    const turn = input.kind === 'emitted' && input.from === history && input.turn !== undefined ? commandCount : undefined;
    commandCount += (step.messages ?? []).filter((each) => each.to === history && 'event' in each).length;
    return turn === undefined ? step : { ...step, input: { ...input, turn } as Input };
  });
};

/** Translates a step of an older shop to current steps. */
const toCurrentSteps = (step: Step, progress: Progress): Step[] => {
  const { input, at } = step;
  if (input.kind === 'emitted' && input.to === 'root/location' && isObject(input.event['route']))
    progress.route = input.event['route'];
  if (isAnswer(input)) {
    if (progress.omitted === 'all') return [];
  } else progress.omitted = 'no';
  const pendingSteps = isAnswer(input) ? [] : toAddedSteps(at, progress.pendingInputs.splice(0));
  const purchase =
    'to' in input ? findPurchase('from' in input && input.from !== undefined ? input.from : input.to, progress) : undefined;
  if (purchase && isOldCancel(input, purchase)) purchase.isLost = true;
  const inputs: CurrentInputs = purchase && !purchase.isLost ? toCurrentInputs(input, purchase, progress) : { input };
  if (purchase && inputs === null) purchase.isLost = true;
  registerPurchases(step.reactions, progress);
  const renamedStep = withCurrentNames(step, progress);
  const shownStates = getShownAfter(renamedStep.reactions, progress);
  if (purchase?.isLost && input.kind !== 'start') {
    const exitEvent = findExit(step, purchase);
    progress.omitted = exitEvent === undefined ? 'all' : 'link';
    if (exitEvent === undefined) return pendingSteps;
    const link = { kind: 'event', to: 'root', event: exitEvent } as Input;
    return [...pendingSteps, { ...toLinkStep(renamedStep, progress), input: link, shownStates }];
  }
  const { before = [], input: currentInput } = inputs ?? { input };
  const renamedInput =
    'event' in currentInput
      ? { ...currentInput, event: withCurrentFlows(currentInput.event, progress.route) as typeof currentInput.event }
      : currentInput;
  const translatedStep = {
    ...renamedStep,
    input: renamedInput,
    shownStates,
    ...(leavesAddress(step, progress) && { messages: [...(renamedStep.messages ?? []), restartMessage] }),
  };
  const lastStep = progress.omitted === 'link' ? toLinkStep(translatedStep, progress) : translatedStep;
  return [...pendingSteps, ...toAddedSteps(at, before), lastStep];
};

const createPurchase = (actor: string, flow: OldFlow, route: PlainObject | null): Purchase => {
  const subscribing = flow === 'subscribing' ? createSubscribing(actor, route) : null;
  return { actor, flow, title: null, subscribing, isLost: false, shows: new Map() };
};

/** The progress at the start of a run; empty after a page load. */
const createProgress = (start: Continuation | null): Progress => {
  const progress: Progress = { route: start?.route ?? null, purchases: new Map(), pendingInputs: [], screen: {}, omitted: 'no' };
  if (!start) return progress;
  const { purchase, screen } = start;
  Object.assign(progress.screen, { flow: screen['flow'] ?? null, fetchedFlows: screen['fetchedFlows'] ?? [] });
  if (!purchase) return progress;
  const actor = 'root/screen/flow';
  const { flow, context, state, oldState, isContinuable } = purchase;
  const shows = new Map([[actor, state]]);
  const subscribing = flow === 'subscribing' ? restoreSubscribing(actor, oldState, context) : null;
  progress.purchases.set(actor, { actor, flow, title: context['title'] ?? null, subscribing, shows, isLost: !isContinuable });
  return progress;
};

const toCurrentRun = (recorded: Run): Run => {
  const start = recorded.from ? toContinuation(recorded.from) : null;
  const run = withoutNeedlessFetches(recorded, start);
  const progress = createProgress(start);
  const steps = run.steps.flatMap((step) => toCurrentSteps(step, progress));
  const allSteps = [...steps, ...toAddedSteps(steps.at(-1)?.at ?? 0, progress.pendingInputs)];
  return {
    ...run,
    ...(start && { from: start.from }),
    steps: run.messageScope ? withTurns(allSteps) : allSteps,
    purchases: [...progress.purchases.keys()],
  };
};

/** Whether a trace has an older format. */
export const isOldFormat = ({ format }: Pick<Trace, 'format'>): boolean => (olderFormats as readonly number[]).includes(format);

/** Whether a trace was recorded by a shop with four purchase flows. */
const hasOldFlows = ({ format }: Trace): boolean => format === 2 || format === 3;

/**
 * Translates an older shop's trace so that the current machines can replay it; returns a current
 * trace unchanged.
 */
export const toCurrentTrace = (trace: Trace): Trace => {
  if (!isOldFormat(trace)) return trace;
  const runs = trace.runs.map(toCurrentNames);
  return { ...trace, runs: hasOldFlows(trace) ? runs.map(toCurrentRun) : runs };
};
