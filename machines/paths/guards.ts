import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import type { Edge } from './explore.ts';
import { getTransitionName, getTransitions, getEarlierAlternatives } from './transitions.ts';

const toTrueOutcome = (transition: AnyTransitionDefinition): string => `${getTransitionName(transition)} is true`;
const toFalseOutcome = (transition: AnyTransitionDefinition): string => `${getTransitionName(transition)} is false`;

const isGuarded = ({ guard }: AnyTransitionDefinition): boolean => guard !== undefined;

/** Both outcomes of each guarded transition, by name. */
export const listGuardOutcomes = (machine: AnyStateMachine): string[] =>
  getTransitions(machine)
    .filter(isGuarded)
    .flatMap((transition) => [toTrueOutcome(transition), toFalseOutcome(transition)]);

const getAncestors = (node: AnyStateNode): AnyStateNode[] => (node.parent ? [node, ...getAncestors(node.parent)] : [node]);

/** Active states that have no active child, each with its ancestors, innermost first. */
const getBranches = ({ _nodes }: AnyMachineSnapshot): AnyStateNode[][] =>
  (_nodes as AnyStateNode[]).filter((node) => node.type === 'atomic' || node.type === 'final').map(getAncestors);

/**
 * The transitions whose guards refused an event: XState tries them from the innermost state
 * outwards and stops at the first that accepts.
 */
const findRejected = (
  branch: AnyStateNode[],
  type: string,
  fired: ReadonlySet<AnyTransitionDefinition>,
): AnyTransitionDefinition[] => {
  const refusedTransitions: AnyTransitionDefinition[] = [];
  for (const node of branch) {
    for (const candidate of node.transitions.get(type) ?? []) {
      if (fired.has(candidate)) return refusedTransitions;
      refusedTransitions.push(candidate);
    }
  }
  return refusedTransitions;
};

/** Outcomes of the guards that decided which transitions fired: their own, and earlier ones. */
export const getDecidedGuards = (fired: AnyTransitionDefinition[]): string[] => [
  ...fired.filter(isGuarded).map(toTrueOutcome),
  ...fired.flatMap(getEarlierAlternatives).filter(isGuarded).map(toFalseOutcome),
];

/** Outcomes of the guards that were evaluated on an edge, named as by `listGuardOutcomes`. */
export const getGuardOutcomes = ({ from, to, event, fired }: Edge): string[] => {
  const firedTransitions = new Set(fired);
  const rejectedTransitions = getBranches(from.snapshot).flatMap((branch) => findRejected(branch, event.type, firedTransitions));
  const eventless = (to.snapshot._nodes as AnyStateNode[]).flatMap((node) => node.always ?? []);
  return [...getDecidedGuards(fired), ...[...rejectedTransitions, ...eventless].filter(isGuarded).map(toFalseOutcome)];
};
