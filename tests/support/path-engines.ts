import { fromTransition, type AnyEventObject } from 'xstate';
import { getAdjacencyMap, getShortestPaths, getSimplePaths, serializeSnapshot, TestModel } from 'xstate/graph';
import { explore, eventsOf, type Edge, type Graph } from '../../machines/paths/explore.ts';
import { decidedBy, outcomesOf } from '../../machines/paths/guards.ts';
import { planOf } from '../../machines/paths/plan.ts';
import { createStepper, type Step } from '../../machines/paths/stepper.ts';
import { nameOf, passedBy } from '../../machines/paths/transitions.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

/** How far a way of making tests goes, and what it costs. */
export type Reach = {
  tests: number;
  steps: number;
  states: number;
  transitions: number;
  /** Outcomes of guards, true and false. */
  guards: number;
  seconds: number;
};

type Test = { graph: Graph; steps: Edge[] };

const transitionsIn = ({ graph, steps }: Test): string[] =>
  [...graph.firedAtStart, ...steps.flatMap(({ fired }) => fired)].map(nameOf);

const reachOf = (makeTests: () => Test[]): Reach => {
  const begun = performance.now();
  const tests = makeTests();
  const seconds = (performance.now() - begun) / 1000;
  const states = tests.flatMap(({ graph, steps }) => [
    ...graph.start.snapshot._nodes.map(({ id }) => id),
    ...passedBy([...graph.firedAtStart, ...steps.flatMap(({ fired }) => fired)]),
    ...steps.flatMap(({ to }) => to.snapshot._nodes.map(({ id }) => id)),
  ]);
  const guards = tests.flatMap(({ graph, steps }) => [...decidedBy(graph.firedAtStart), ...steps.flatMap(outcomesOf)]);
  return {
    tests: tests.length,
    steps: tests.reduce((sum, { steps }) => sum + steps.length, 0),
    states: new Set(states).size,
    transitions: new Set(tests.flatMap(transitionsIn)).size,
    guards: new Set(guards).size,
    seconds,
  };
};

const graphsOf = (starts: readonly PathModel[]): Graph[] => starts.map((start) => explore(start.machine, start));

/** A node's id and the place of the edge that led to it: `TestModel` writes states out as JSON. */
type At = { node: number; by: number | null };
type Taken = AnyEventObject & { edge: number };

/** An explored graph as logic for `xstate/graph`: the same cases, steps and kinds of snapshots. */
const logicOf = ({ start, edges }: Graph) =>
  fromTransition((_: At, { edge }: Taken): At => ({ node: edges[edge]?.to.id ?? 0, by: edge }), { node: start.id, by: null });

type Logic = ReturnType<typeof logicOf>;
type Snapshot = ReturnType<Logic['transition']>;

/** Whether the edge into a snapshot makes it another one, as it does for `createTestModel`. */
type Apart = 'by kind' | 'by kind and edge';

const pathsOf = (graph: Graph, apart: Apart, generator: typeof getShortestPaths): Test[] => {
  const places = new Map(graph.edges.map((edge, place) => [edge, place]));
  const model = new TestModel<Snapshot, Taken, unknown>(logicOf(graph), {
    events: ({ context: { node } }) =>
      (graph.nodes[node]?.out ?? []).map((edge) => ({ type: edge.event.type, edge: places.get(edge) ?? 0 })),
    serializeState: ({ context: { node, by } }) => (apart === 'by kind' ? `${node}` : `${node} by ${by}`),
  });
  // `TestModel` leaves out every path that is the beginning of another one.
  return model
    .getPaths((logic, options) => generator(logic as Logic, options))
    .map(({ steps }) => ({ graph, steps: steps.flatMap(({ event }) => graph.edges[event.edge] ?? []) }));
};

/** Leaves out each test that takes no transition which those before it have not taken. */
const withoutNothingNew = (tests: Test[]): Test[] => {
  const taken = new Set<string>();
  return tests.filter((test) => {
    const fresh = transitionsIn(test).filter((name) => !taken.has(name));
    for (const name of fresh) taken.add(name);
    return fresh.length > 0;
  });
};

/** Our own tours over all transitions, as `npm run paths` counts them. */
export const ourTours = (starts: readonly PathModel[]): Reach => reachOf(() => planOf(graphsOf(starts), 'transitions').tests);

/** A shortest path of `xstate/graph` to each kind of snapshot. */
export const shortestToKinds = (starts: readonly PathModel[]): Reach =>
  reachOf(() => graphsOf(starts).flatMap((graph) => pathsOf(graph, 'by kind', getShortestPaths)));

/** A shortest path of `xstate/graph` over each edge, or only those with a new transition. */
export const shortestOverEdges = (starts: readonly PathModel[], { onlyNew }: { onlyNew: boolean }): Reach =>
  reachOf(() => {
    const tests = graphsOf(starts).flatMap((graph) => pathsOf(graph, 'by kind and edge', getShortestPaths));
    return onlyNew ? withoutNothingNew(tests) : tests;
  });

/** All paths of `xstate/graph` that meet no kind twice. Their number explodes. */
export const simplePaths = (starts: readonly PathModel[]): Reach =>
  reachOf(() => graphsOf(starts).flatMap((graph) => pathsOf(graph, 'by kind', getSimplePaths)));

/**
 * How many snapshots `xstate/graph` tells apart by itself, by state and whole context; null when
 * the search has not ended after `limit` steps.
 */
export const snapshotsApart = ({ machine, input, cases = {} }: PathModel, limit: number): number | null => {
  const stepper = createStepper(machine);
  const logic = fromTransition(
    ({ snapshot }: Step, event: AnyEventObject) => stepper.step(snapshot, event),
    stepper.start(input),
  );
  try {
    const adjacency = getAdjacencyMap(logic, {
      events: ({ context: { snapshot } }) => eventsOf(snapshot, cases),
      serializeState: ({ context: { snapshot } }) => serializeSnapshot(snapshot),
      limit,
    });
    return Object.keys(adjacency).length;
  } catch (error) {
    if (error instanceof Error && error.message === 'Traversal limit exceeded') return null;
    throw error;
  }
};
