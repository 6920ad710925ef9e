import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { getCoverage } from '../../machines/paths/coverage.ts';
import { getEvents, explore, type Edge, type Graph, type Node } from '../../machines/paths/explore.ts';
import { planTests, type PlannedTest } from '../../machines/paths/plan.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { getAllStateNodes } from '../../machines/paths/transitions.ts';
import { getPendingActivities } from '../../machines/paths/pending-activities.ts';
import { walkRandomly } from '../../machines/paths/walk.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { UsageError } from '../process/command-line.ts';
import { getSpecIds } from './named-rows.ts';
import type { PlanOptions, WalkOptions } from './options.ts';
import type { PlanDocument, PlanStep, Preparation, ExploredModel } from './plan-document.ts';
import { describeSnapshot, describeStep } from './describe-step.ts';
import { translateSteps } from './languages.ts';
import { createPreparations } from './preparations.ts';

/** Explores a machine alone from a start, with every possible response of the shop around it. */
export const exploreModel = (model: PathModel): ExploredModel => ({
  model,
  machine: model.machine,
  graph: explore(model.machine, model),
});

const getFirst = ([first]: readonly ExploredModel[]): ExploredModel => {
  if (!first) throw new RangeError('createDocument needs at least one path model, got none');
  return first;
};

const getMachine = (starts: readonly ExploredModel[]): AnyStateMachine => getFirst(starts).model.machine;

const getStateIds = (snapshot: AnyMachineSnapshot): string[] => snapshot._nodes.map((node) => node.id);

/** The rows named by the transitions, and by the states that the step enters. */
const getSpecRows = ({ fired, to, from }: { fired: { meta?: unknown }[]; to: Node; from: Node | null }): string[] => {
  const enteredNodes = to.snapshot._nodes.filter((node) => from?.snapshot._nodes.includes(node) !== true);
  return [...new Set([...fired, ...enteredNodes].flatMap(({ meta }) => getSpecIds(meta)))];
};

const documentSteps = (
  { model, adapter }: ExploredModel,
  edges: readonly Edge[],
  preparations: readonly Preparation[],
): PlanStep[] =>
  edges.map((edge, index) => {
    const { missing: _, sees, ...stepText } = describeStep(model, edge);
    const isPassing = adapter?.isTransient?.(edge.to.snapshot) === true;
    return {
      number: index + 1,
      ...stepText,
      ...(preparations[index + 1] ?? { before: [], answers: [] }),
      sees: isPassing ? sees.map((each) => `For a moment: ${each}`) : sees,
      event: edge.event,
      states: getStateIds(edge.to.snapshot),
      spec: getSpecRows(edge),
    };
  });

/**
 * Ends a test after the step that enters the state.
 * @throws UsageError if the machine has no such state
 */
const createStop = (machine: AnyStateMachine, state: string | null): ((edge: Edge) => boolean) | undefined => {
  if (state === null) return undefined;
  const ids = getAllStateNodes(machine).map((node) => node.id);
  const id = ids.find((each) => each === state || each.endsWith(`.${state}`));
  if (id === undefined) throw new UsageError(`--stop ${state}: not a state of ${machine.id}, expected one of ${ids.join(', ')}`);
  return ({ to }) => getStateIds(to.snapshot).includes(id);
};

const createWalks = (
  starts: ExploredModel[],
  { seed, count, length }: WalkOptions,
  stop?: (edge: Edge) => boolean,
): PlannedTest[] =>
  Array.from({ length: count }, (_, index): PlannedTest[] => {
    const start = starts[index % starts.length];
    if (!start) return [];
    const { model, machine, graph } = start;
    return [{ graph, steps: walkRandomly(machine, { ...model, seed: seed + index, length, ...(stop ? { stop } : {}) }) }];
  }).flat();

/** Maximum number of steps until no automatic event is pending. */
const MAX_SETTLING_STEPS = 6;

const settledPattern = /^xstate\.(?:done|error)\.actor\.(.+)$/;

/**
 * The ids of requests and delays that are pending after the steps. None after the screen has
 * closed: an answered request may stay invoked.
 */
const getPendingIds = (steps: readonly Edge[], { snapshot }: Node): string[] => {
  if (snapshot.status !== 'active') return [];
  const answeredSteps = steps.filter(({ fired }) => fired.every(({ target }) => target === undefined));
  const ids = new Set(answeredSteps.map(({ event }) => settledPattern.exec(event.type)?.[1]));
  return getPendingActivities(snapshot).filter((id) => !ids.has(id));
};

/**
 * The steps after which all requests are answered and all delays have passed, so that the next test
 * can begin.
 */
const settlePending = ({ machine, model, graph }: ExploredModel, steps: readonly Edge[]): Edge[] => {
  const stepper = createStepper(machine);
  const last = steps.at(-1);
  // An exploration keeps one snapshot for each kind.
  const lastSnapshot = last && (last.exact ? last.to.snapshot : stepper.step(last.from.snapshot, last.event).snapshot);
  let from: Node = lastSnapshot ? { id: -1, snapshot: lastSnapshot, out: [] } : graph.start;
  const settlingSteps: Edge[] = [];
  while (settlingSteps.length < MAX_SETTLING_STEPS) {
    const pendingIds = getPendingIds([...steps, ...settlingSteps], from);
    const candidates = getEvents(from.snapshot, model.cases ?? {})
      .filter(({ type }) => type.startsWith('xstate.after.') || pendingIds.includes(settledPattern.exec(type)?.[1] ?? ''))
      .map((event): Edge => {
        const { snapshot, fired } = stepper.step(from.snapshot, event);
        return { from, to: { id: -1, snapshot, out: [] }, event, fired, exact: true };
      })
      .filter(({ fired }) => fired.length > 0);
    const settlesAll = (edge: Edge): boolean => getPendingIds([...steps, ...settlingSteps, edge], edge.to).length === 0;
    // Repeats the earlier response if there was one: the server is consistent.
    const earlierStep = [...steps, ...settlingSteps].findLast(({ event }) =>
      candidates.some((edge) => edge.event.type === event.type),
    );
    const repeatedStep = candidates.find(
      (edge) => earlierStep && JSON.stringify(edge.event) === JSON.stringify(earlierStep.event),
    );
    const next =
      pendingIds.length === 0
        ? undefined
        : ([repeatedStep, ...candidates].find((edge) => edge && settlesAll(edge)) ?? candidates[0]);
    if (!next) break;
    settlingSteps.push(next);
    from = next.to;
  }
  return settlingSteps;
};

