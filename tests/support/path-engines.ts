import { fromTransition, type AnyEventObject } from 'xstate';
import { getAdjacencyMap, getShortestPaths, getSimplePaths, serializeSnapshot, TestModel } from 'xstate/graph';
import { explore, getEvents, type Edge, type Graph } from '../../machines/paths/explore.ts';
import { getDecidedGuards, getGuardOutcomes } from '../../machines/paths/guards.ts';
import { planTests } from '../../machines/paths/plan.ts';
import { createStepper, type Step } from '../../machines/paths/stepper.ts';
import { getTransitionName, getPassedStates } from '../../machines/paths/transitions.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

/** Coverage and cost of a way to generate tests. */
export type Reach = {
  tests: number;
  steps: number;
  states: number;
  transitions: number;
  /** Outcomes of guards, true and false. */
  guards: number;
  seconds: number;
};

type PathTest = { graph: Graph; steps: Edge[] };

const listTransitions = ({ graph, steps }: PathTest): string[] =>
  [...graph.firedAtStart, ...steps.flatMap(({ fired }) => fired)].map(getTransitionName);

const measureReach = (makeTests: () => PathTest[]): Reach => {
  const startTime = performance.now();
  const tests = makeTests();
  const seconds = (performance.now() - startTime) / 1000;
  const states = tests.flatMap(({ graph, steps }) => [
    ...graph.start.snapshot._nodes.map(({ id }) => id),
    ...getPassedStates([...graph.firedAtStart, ...steps.flatMap(({ fired }) => fired)]),
    ...steps.flatMap(({ to }) => to.snapshot._nodes.map(({ id }) => id)),
  ]);
  const guards = tests.flatMap(({ graph, steps }) => [
    ...getDecidedGuards(graph.firedAtStart),
    ...steps.flatMap(getGuardOutcomes),
  ]);
  return {
    tests: tests.length,
    steps: tests.reduce((sum, { steps }) => sum + steps.length, 0),
    states: new Set(states).size,
    transitions: new Set(tests.flatMap(listTransitions)).size,
    guards: new Set(guards).size,
    seconds,
  };
};

const exploreAll = (starts: readonly PathModel[]): Graph[] => starts.map((start) => explore(start.machine, start));

/** A node's id and the index of the edge that led to it: `TestModel` serialises states as JSON. */
type PathPosition = { node: number; edge: number | null };
type EdgeEvent = AnyEventObject & { edge: number };

/** An explored graph as logic for `xstate/graph`: the same cases, steps and kinds of snapshots. */
const createLogic = ({ start, edges }: Graph) =>
  fromTransition((_: PathPosition, { edge }: EdgeEvent): PathPosition => ({ node: edges[edge]?.to.id ?? 0, edge }), {
    node: start.id,
    edge: null,
  });

type Logic = ReturnType<typeof createLogic>;
type Snapshot = ReturnType<Logic['transition']>;

/** Whether snapshots that different edges led to count as different, as in `createTestModel`. */
type SnapshotKey = 'by kind' | 'by kind and edge';

const findPaths = (graph: Graph, snapshotKey: SnapshotKey, generator: typeof getShortestPaths): PathTest[] => {
  const edgeIndexes = new Map(graph.edges.map((edge, index) => [edge, index]));
  const model = new TestModel<Snapshot, EdgeEvent, unknown>(createLogic(graph), {
    events: ({ context: { node } }) =>
      (graph.nodes[node]?.out ?? []).map((edge) => ({ type: edge.event.type, edge: edgeIndexes.get(edge) ?? 0 })),
    serializeState: ({ context: { node, edge } }) => (snapshotKey === 'by kind' ? `${node}` : `${node} by ${edge}`),
  });
  // `TestModel` omits every path that is a prefix of another one.
  return model
    .getPaths((logic, options) => generator(logic as Logic, options))
    .map(({ steps }) => ({ graph, steps: steps.flatMap(({ event }) => graph.edges[event.edge] ?? []) }));
};

/** Drops each test that takes no new transition. */
const dropRedundant = (tests: PathTest[]): PathTest[] => {
  const coveredTransitions = new Set<string>();
  return tests.filter((test) => {
    const newTransitions = listTransitions(test).filter((name) => !coveredTransitions.has(name));
    for (const name of newTransitions) coveredTransitions.add(name);
    return newTransitions.length > 0;
  });
};

/** Our own generated walks over all transitions, as `npm run paths` counts them. */
export const measureOurTours = (starts: readonly PathModel[]): Reach =>
  measureReach(() => planTests(exploreAll(starts), 'transitions').tests);

/** A shortest path of `xstate/graph` to each kind of snapshot. */
export const measureShortestToKinds = (starts: readonly PathModel[]): Reach =>
  measureReach(() => exploreAll(starts).flatMap((graph) => findPaths(graph, 'by kind', getShortestPaths)));

/** A shortest path of `xstate/graph` over each edge, or only those with a new transition. */
export const measureShortestOverEdges = (starts: readonly PathModel[], { onlyNew }: { onlyNew: boolean }): Reach =>
  measureReach(() => {
    const tests = exploreAll(starts).flatMap((graph) => findPaths(graph, 'by kind and edge', getShortestPaths));
    return onlyNew ? dropRedundant(tests) : tests;
  });

/** All paths of `xstate/graph` that visit no kind twice. Their number explodes. */
export const measureSimplePaths = (starts: readonly PathModel[]): Reach =>
  measureReach(() => exploreAll(starts).flatMap((graph) => findPaths(graph, 'by kind', getSimplePaths)));

/**
 * How many snapshots `xstate/graph` distinguishes by itself, by state and whole context; null when
 * the search has not ended after `limit` steps.
 */
export const countSnapshots = ({ machine, input, cases = {} }: PathModel, limit: number): number | null => {
  const stepper = createStepper(machine);
  const logic = fromTransition(
    ({ snapshot }: Step, event: AnyEventObject) => stepper.step(snapshot, event),
    stepper.start(input),
  );
  try {
    const adjacency = getAdjacencyMap(logic, {
      events: ({ context: { snapshot } }) => getEvents(snapshot, cases),
      serializeState: ({ context: { snapshot } }) => serializeSnapshot(snapshot),
      limit,
    });
    return Object.keys(adjacency).length;
  } catch (error) {
    if (error instanceof Error && error.message === 'Traversal limit exceeded') return null;
    throw error;
  }
};
