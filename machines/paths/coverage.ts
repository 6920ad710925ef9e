import type { AnyStateMachine } from 'xstate';
import type { Graph } from './explore.ts';
import { nameOf, stateNodesOf, transitionsOf } from './transitions.ts';

export type Covered = { covered: number; total: number; uncovered: string[] };

const count = (all: string[], reached: Set<string>): Covered => {
  const uncovered = all.filter((each) => !reached.has(each));
  return { covered: all.length - uncovered.length, total: all.length, uncovered };
};

/** Which of the machine's transitions some explored path fires. */
export const transitionCoverage = (machine: AnyStateMachine, { firedAtStart, edges }: Graph): Covered => {
  const fired = [...firedAtStart, ...edges.flatMap((edge) => edge.fired)];
  return count(transitionsOf(machine).map(nameOf), new Set(fired.map(nameOf)));
};

/** Which of the machine's states some explored path enters, transient ones included. */
export const stateCoverage = (machine: AnyStateMachine, { nodes, firedAtStart, edges }: Graph): Covered => {
  const fired = [...firedAtStart, ...edges.flatMap((edge) => edge.fired)];
  const entered = nodes.flatMap(({ snapshot }) => snapshot._nodes.map((node) => node.id));
  const passed = fired.flatMap(({ source, target }) => [source.id, ...(target ?? []).map((node) => node.id)]);
  return count(
    stateNodesOf(machine).map((node) => node.id),
    new Set([...entered, ...passed]),
  );
};