const formatStateValue = ({ snapshot }: Node): string => JSON.stringify(snapshot.value);

/**
 * Recomputes the snapshots of the steps on this exact path: an exploration keeps one snapshot for
 * each kind, and the screen may depend on more. If that changes the path, later steps stay as they
 * were.
 */
const withExactSnapshots = ({ machine, graph }: ExploredModel, steps: readonly Edge[]): Edge[] => {
  const stepper = createStepper(machine);
  let [from, isSame] = [graph.start, true];
  return steps.map((edge) => {
    const { snapshot, fired } = stepper.step(from.snapshot, edge.event);
    const exactEdge: Edge = { ...edge, from, to: { id: -1, snapshot, out: [] }, fired, exact: true };
    isSame &&= formatStateValue(exactEdge.to) === formatStateValue(edge.to) && fired.length === edge.fired.length;
    from = exactEdge.to;
    return isSame ? exactEdge : edge;
  });
};

/** The part of the graph that tests reach. */
const toReachedGraph = ({ graph, steps }: PlannedTest): Graph => ({
  ...graph,
  nodes: [graph.start, ...steps.map(({ to }) => to)],
  edges: steps,
});

type PlannedTests = { tests: PlannedTest[] } & Pick<PlanDocument, 'covered' | 'total' | 'uncovered' | 'beyondShop'>;

const createPlan = (
  starts: ExploredModel[],
  models: readonly PathModel[],
  tests: PlannedTest[],
  criterion: 'states' | 'transitions' | 'guards',
): PlannedTests => {
  const machine = getMachine(starts);
  const getUncovered = (graphs: Graph[]) => new Set(getCoverage(machine, graphs)[criterion].uncovered);
  const { covered, total, uncovered } = getCoverage(machine, tests.map(toReachedGraph))[criterion];
  const uncoveredInShop = getUncovered(starts.map(({ graph }) => graph));
  const uncoveredAlone =
    uncoveredInShop.size === 0 ? uncoveredInShop : getUncovered(models.map((model) => exploreModel(model).graph));
  const isBeyondShop = (name: string): boolean => uncoveredInShop.has(name) && !uncoveredAlone.has(name);
  return {
    tests,
    covered,
    total,
    uncovered: uncovered.filter((name) => !isBeyondShop(name)),
    beyondShop: uncovered.filter(isBeyondShop),
  };
};

const planWithOptions = (starts: ExploredModel[], models: readonly PathModel[], options: PlanOptions): PlannedTests => {
  const { criterion, walks, maxLength } = options;
  const stop = createStop(getMachine(starts), options.stop);
  if (walks) return createPlan(starts, models, createWalks(starts, walks, stop), 'transitions');
  const graphs = starts.map(({ graph }) => graph);
  const { tests, met, missed } = planTests(graphs, criterion, { maxLength, ...(stop ? { stop } : {}) });
  if (tests.length === 0)
    throw new UsageError(`--stop ${String(options.stop)}: no path of ${getMachine(starts).id} reaches this state`);
  if (criterion === 'pairs') return { tests, covered: met, total: met + missed.length, uncovered: missed, beyondShop: [] };
  return createPlan(starts, models, tests, criterion);
};

/**
 * The plan of a machine from its starts. Its tests continue until nothing is pending, except those
 * that end in a given state.
 * @param models the starts of the machine alone, which may reach states that the shop never does
 * @throws UsageError if `stop` names no state, RangeError if the machine's contexts grow without
 * end
 */
export const createDocument = (
  name: string,
  starts: ExploredModel[],
  options: PlanOptions,
  models: readonly PathModel[] = starts.map(({ model }) => model),
): PlanDocument => {
  const { tests, ...coverage } = planWithOptions(starts, models, options);
  const { description } = getFirst(starts).model;
  return {
    machine: name,
    title: description.title,
    about: description.about,
    criterion: options.criterion,
    walks: options.walks,
    stop: options.stop,
    ...coverage,
    tests: tests.flatMap(({ graph, steps: goals }, index) => {
      const start = starts.find((each) => each.graph === graph);
      if (!start) return [];
      const edges = options.stop === null ? [...goals, ...settlePending(start, goals)] : goals;
      const steps = withExactSnapshots(start, edges);
      const preparations = createPreparations(start, steps);
      return {
        number: index + 1,
        given: start.model.startInstruction,
        before: preparations[0]?.before ?? [],
        spec: getSpecRows({ fired: graph.firedAtStart, to: graph.start, from: null }),
        sees: describeSnapshot(start.model.description, graph.start.snapshot).map(({ text }) => text),
        steps: translateSteps(documentSteps(start, steps, preparations)),
        waits: getPendingIds(edges, edges.at(-1)?.to ?? graph.start),
      };
    }),
  };
};
