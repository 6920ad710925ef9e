import type { AnyStateMachine } from 'xstate';
import type { Graph } from './explore.ts';
import { getDecidedGuards, listGuardOutcomes, getGuardOutcomes } from './guards.ts';
import { getTransitionName, getPassedStates, getAllStateNodes, getTransitions } from './transitions.ts';

export type Coverage = { covered: number; total: number; uncovered: string[] };

const measureCoverage = (names: string[], reached: ReadonlySet<string>): Coverage => {
  const uncovered = names.filter((each) => !reached.has(each));
  return { covered: names.length - uncovered.length, total: names.length, uncovered };
};

const getFired = (graphs: Graph[]) =>
  graphs.flatMap(({ firedAtStart, edges }) => [...firedAtStart, ...edges.flatMap((edge) => edge.fired)]);

/**
 * The combined coverage of one machine's explorations, from each of its inputs: states (including
 * transient ones), transitions, and each guard once true and once false.
 */
export const getCoverage = (machine: AnyStateMachine, graphs: Graph[]): Record<'states' | 'transitions' | 'guards', Coverage> => {
  const fired = getFired(graphs);
  const enteredStates = graphs.flatMap(({ nodes }) => nodes.flatMap(({ snapshot }) => snapshot._nodes.map((node) => node.id)));
  const decidedGuards = graphs.flatMap(({ edges, firedAtStart }) => [
    ...edges.flatMap(getGuardOutcomes),
    ...getDecidedGuards(firedAtStart),
  ]);
  return {
    states: measureCoverage(
      getAllStateNodes(machine).map((node) => node.id),
      new Set([...enteredStates, ...getPassedStates(fired)]),
    ),
    transitions: measureCoverage(getTransitions(machine).map(getTransitionName), new Set(fired.map(getTransitionName))),
    guards: measureCoverage(listGuardOutcomes(machine), new Set(decidedGuards)),
  };
};
