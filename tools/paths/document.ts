import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { coverageOf } from '../../machines/paths/coverage.ts';
import { eventsOf, explore, type Edge, type Graph, type Node } from '../../machines/paths/explore.ts';
import { planOf, type PlannedTest } from '../../machines/paths/plan.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { stateNodesOf } from '../../machines/paths/transitions.ts';
import { underWay } from '../../machines/paths/waiting.ts';
import { walk } from '../../machines/paths/walk.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { UsageError } from '../process/command-line.ts';
import { specIn } from './named-rows.ts';
import type { PlanOptions, Walks } from './options.ts';
import type { PlanDocument, PlanStep, Preparation, Start } from './plan-document.ts';
import { seenIn, describeStep } from './describe-step.ts';
import { languageSteps } from './languages.ts';
import { preparationsOf } from './preparations.ts';

/** A start of the machine alone, whatever the shop around it would answer. */
export const startAlone = (model: PathModel): Start => ({ model, machine: model.machine, graph: explore(model.machine, model) });

const firstOf = ([first]: readonly Start[]): Start => {
  if (!first) throw new RangeError('a machine without a path model');
  return first;
};

const machineOf = (starts: readonly Start[]): AnyStateMachine => firstOf(starts).model.machine;

const statesIn = (snapshot: AnyMachineSnapshot): string[] => snapshot._nodes.map((node) => node.id);

/** The rows that transitions name, and the states that are active after them and were not before. */
const specOf = ({ fired, to, from }: { fired: { meta?: unknown }[]; to: Node; from: Node | null }): string[] => {
  const entered = to.snapshot._nodes.filter((node) => from?.snapshot._nodes.includes(node) !== true);
  return [...new Set([...fired, ...entered].flatMap(({ meta }) => specIn(meta)))];
};

const documentSteps = ({ model, stage }: Start, edges: readonly Edge[], preparations: readonly Preparation[]): PlanStep[] =>
  edges.map((edge, index) => {
    const { missing: _, sees, ...said } = describeStep(model, edge);
    const isPassing = stage?.isPassing?.(edge.to.snapshot) === true;
    return {
      number: index + 1,
      ...said,
      ...(preparations[index + 1] ?? { before: [], answers: [] }),
      sees: isPassing ? sees.map((each) => `For a moment: ${each}`) : sees,
      event: edge.event,
      states: statesIn(edge.to.snapshot),
      spec: specOf(edge),
    };
  });

/** Ends a test after the step that enters the state. @throws UsageError when the machine has no such state. */
const stopAt = (machine: AnyStateMachine, state: string | null): ((edge: Edge) => boolean) | undefined => {
  if (state === null) return undefined;
  const ids = stateNodesOf(machine).map((node) => node.id);
  const id = ids.find((each) => each === state || each.endsWith(`.${state}`));
  if (id === undefined) throw new UsageError(`--stop ${state}: ${machine.id} has no such state, only ${ids.join(', ')}`);
  return ({ to }) => statesIn(to.snapshot).includes(id);
};

const walksOf = (starts: Start[], { seed, count, length }: Walks, stop?: (edge: Edge) => boolean): PlannedTest[] =>
  Array.from({ length: count }, (_, index): PlannedTest[] => {
    const start = starts[index % starts.length];
    if (!start) return [];
    const { model, machine, graph } = start;
    return [{ graph, steps: walk(machine, { ...model, seed: seed + index, length, ...(stop ? { stop } : {}) }) }];
  }).flat();

/** Steps at most until nothing goes on by itself any more. */
const longestWait = 6;

const settled = /^xstate\.(?:done|error)\.actor\.(.+)$/;

/** What goes on by itself after the steps, unless the screen has gone: a request that was answered may stay invoked. */
const waitingAfter = (steps: readonly Edge[], { snapshot }: Node): string[] => {
  if (snapshot.status !== 'active') return [];
  const answered = steps.filter(({ fired }) => fired.every(({ target }) => target === undefined));
  const ids = new Set(answered.map(({ event }) => settled.exec(event.type)?.[1]));
  return underWay(snapshot).filter((id) => !ids.has(id));
};

/** The steps by which all that was asked for is answered and all that has to pass has passed: the next test can begin. */
const untilNothingWaits = ({ machine, model, graph }: Start, steps: readonly Edge[]): Edge[] => {
  const stepper = createStepper(machine);
  const last = steps.at(-1);
  // An exploration lets one snapshot of a kind stand for all.
  const reached = last && (last.exact ? last.to.snapshot : stepper.step(last.from.snapshot, last.event).snapshot);
  let from: Node = reached ? { id: -1, snapshot: reached, out: [] } : graph.start;
  const further: Edge[] = [];
  while (further.length < longestWait) {
    const waiting = waitingAfter([...steps, ...further], from);
    const ways = eventsOf(from.snapshot, model.cases ?? {})
      .filter(({ type }) => type.startsWith('xstate.after.') || waiting.includes(settled.exec(type)?.[1] ?? ''))
      .map((event): Edge => {
        const { snapshot, fired } = stepper.step(from.snapshot, event);
        return { from, to: { id: -1, snapshot, out: [] }, event, fired, exact: true };
      })
      .filter(({ fired }) => fired.length > 0);
    const isRest = (edge: Edge): boolean => waitingAfter([...steps, ...further, edge], edge.to).length === 0;
    // As it was answered before, where it was: the server has not changed its mind.
    const before = [...steps, ...further].findLast(({ event }) => ways.some((edge) => edge.event.type === event.type));
    const again = ways.find((edge) => before && JSON.stringify(edge.event) === JSON.stringify(before.event));
    const way = waiting.length === 0 ? undefined : ([again, ...ways].find((edge) => edge && isRest(edge)) ?? ways[0]);
    if (!way) break;
    further.push(way);
    from = way.to;
  }
  return further;
};

