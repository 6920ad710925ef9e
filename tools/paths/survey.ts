import { getCoverage, type Coverage } from '../../machines/paths/coverage.ts';
import { explore } from '../../machines/paths/explore.ts';
import { planTests } from '../../machines/paths/plan.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { specRows } from '../spec/spec-rows.ts';
import { getMachineRows, type RowReference } from './named-rows.ts';

type Count = { covered: number; total: number };

/**
 * A machine and its test coverage; `tests` and `steps` are those of the criterion `transitions`.
 */
export type Survey = {
  machine: string;
  states: Count;
  transitions: Count;
  guards: Count;
  /** Specification rows of the machine, and those named by a transition, a state or a test. */
  spec: Count;
  tests: number;
  steps: number;
  /**
   * Unreached states, transitions and outcomes of guards, rows without a reference, steps that
   * throw.
   */
  uncovered: string[];
};

const toCount = ({ covered, total }: Coverage): Count => ({ covered, total });

/**
 * The test coverage of a machine, for every possible response of the shop around it.
 * @throws RangeError if its contexts grow without end
 */
export const createSurvey = (machine: string, starts: PathModel[], references: readonly RowReference[]): Survey => {
  const [firstStart] = starts;
  if (!firstStart) throw new RangeError(`${machine} has no path model`);
  const graphs = starts.map((start) => explore(start.machine, start));
  const { states, transitions, guards } = getCoverage(firstStart.machine, graphs);
  const stepFailures = graphs.flatMap(({ failures }) => failures.map(({ state, event }) => `${state} throws on ${event.type}`));
  const { tests } = planTests(graphs, 'transitions');
  const spec = getMachineRows(machine, specRows, references);
  return {
    machine,
    states: toCount(states),
    transitions: toCount(transitions),
    guards: toCount(guards),
    spec: { covered: spec.named.length, total: spec.named.length + spec.unnamed.length },
    tests: tests.length,
    steps: tests.reduce((sum, { steps }) => sum + steps.length, 0),
    uncovered: [...states.uncovered, ...transitions.uncovered, ...guards.uncovered, ...spec.unnamed, ...stepFailures],
  };
};
