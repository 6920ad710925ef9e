import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { getStateNodes } from 'xstate/graph';

/** The machine's state nodes, its root first. */
export const getAllStateNodes = (machine: AnyStateMachine): AnyStateNode[] => [machine.root, ...getStateNodes(machine.root)];

const getAlternatives = (transition: AnyTransitionDefinition): AnyTransitionDefinition[] => {
  const { source } = transition;
  const type = String(transition.eventType);
  return (type === '' ? source.always : source.transitions.get(type)) ?? [];
};

/** Every transition that the machine defines, with each guarded alternative separately. */
export const getTransitions = (machine: AnyStateMachine): AnyTransitionDefinition[] =>
  getAllStateNodes(machine).flatMap((node) => [...[...node.transitions.values()].flat(), ...(node.always ?? [])]);

/** The alternatives that are tried before a transition, in order. */
export const getEarlierAlternatives = (transition: AnyTransitionDefinition): AnyTransitionDefinition[] => {
  const alternatives = getAlternatives(transition);
  return alternatives.slice(0, alternatives.indexOf(transition));
};

/**
 * A name that is stable between runs: the source state, the event or `always`, and the index among
 * guarded alternatives, as in `purchase.ready pay.pressed#1`.
 */
export const getTransitionName = (transition: AnyTransitionDefinition): string => {
  const alternatives = getAlternatives(transition);
  const suffix = alternatives.length > 1 ? `#${alternatives.indexOf(transition)}` : '';
  return `${transition.source.id} ${String(transition.eventType) || 'always'}${suffix}`;
};

/** The ids of the source and target states of transitions, including transient states. */
export const getPassedStates = (fired: readonly AnyTransitionDefinition[]): string[] =>
  fired.flatMap(({ source, target }) => [source.id, ...(target ?? []).map((node) => node.id)]);