const valueText = ({ snapshot }: Node): string => JSON.stringify(snapshot.value);

/**
 * The steps with the snapshots that this very way leads to: an exploration lets one stand for all of a kind, and what is on the
 * screen may depend on more. Where that way would be another one, they are left as they were.
 */
const exactly = ({ machine, graph }: Start, steps: readonly Edge[]): Edge[] => {
  const stepper = createStepper(machine);
  let [from, isSame] = [graph.start, true];
  return steps.map((edge) => {
    const { snapshot, fired } = stepper.step(from.snapshot, edge.event);
    const exact: Edge = { ...edge, from, to: { id: -1, snapshot, out: [] }, fired, exact: true };
    isSame &&= valueText(exact.to) === valueText(edge.to) && fired.length === edge.fired.length;
    from = exact.to;
    return isSame ? exact : edge;
  });
};

/** What tests reach, as if the machine had nothing besides. */
const reachedBy = ({ graph, steps }: PlannedTest): Graph => ({
  ...graph,
  nodes: [graph.start, ...steps.map(({ to }) => to)],
  edges: steps,
});

type Planned = { tests: PlannedTest[] } & Pick<PlanDocument, 'covered' | 'total' | 'uncovered' | 'beyondShop'>;

const planned = (
  starts: Start[],
  models: readonly PathModel[],
  tests: PlannedTest[],
  criterion: 'states' | 'transitions' | 'guards',
): Planned => {
  const machine = machineOf(starts);
  const unreached = (graphs: Graph[]) => new Set(coverageOf(machine, graphs)[criterion].uncovered);
  const { covered, total, uncovered } = coverageOf(machine, tests.map(reachedBy))[criterion];
  const inShop = unreached(starts.map(({ graph }) => graph));
  const anyhow = inShop.size === 0 ? inShop : unreached(models.map((model) => startAlone(model).graph));
  const isBeyond = (name: string): boolean => inShop.has(name) && !anyhow.has(name);
  return {
    tests,
    covered,
    total,
    uncovered: uncovered.filter((name) => !isBeyond(name)),
    beyondShop: uncovered.filter(isBeyond),
  };
};

const plannedBy = (starts: Start[], models: readonly PathModel[], options: PlanOptions): Planned => {
  const { criterion, walks, maxLength } = options;
  const stop = stopAt(machineOf(starts), options.stop);
  if (walks) return planned(starts, models, walksOf(starts, walks, stop), 'transitions');
  const graphs = starts.map(({ graph }) => graph);
  const { tests, met, missed } = planOf(graphs, criterion, { maxLength, ...(stop ? { stop } : {}) });
  if (tests.length === 0) throw new UsageError(`--stop ${String(options.stop)}: no way leads there`);
  if (criterion === 'pairs') return { tests, covered: met, total: met + missed.length, uncovered: missed, beyondShop: [] };
  return planned(starts, models, tests, criterion);
};

/**
 * The plan of a machine from its starts. Its tests go on until nothing waits, but for those that end in a certain state.
 * @param models the starts of the machine alone, which may reach what the shop does not let happen
 * @throws UsageError when `stop` names no state, RangeError when the machine's contexts grow without end.
 */
export const documentOf = (
  name: string,
  starts: Start[],
  options: PlanOptions,
  models: readonly PathModel[] = starts.map(({ model }) => model),
): PlanDocument => {
  const { tests, ...reached } = plannedBy(starts, models, options);
  const { description } = firstOf(starts).model;
  return {
    machine: name,
    title: description.title,
    about: description.about,
    criterion: options.criterion,
    walks: options.walks,
    stop: options.stop,
    ...reached,
    tests: tests.flatMap(({ graph, steps: goals }, index) => {
      const start = starts.find((each) => each.graph === graph);
      if (!start) return [];
      const ways = options.stop === null ? [...goals, ...untilNothingWaits(start, goals)] : goals;
      const steps = exactly(start, ways);
      const preparations = preparationsOf(start, steps);
      return {
        number: index + 1,
        given: start.model.given,
        before: preparations[0]?.before ?? [],
        spec: specOf({ fired: graph.firedAtStart, to: graph.start, from: null }),
        sees: seenIn(start.model.description, graph.start.snapshot).map(({ text }) => text),
        steps: languageSteps(documentSteps(start, steps, preparations)),
        waits: waitingAfter(ways, ways.at(-1)?.to ?? graph.start),
      };
    }),
  };
};
