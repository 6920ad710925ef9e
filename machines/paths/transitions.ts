import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { getStateNodes } from 'xstate/graph';

/** The machine's state nodes, its root first. */
export const stateNodesOf = (machine: AnyStateMachine): AnyStateNode[] => [machine.root, ...getStateNodes(machine.root)];

const alternativesOf = (transition: AnyTransitionDefinition): AnyTransitionDefinition[] => {
  const { source } = transition;
  const type = String(transition.eventType);
  return (type === '' ? source.always : source.transitions.get(type)) ?? [];
};

/** Every transition that the machine defines, each guarded alternative on its own. */
export const transitionsOf = (machine: AnyStateMachine): AnyTransitionDefinition[] =>
  stateNodesOf(machine).flatMap((node) => [...[...node.transitions.values()].flat(), ...(node.always ?? [])]);

/** The alternatives of a transition that are tried before it, in order. */
export const triedBefore = (transition: AnyTransitionDefinition): AnyTransitionDefinition[] => {
  const alternatives = alternativesOf(transition);
  return alternatives.slice(0, alternatives.indexOf(transition));
};

/**
 * A name that stays the same from run to run: the source state, the event or `always`, and the place among guarded
 * alternatives, as in `purchase.ready pay.pressed#1`.
 */
export const nameOf = (transition: AnyTransitionDefinition): string => {
  const alternatives = alternativesOf(transition);
  const place = alternatives.length > 1 ? `#${alternatives.indexOf(transition)}` : '';
  return `${transition.source.id} ${String(transition.eventType) || 'always'}${place}`;
};

/** The ids of the states between which transitions led, those that were only passed among them. */
export const passedBy = (fired: readonly AnyTransitionDefinition[]): string[] =>
  fired.flatMap(({ source, target }) => [source.id, ...(target ?? []).map((node) => node.id)]);
