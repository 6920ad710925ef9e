import type { Plain, Reaction, Run, Step, Told } from '../format.ts';
import type { GoingOn } from './checkpoints.ts';
import { flowAt, flowToday, isObject, type PlainObject } from './names.ts';

const screen = 'root/screen';
const fetchName = /^root\/screen\/fetchFlow(?:~(\d+))?$/;
const flowName = /^root\/screen\/flow(?:~\d+)?$/;

const isWithin = (name: string | undefined, actor: string): boolean =>
  name !== undefined && (name === actor || name.startsWith(`${actor}/`));

const fetchIn = ({ input }: Step): string | undefined =>
  input.kind === 'settled' && fetchName.test(input.from) && !('error' in input.event) ? input.from : undefined;

/** The reaction by which the screen came to a state; its changes are those of the step. */
const screenAs = ({ reactions }: Step, state: Plain): Reaction | undefined =>
  reactions.find((each) => each.actor === screen && each.state === state);

const isOfFetch = ({ to }: Told): boolean => fetchName.test(to);

/** The reaction by which the screen had a flow fetched, perhaps in place of another one. */
const askingIn = ({ reactions }: Step, was: Plain): Reaction | undefined =>
  reactions.find(
    ({ actor, on, state }) =>
      actor === screen && (state === 'fetching' || (state === undefined && was === 'fetching' && on === 'location.changed')),
  );

/** The step that asked for a flow, merged with the step in which the flow started. */
const merged = (asking: Step, fetched: Step, was: Plain): Step => {
  const [asks, shown] = [askingIn(asking, was), screenAs(fetched, 'showing')];
  const { fetchedFlows: _, ...changed } = shown?.changed ?? {};
  const reactions = asking.reactions.map((each): Reaction => {
    if (each !== asks) return each;
    const { state: __, ...rest } = each;
    return { ...rest, ...(was === 'showing' ? {} : { state: 'showing' }), changed: { ...each.changed, ...changed } };
  });
  return {
    ...asking,
    reactions: [...reactions, ...fetched.reactions.filter((each) => each !== shown)],
    told: [...(asking.told ?? []).filter((each) => !isOfFetch(each)), ...(fetched.told ?? [])],
  };
};

/** The fetches after one that fell away have a number less. */
const renumbered = (step: Step, fewer: number): Step => {
  if (fewer === 0) return step;
  const renamed = (name: string): string => {
    const number = Number(fetchName.exec(name)?.[1] ?? NaN) - fewer;
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

/** Without what the flow before did while the next one was fetched, which has begun by then. */
const without = (steps: readonly Step[], flow: string): Step[] =>
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

/** The start of a flow that was not fetched before the run ended: its states are not known. */
const unseen = (asking: Step, route: PlainObject | null, before: string): Step => {
  const number = Number(/~(\d+)$/.exec(before)?.[1] ?? 0) + 1;
  const begins: Reaction = { actor: `root/screen/flow~${number}`, on: 'xstate.init', changed: {} };
  const shows: Reaction = { actor: screen, on: '', state: 'showing', changed: { flow: route?.['flow'] ?? null } };
  return { at: asking.at, input: { kind: 'start' }, reactions: [begins, shows] };
};

const routeIn = ({ input }: Step): PlainObject | null => {
  const route = input.kind === 'said' && input.to === 'root/location' ? input.event['route'] : undefined;
  return isObject(route) ? route : null;
};

/**
 * Four purchase flows were four chunks, each fetched when it was first needed. Today there is one:
 * removes every fetch after the first.
 */
export const withoutNeedlessFetches = (run: Run, start: GoingOn | null): Run => {
  const steps: Step[] = [];
  const waiting = [...run.steps];
  const there = new Set(start?.fetched.map((each) => flowToday(each, start.route)));
  let route = start?.route ?? null;
  let [state, flow, fewer]: [Plain, string, number] = start ? ['showing', 'root/screen/flow', 0] : [null, '', 0];
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    route = routeIn(step) ?? route;
    const [was, before] = [state, flow];
    for (const each of step.reactions) {
      if (each.actor === screen && each.state !== undefined) state = each.state;
      if (each.on === 'xstate.init' && flowName.test(each.actor)) flow = each.actor;
    }
    const today = flowToday(route?.['flow'], route);
    const isNeedless = flowAt(route) !== null && there.has(today) && askingIn(step, was) !== undefined;
    if (!isNeedless) {
      steps.push(renumbered(step, fewer));
      if (fetchIn(step) !== undefined) there.add(today);
      continue;
    }
    const end = waiting.findIndex((each) => fetchIn(each) !== undefined);
    const fetched = waiting[end] ?? unseen(step, route, before);
    const between = end === -1 ? waiting.length : end;
    waiting.splice(0, between + 1, ...without(waiting.slice(0, between), before));
    steps.push(renumbered(merged(step, fetched, was), fewer));
    for (const { actor, on } of fetched.reactions) if (on === 'xstate.init' && flowName.test(actor)) flow = actor;
    state = 'showing';
    fewer += 1;
  }
  return { ...run, steps };
};
