import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import type { Edge } from './explore.ts';
import { nameOf, transitionsOf, triedBefore } from './transitions.ts';

const isTrue = (transition: AnyTransitionDefinition): string => `${nameOf(transition)} is true`;
const isFalse = (transition: AnyTransitionDefinition): string => `${nameOf(transition)} is false`;

const isGuarded = ({ guard }: AnyTransitionDefinition): boolean => guard !== undefined;

/** Both outcomes of each guarded transition. */
export const guardOutcomes = (machine: AnyStateMachine): string[] =>
  transitionsOf(machine)
    .filter(isGuarded)
    .flatMap((transition) => [isTrue(transition), isFalse(transition)]);

const upwards = (node: AnyStateNode): AnyStateNode[] => (node.parent ? [node, ...upwards(node.parent)] : [node]);

/** Active states that have no active child, each with its ancestors, innermost first. */
const branchesOf = ({ _nodes }: AnyMachineSnapshot): AnyStateNode[][] =>
  (_nodes as AnyStateNode[]).filter((node) => node.type === 'atomic' || node.type === 'final').map(upwards);

/** The guarded transitions that an event asked and that said no: XState asks from the inside out and stops at a yes. */
const refusedBy = (
  branch: AnyStateNode[],
  type: string,
  fired: ReadonlySet<AnyTransitionDefinition>,
): AnyTransitionDefinition[] => {
  const refused: AnyTransitionDefinition[] = [];
  for (const node of branch) {
    for (const candidate of node.transitions.get(type) ?? []) {
      if (fired.has(candidate)) return refused;
      refused.push(candidate);
    }
  }
  return refused;
};

/** Guards that decided which transitions fired: those of the transitions, and those tried before them. */
export const decidedBy = (fired: AnyTransitionDefinition[]): string[] => [
  ...fired.filter(isGuarded).map(isTrue),
  ...fired.flatMap(triedBefore).filter(isGuarded).map(isFalse),
];

/** Guards that came out true or false on an edge, as `guardOutcomes` names them. */
export const outcomesOf = ({ from, to, event, fired }: Edge): string[] => {
  const taken = new Set(fired);
  const asked = branchesOf(from.snapshot).flatMap((branch) => refusedBy(branch, event.type, taken));
  const waiting = (to.snapshot._nodes as AnyStateNode[]).flatMap((node) => node.always ?? []);
  return [...decidedBy(fired), ...[...asked, ...waiting].filter(isGuarded).map(isFalse)];
};
