import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { coverageOf } from '../../machines/paths/coverage.ts';
import type { Edge, Graph, Node } from '../../machines/paths/explore.ts';
import { planOf, type PlannedTest } from '../../machines/paths/plan.ts';
import { stateNodesOf } from '../../machines/paths/transitions.ts';
import { walk } from '../../machines/paths/walk.ts';
import type { PathModel } from '../../tests/support/path-model.ts';
import { UsageError } from '../process/command-line.ts';
import { specIn } from './named-rows.ts';
import type { PlanOptions, Walks } from './options.ts';
import { graphsOf, machineOf } from './survey.ts';
import { seenIn, describeStep, type Doer } from './describe-step.ts';

export type PlanStep = {
  number: number;
  by: Doer;
  does: string;
  /** What must be seen then, a line each. */
  sees: string[];
  event: AnyEventObject;
  /** The states that the machine is in then. */
  states: string[];
  /** Specification rows that the step shows. */
  spec: string[];
};

export type PlanTest = { number: number; given: string; spec: string[]; sees: string[]; steps: PlanStep[] };

/** A machine's tests as text. */
export type PlanDocument = {
  machine: string;
  title: string;
  about: string;
  criterion: PlanOptions['criterion'];
  walks: Walks | null;
  stop: string | null;
  covered: number;
  total: number;
  /** The names of what no test reaches. */
  uncovered: string[];
  tests: PlanTest[];
};

const statesIn = (snapshot: AnyMachineSnapshot): string[] => snapshot._nodes.map((node) => node.id);

/** The rows that transitions name, and the states that are active after them and were not before. */
const specOf = ({ fired, to, from }: { fired: { meta?: unknown }[]; to: Node; from: Node | null }): string[] => {
  const entered = to.snapshot._nodes.filter((node) => from?.snapshot._nodes.includes(node) !== true);
  return [...new Set([...fired, ...entered].flatMap(({ meta }) => specIn(meta)))];
};

const documentStep = (model: PathModel, edge: Edge, index: number): PlanStep => {
  const { by, does, sees } = describeStep(model, edge);
  return { number: index + 1, by, does, sees, event: edge.event, states: statesIn(edge.to.snapshot), spec: specOf(edge) };
};

/** Ends a test after the step that enters the state. @throws UsageError when the machine has no such state. */
const stopAt = (machine: AnyStateMachine, state: string | null): ((edge: Edge) => boolean) | undefined => {
  if (state === null) return undefined;
  const ids = stateNodesOf(machine).map((node) => node.id);
  const id = ids.find((each) => each === state || each.endsWith(`.${state}`));
  if (id === undefined) throw new UsageError(`--stop ${state}: ${machine.id} has no such state, only ${ids.join(', ')}`);
  return ({ to }) => statesIn(to.snapshot).includes(id);
};

const walksOf = (starts: PathModel[], graphs: Graph[], { seed, count, length }: Walks, stop?: (edge: Edge) => boolean) =>
  Array.from({ length: count }, (_, index): PlannedTest[] => {
    const model = starts[index % starts.length];
    const graph = graphs[index % graphs.length];
    if (!model || !graph) return [];
    return [{ graph, steps: walk(model.machine, { ...model, seed: seed + index, length, ...(stop ? { stop } : {}) }) }];
  }).flat();

/** What tests reach, as if the machine had nothing besides. */
const reachedBy = ({ graph, steps }: PlannedTest): Graph => ({
  ...graph,
  nodes: [graph.start, ...steps.map(({ to }) => to)],
  edges: steps,
});

type Coverage = Pick<PlanDocument, 'covered' | 'total' | 'uncovered'>;

const coverage = (machine: AnyStateMachine, tests: PlannedTest[], criterion: 'states' | 'transitions' | 'guards'): Coverage =>
  coverageOf(machine, tests.map(reachedBy))[criterion];

type Planned = { tests: PlannedTest[] } & Coverage;

const plannedBy = (starts: PathModel[], graphs: Graph[], options: PlanOptions): Planned => {
  const { criterion, walks, maxLength } = options;
  const machine = machineOf(starts);
  const stop = stopAt(machine, options.stop);
  if (walks) {
    const tests = walksOf(starts, graphs, walks, stop);
    return { tests, ...coverage(machine, tests, 'transitions') };
  }
  const { tests, met, missed } = planOf(graphs, criterion, { maxLength, ...(stop ? { stop } : {}) });
  if (tests.length === 0) throw new UsageError(`--stop ${String(options.stop)}: no way leads there`);
  if (criterion === 'pairs') return { tests, covered: met, total: met + missed.length, uncovered: missed };
  return { tests, ...coverage(machine, tests, criterion) };
};

/** @throws UsageError when `stop` names no state, RangeError when the machine's contexts grow without end. */
export const documentOf = (name: string, starts: PathModel[], options: PlanOptions): PlanDocument => {
  const graphs = graphsOf(starts);
  const { tests, covered, total, uncovered } = plannedBy(starts, graphs, options);
  const modelOf = ({ graph }: PlannedTest) => starts[graphs.indexOf(graph)];
  return {
    machine: name,
    title: starts[0]?.description.title ?? name,
    about: starts[0]?.description.about ?? '',
    criterion: options.criterion,
    walks: options.walks,
    stop: options.stop,
    covered,
    total,
    uncovered,
    tests: tests.flatMap((test, index) => {
      const model = modelOf(test);
      if (!model) return [];
      return {
        number: index + 1,
        given: model.given,
        spec: specOf({ fired: test.graph.firedAtStart, to: test.graph.start, from: null }),
        sees: seenIn(model.description, test.graph.start.snapshot).map(({ text }) => text),
        steps: test.steps.map((edge, step) => documentStep(model, edge, step)),
      };
    }),
  };
};
