import type { AnyStateMachine } from 'xstate';
import type { Graph } from './explore.ts';
import { decidedBy, guardOutcomes, outcomesOf } from './guards.ts';
import { nameOf, passedBy, stateNodesOf, transitionsOf } from './transitions.ts';

export type Coverage = { covered: number; total: number; uncovered: string[] };

const count = (all: string[], reached: ReadonlySet<string>): Coverage => {
  const uncovered = all.filter((each) => !reached.has(each));
  return { covered: all.length - uncovered.length, total: all.length, uncovered };
};

const firedIn = (graphs: Graph[]) =>
  graphs.flatMap(({ firedAtStart, edges }) => [...firedAtStart, ...edges.flatMap((edge) => edge.fired)]);

/**
 * What the explorations of one machine, from each of its inputs, reach together: its states, transient ones included, its
 * transitions, and each guard once true and once false.
 */
export const coverageOf = (machine: AnyStateMachine, graphs: Graph[]): Record<'states' | 'transitions' | 'guards', Coverage> => {
  const fired = firedIn(graphs);
  const entered = graphs.flatMap(({ nodes }) => nodes.flatMap(({ snapshot }) => snapshot._nodes.map((node) => node.id)));
  const decided = graphs.flatMap(({ edges, firedAtStart }) => [...edges.flatMap(outcomesOf), ...decidedBy(firedAtStart)]);
  return {
    states: count(
      stateNodesOf(machine).map((node) => node.id),
      new Set([...entered, ...passedBy(fired)]),
    ),
    transitions: count(transitionsOf(machine).map(nameOf), new Set(fired.map(nameOf))),
    guards: count(guardOutcomes(machine), new Set(decided)),
  };
};
