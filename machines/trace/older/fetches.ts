import type { Plain, Reaction, Run, Step, CrossMessage } from '../format.ts';
import type { Continuation } from './checkpoints.ts';
import { getOldFlow, toCurrentFlowName, isObject, type PlainObject } from './names.ts';

const SCREEN_ACTOR = 'root/screen';
const fetchNamePattern = /^root\/screen\/fetchFlow(?:~(\d+))?$/;
const flowNamePattern = /^root\/screen\/flow(?:~\d+)?$/;

const isWithin = (name: string | undefined, actor: string): boolean =>
  name !== undefined && (name === actor || name.startsWith(`${actor}/`));

const getFetch = ({ input }: Step): string | undefined =>
  input.kind === 'settled' && fetchNamePattern.test(input.from) && !('error' in input.event) ? input.from : undefined;

/** The reaction in which the screen entered a state; undefined without one. */
const findScreenReaction = ({ reactions }: Step, state: Plain): Reaction | undefined =>
  reactions.find((each) => each.actor === SCREEN_ACTOR && each.state === state);

const isFetchMessage = ({ to }: CrossMessage): boolean => fetchNamePattern.test(to);

/** The reaction in which the screen requested a flow, which may replace another request. */
const findFetchStart = ({ reactions }: Step, stateBefore: Plain): Reaction | undefined =>
  reactions.find(
    ({ actor, on, state }) =>
      actor === SCREEN_ACTOR &&
      (state === 'fetching' || (state === undefined && stateBefore === 'fetching' && on === 'location.changed')),
  );

/** Merges the step that requested a flow with the step in which the flow started. */
const mergeFetch = (requestStep: Step, flowStep: Step, stateBefore: Plain): Step => {
  const [requestReaction, shownReaction] = [findFetchStart(requestStep, stateBefore), findScreenReaction(flowStep, 'showing')];
  const { fetchedFlows: _, ...changed } = shownReaction?.changed ?? {};
  const reactions = requestStep.reactions.map((each): Reaction => {
    if (each !== requestReaction) return each;
    const { state: __, ...rest } = each;
    return { ...rest, ...(stateBefore === 'showing' ? {} : { state: 'showing' }), changed: { ...each.changed, ...changed } };
  });
  return {
    ...requestStep,
    reactions: [...reactions, ...flowStep.reactions.filter((each) => each !== shownReaction)],
    messages: [...(requestStep.messages ?? []).filter((each) => !isFetchMessage(each)), ...(flowStep.messages ?? [])],
  };
};

/** Renumbers the fetches in a step that follows removed fetches. */
const renumber = (step: Step, removedCount: number): Step => {
  if (removedCount === 0) return step;
  const renumberName = (name: string): string => {
    const number = Number(fetchNamePattern.exec(name)?.[1] ?? NaN) - removedCount;
    if (Number.isNaN(number)) return name;
    return number === 0 ? 'root/screen/fetchFlow' : `root/screen/fetchFlow~${number}`;
  };
  const { input } = step;
  return {
    ...step,
    input: input.kind === 'settled' ? { ...input, from: renumberName(input.from) } : input,
    ...(step.messages && { messages: step.messages.map((each) => ({ ...each, to: renumberName(each.to) })) }),
  };
};

/**
 * Removes the previous flow's inputs, reactions and messages during the fetch: in a replay the next
 * flow has already started.
 */
const withoutFlow = (steps: readonly Step[], flow: string): Step[] =>
  steps
    .filter(
      ({ input }) =>
        !('to' in input) || ![input.to, 'from' in input ? input.from : undefined].some((name) => isWithin(name, flow)),
    )
    .map((step) => ({
      ...step,
      reactions: step.reactions.filter(({ actor }) => !isWithin(actor, flow)),
      messages: (step.messages ?? []).filter(({ from, to }) => !isWithin(from, flow) && !isWithin(to, flow)),
    }));

/** The start of a flow that was not fetched before the run ended; the flow's state is unknown. */
const toUnfetchedStart = (requestStep: Step, route: PlainObject | null, previousFlow: string): Step => {
  const number = Number(/~(\d+)$/.exec(previousFlow)?.[1] ?? 0) + 1;
  const startReaction: Reaction = { actor: `root/screen/flow~${number}`, on: 'xstate.init', changed: {} };
  const screenReaction: Reaction = { actor: SCREEN_ACTOR, on: '', state: 'showing', changed: { flow: route?.['flow'] ?? null } };
  return { at: requestStep.at, input: { kind: 'start' }, reactions: [startReaction, screenReaction] };
};

const getRoute = ({ input }: Step): PlainObject | null => {
  const route = input.kind === 'emitted' && input.to === 'root/location' ? input.event['route'] : undefined;
  return isObject(route) ? route : null;
};

/**
 * The four older purchase flows were four chunks, each fetched on first use; now they are one.
 * Removes every fetch after the first.
 */
export const withoutNeedlessFetches = (run: Run, start: Continuation | null): Run => {
  const steps: Step[] = [];
  const remainingSteps = [...run.steps];
  const fetchedNames = new Set(start?.fetched.map((each) => toCurrentFlowName(each, start.route)));
  let route = start?.route ?? null;
  let [state, flow, removedCount]: [Plain, string, number] = start ? ['showing', 'root/screen/flow', 0] : [null, '', 0];
  for (let step = remainingSteps.shift(); step; step = remainingSteps.shift()) {
    route = getRoute(step) ?? route;
    const [stateBefore, flowBefore] = [state, flow];
    for (const each of step.reactions) {
      if (each.actor === SCREEN_ACTOR && each.state !== undefined) state = each.state;
      if (each.on === 'xstate.init' && flowNamePattern.test(each.actor)) flow = each.actor;
    }
    const currentName = toCurrentFlowName(route?.['flow'], route);
    const isNeedless =
      getOldFlow(route) !== null && fetchedNames.has(currentName) && findFetchStart(step, stateBefore) !== undefined;
    if (!isNeedless) {
      steps.push(renumber(step, removedCount));
      if (getFetch(step) !== undefined) fetchedNames.add(currentName);
      continue;
    }
    const fetchIndex = remainingSteps.findIndex((each) => getFetch(each) !== undefined);
    const flowStep = remainingSteps[fetchIndex] ?? toUnfetchedStart(step, route, flowBefore);
    const skippedCount = fetchIndex === -1 ? remainingSteps.length : fetchIndex;
    remainingSteps.splice(0, skippedCount + 1, ...withoutFlow(remainingSteps.slice(0, skippedCount), flowBefore));
    steps.push(renumber(mergeFetch(step, flowStep, stateBefore), removedCount));
    for (const { actor, on } of flowStep.reactions) if (on === 'xstate.init' && flowNamePattern.test(actor)) flow = actor;
    state = 'showing';
    removedCount += 1;
  }
  return { ...run, steps };
};
