import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import type { Edge } from './explore.ts';
import { getTransitionName, getTransitions, getEarlierAlternatives } from './transitions.ts';

const isTrue = (transition: AnyTransitionDefinition): string => `${getTransitionName(transition)} is true`;
const isFalse = (transition: AnyTransitionDefinition): string => `${getTransitionName(transition)} is false`;

const isGuarded = ({ guard }: AnyTransitionDefinition): boolean => guard !== undefined;

/** Both outcomes of each guarded transition. */
export const guardOutcomes = (machine: AnyStateMachine): string[] =>
  getTransitions(machine)
    .filter(isGuarded)
    .flatMap((transition) => [isTrue(transition), isFalse(transition)]);

const getAncestors = (node: AnyStateNode): AnyStateNode[] => (node.parent ? [node, ...getAncestors(node.parent)] : [node]);

/** Active states that have no active child, each with its ancestors, innermost first. */
const getBranches = ({ _nodes }: AnyMachineSnapshot): AnyStateNode[][] =>
  (_nodes as AnyStateNode[]).filter((node) => node.type === 'atomic' || node.type === 'final').map(getAncestors);

/**
 * The guarded transitions that refused an event: XState asks from the innermost state outwards and
 * stops at the first that accepts.
 */
const findRejected = (
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

/** Guards that decided which transitions fired: their own, and those tried before them. */
export const getDecidedGuards = (fired: AnyTransitionDefinition[]): string[] => [
  ...fired.filter(isGuarded).map(isTrue),
  ...fired.flatMap(getEarlierAlternatives).filter(isGuarded).map(isFalse),
];

/** Guards that were true or false on an edge, named as by `guardOutcomes`. */
export const getGuardOutcomes = ({ from, to, event, fired }: Edge): string[] => {
  const taken = new Set(fired);
  const asked = getBranches(from.snapshot).flatMap((branch) => findRejected(branch, event.type, taken));
  const waiting = (to.snapshot._nodes as AnyStateNode[]).flatMap((node) => node.always ?? []);
  return [...getDecidedGuards(fired), ...[...asked, ...waiting].filter(isGuarded).map(isFalse)];
};
