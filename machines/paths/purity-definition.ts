import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { getTransitionName, getAllStateNodes, getTransitions } from './transitions.ts';

/** Receives a fault, and the place in the machine where it is. */
export type Report = (place: string, fault: string) => void;

/**
 * An action, guard or actor logic as XState stores it: a function whose properties are the
 * arguments that it was created with.
 */
export type StoredAction = ((...args: unknown[]) => unknown) & { type?: string; delay?: unknown; src?: unknown; id?: unknown };
export type NamedImplementations = Readonly<Record<string, unknown>>;
type Invoke = { id?: string; src: unknown };

const toList = <T>(value: T | readonly T[] | undefined): readonly T[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
};

const getType = (use: unknown): string => (typeof use === 'string' ? use : (use as { type: string }).type);

/** Checks that an action, guard or actor is used by a name that `setup()` defines. */
export const checkUse = (
  kind: 'action' | 'guard' | 'actor',
  use: unknown,
  implementations: NamedImplementations,
  place: string,
  report: Report,
): void => {
  const isName = typeof use === 'string' || (kind !== 'actor' && typeof use === 'object');
  if (!isName) report(place, `an unnamed ${kind}`);
  else if (!(getType(use) in implementations)) report(place, `the ${kind} ${getType(use)}, which setup() does not define`);
};

/**
 * Checks the arguments of a built-in action: delay and logic must be names, a spawn needs an id.
 */
export const checkCrafted = ({ type, delay, src, id }: StoredAction, place: string, report: Report): void => {
  if (typeof delay === 'number' || typeof delay === 'function') report(place, 'an unnamed delay');
  if (type === 'xstate.spawnChild') checkSpawn(src, id, place, report);
};

export const checkSpawn = (src: unknown, id: unknown, place: string, report: Report): void => {
  if (typeof src !== 'string') report(place, 'an unnamed actor');
  if (id === undefined) report(place, 'a spawn without an id');
};

const checkNode = (node: AnyStateNode, report: Report): void => {
  const { actors, actions, delays } = node.machine.implementations as Record<
    'actors' | 'actions' | 'delays',
    NamedImplementations
  >;
  // Unlike `node.entry`, the configuration does not contain the actions that XState adds for
  // `after`.
  const config = node.config as Record<'invoke' | 'entry' | 'exit', unknown> & { after?: object };
  for (const [at, { id, src }] of (toList(config.invoke) as readonly Invoke[]).entries()) {
    const place = `${node.id} invoke ${id ?? at}`;
    checkUse('actor', src, actors, place, report);
    if (id === undefined) report(place, 'an invoke without an id');
  }
  for (const key of ['entry', 'exit'] as const) {
    for (const action of toList(config[key])) checkAction(action, actions, `${node.id} ${key}`, report);
  }
  for (const delay of Object.keys(config.after ?? {})) {
    if (!(delay in delays)) report(`${node.id} after ${delay}`, 'an unnamed delay');
  }
  const { initial } = node as { initial?: { actions: readonly unknown[] } };
  for (const action of initial?.actions ?? []) checkAction(action, actions, `${node.id} initial`, report);
};

const checkAction = (action: unknown, actions: NamedImplementations, place: string, report: Report): void => {
  checkUse('action', action, actions, place, report);
  if (typeof action === 'function') checkCrafted(action as StoredAction, place, report);
};

const checkLogic = (name: string, logic: object, report: Report): void => {
  const isMachine = 'getStateNodeById' in logic;
  if (!isMachine && 'start' in logic && !('kind' in logic)) report(`actor ${name}`, 'an effect that is not a port');
};

/**
 * Checks a machine's definition: every actor, action, guard and delay must have a name that
 * `setup()` defines, every invoke and spawn an id, and every effect must be a port, tagged with its
 * kind.
 */
export const checkDefinition = (machine: AnyStateMachine, report: Report): void => {
  const { actors, actions, guards } = machine.implementations as Record<'actors' | 'actions' | 'guards', NamedImplementations>;
  for (const node of getAllStateNodes(machine)) checkNode(node, report);
  for (const transition of getTransitions(machine)) {
    const place = getTransitionName(transition);
    for (const action of transition.actions) checkAction(action, actions, place, report);
    if (transition.guard !== undefined) checkUse('guard', transition.guard, guards, place, report);
  }
  for (const [name, action] of Object.entries(actions)) checkCrafted(action as StoredAction, `action ${name}`, report);
  for (const [name, logic] of Object.entries(actors)) checkLogic(name, logic as object, report);
};
