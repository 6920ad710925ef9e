import { coverageOf, type Coverage } from '../../machines/paths/coverage.ts';
import { explore } from '../../machines/paths/explore.ts';
import { planOf } from '../../machines/paths/plan.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { specRows } from '../spec/spec-rows.ts';
import { rowsOfMachine, type Naming } from './named-rows.ts';

type Count = { covered: number; total: number };

/** A machine and how far its tests go; `tests` and `steps` are those of the criterion `transitions`. */
export type Survey = {
  machine: string;
  states: Count;
  transitions: Count;
  guards: Count;
  /** Specification rows that the machine carries, and those of them that a transition, a state or a test names. */
  spec: Count;
  tests: number;
  steps: number;
  /** States, transitions and outcomes of guards that nothing reaches, rows that nothing names, steps that throw. */
  uncovered: string[];
};

const countOf = ({ covered, total }: Coverage): Count => ({ covered, total });

/** How far the tests of a machine go, whatever the shop around it would answer. @throws RangeError when its contexts grow without end. */
export const surveyOf = (machine: string, starts: PathModel[], namings: readonly Naming[]): Survey => {
  const [first] = starts;
  if (!first) throw new RangeError(`${machine} has no path model`);
  const graphs = starts.map((start) => explore(start.machine, start));
  const { states, transitions, guards } = coverageOf(first.machine, graphs);
  const thrown = graphs.flatMap(({ failures }) => failures.map(({ state, event }) => `${state} throws on ${event.type}`));
  const { tests } = planOf(graphs, 'transitions');
  const spec = rowsOfMachine(machine, specRows, namings);
  return {
    machine,
    states: countOf(states),
    transitions: countOf(transitions),
    guards: countOf(guards),
    spec: { covered: spec.named.length, total: spec.named.length + spec.unnamed.length },
    tests: tests.length,
    steps: tests.reduce((sum, { steps }) => sum + steps.length, 0),
    uncovered: [...states.uncovered, ...transitions.uncovered, ...guards.uncovered, ...spec.unnamed, ...thrown],
  };
};
