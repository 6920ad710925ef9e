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

/** The reaction in which the screen entered a state; its changes are those of the step. */
const findScreenReaction = ({ reactions }: Step, state: Plain): Reaction | undefined =>
  reactions.find((each) => each.actor === SCREEN_ACTOR && each.state === state);

const isFetchMessage = ({ to }: CrossMessage): boolean => fetchNamePattern.test(to);

/** The reaction in which the screen requested a flow, perhaps replacing another request. */
const findFetchStart = ({ reactions }: Step, was: Plain): Reaction | undefined =>
  reactions.find(
    ({ actor, on, state }) =>
      actor === SCREEN_ACTOR &&
      (state === 'fetching' || (state === undefined && was === 'fetching' && on === 'location.changed')),
  );

/** The step that requested a flow, merged with the step in which the flow started. */
const mergeFetch = (asking: Step, fetched: Step, was: Plain): Step => {
  const [asks, shown] = [findFetchStart(asking, was), findScreenReaction(fetched, 'showing')];
  const { fetchedFlows: _, ...changed } = shown?.changed ?? {};
  const reactions = asking.reactions.map((each): Reaction => {
    if (each !== asks) return each;
    const { state: __, ...rest } = each;
    return { ...rest, ...(was === 'showing' ? {} : { state: 'showing' }), changed: { ...each.changed, ...changed } };
  });
  return {
    ...asking,
    reactions: [...reactions, ...fetched.reactions.filter((each) => each !== shown)],
    told: [...(asking.told ?? []).filter((each) => !isFetchMessage(each)), ...(fetched.told ?? [])],
  };
};

/** Renumbers the fetches after removed ones. */
const renumber = (step: Step, fewer: number): Step => {
  if (fewer === 0) return step;
  const renamed = (name: string): string => {
    const number = Number(fetchNamePattern.exec(name)?.[1] ?? NaN) - fewer;
    if (Number.isNaN(number)) return name;
    return number === 0 ? 'root/screen/fetchFlow' : `root/screen/fetchFlow~${number}`;
  };
  const { input } = step;
  return {
    ...step,
    input: input.kind === 'settled' ? { ...input, from: renamed(input.from) } : input,
    ...(step.told && { told: step.told.map((each) => ({ ...each, to: renamed(each.to) })) }),
  };
};

/**
 * Removes the previous flow's reactions during the fetch, since the next flow has already started.
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
      told: (step.told ?? []).filter(({ by, to }) => !isWithin(by, flow) && !isWithin(to, flow)),
    }));

/** The start of a flow that was not fetched before the run ended: its states are unknown. */
const toUnfetchedStart = (asking: Step, route: PlainObject | null, before: string): Step => {
  const number = Number(/~(\d+)$/.exec(before)?.[1] ?? 0) + 1;
  const begins: Reaction = { actor: `root/screen/flow~${number}`, on: 'xstate.init', changed: {} };
  const shows: Reaction = { actor: SCREEN_ACTOR, on: '', state: 'showing', changed: { flow: route?.['flow'] ?? null } };
  return { at: asking.at, input: { kind: 'start' }, reactions: [begins, shows] };
};

const getRoute = ({ input }: Step): PlainObject | null => {
  const route = input.kind === 'said' && input.to === 'root/location' ? input.event['route'] : undefined;
  return isObject(route) ? route : null;
};

/**
 * The four purchase flows were four chunks, each fetched on first use. Now there is one: removes
 * every fetch after the first.
 */
export const withoutNeedlessFetches = (run: Run, start: Continuation | null): Run => {
  const steps: Step[] = [];
  const waiting = [...run.steps];
  const there = new Set(start?.fetched.map((each) => toCurrentFlowName(each, start.route)));
  let route = start?.route ?? null;
  let [state, flow, fewer]: [Plain, string, number] = start ? ['showing', 'root/screen/flow', 0] : [null, '', 0];
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    route = getRoute(step) ?? route;
    const [was, before] = [state, flow];
    for (const each of step.reactions) {
      if (each.actor === SCREEN_ACTOR && each.state !== undefined) state = each.state;
      if (each.on === 'xstate.init' && flowNamePattern.test(each.actor)) flow = each.actor;
    }
    const today = toCurrentFlowName(route?.['flow'], route);
    const isNeedless = getOldFlow(route) !== null && there.has(today) && findFetchStart(step, was) !== undefined;
    if (!isNeedless) {
      steps.push(renumber(step, fewer));
      if (getFetch(step) !== undefined) there.add(today);
      continue;
    }
    const end = waiting.findIndex((each) => getFetch(each) !== undefined);
    const fetched = waiting[end] ?? toUnfetchedStart(step, route, before);
    const between = end === -1 ? waiting.length : end;
    waiting.splice(0, between + 1, ...withoutFlow(waiting.slice(0, between), before));
    steps.push(renumber(mergeFetch(step, fetched, was), fewer));
    for (const { actor, on } of fetched.reactions) if (on === 'xstate.init' && flowNamePattern.test(actor)) flow = actor;
    state = 'showing';
    fewer += 1;
  }
  return { ...run, steps };
};
