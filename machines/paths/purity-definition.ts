import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { getTransitionName, getAllStateNodes, getTransitions } from './transitions.ts';

/** Receives a fault and its place. */
export type Report = (place: string, fault: string) => void;

/**
 * An action, guard or actor logic as XState stores it: a function with the arguments of its
 * creator.
 */
export type CraftedAction = ((...args: unknown[]) => unknown) & { type?: string; delay?: unknown; src?: unknown; id?: unknown };
export type NamedImplementations = Readonly<Record<string, unknown>>;
type Invoke = { id?: string; src: unknown };

const toList = <T>(value: T | readonly T[] | undefined): readonly T[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
};

const getType = (use: unknown): string => (typeof use === 'string' ? use : (use as { type: string }).type);

/** Actions, guards and actors must be used by name, and `setup()` must define the name. */
export const readUse = (
  kind: 'action' | 'guard' | 'actor',
  use: unknown,
  named: NamedImplementations,
  place: string,
  report: Report,
): void => {
  const isName = typeof use === 'string' || (kind !== 'actor' && typeof use === 'object');
  if (!isName) report(place, `an unnamed ${kind}`);
  else if (!(getType(use) in named)) report(place, `the ${kind} ${getType(use)}, which setup() does not define`);
};

/** Checks the arguments of built-in actions: a delay by name, logic by name, an id. */
export const readCrafted = ({ type, delay, src, id }: CraftedAction, place: string, report: Report): void => {
  if (typeof delay === 'number' || typeof delay === 'function') report(place, 'an unnamed delay');
  if (type === 'xstate.spawnChild') readSpawn(src, id, place, report);
};

export const readSpawn = (src: unknown, id: unknown, place: string, report: Report): void => {
  if (typeof src !== 'string') report(place, 'an unnamed actor');
  if (id === undefined) report(place, 'a spawn without an id');
};

const readNode = (node: AnyStateNode, report: Report): void => {
  const { actors, actions, delays } = node.machine.implementations as Record<
    'actors' | 'actions' | 'delays',
    NamedImplementations
  >;
  // `node.entry` also contains what XState adds for `after`; the configuration has only what was
  // written.
  const config = node.config as Record<'invoke' | 'entry' | 'exit', unknown> & { after?: object };
  for (const [at, { id, src }] of (toList(config.invoke) as readonly Invoke[]).entries()) {
    const place = `${node.id} invoke ${id ?? at}`;
    readUse('actor', src, actors, place, report);
    if (id === undefined) report(place, 'an invoke without an id');
  }
  for (const key of ['entry', 'exit'] as const) {
    for (const action of toList(config[key])) readAction(action, actions, `${node.id} ${key}`, report);
  }
  for (const delay of Object.keys(config.after ?? {})) {
    if (!(delay in delays)) report(`${node.id} after ${delay}`, 'an unnamed delay');
  }
  const { initial } = node as { initial?: { actions: readonly unknown[] } };
  for (const action of initial?.actions ?? []) readAction(action, actions, `${node.id} initial`, report);
};

const readAction = (action: unknown, actions: NamedImplementations, place: string, report: Report): void => {
  readUse('action', action, actions, place, report);
  if (typeof action === 'function') readCrafted(action as CraftedAction, place, report);
};

const readLogic = (name: string, logic: object, report: Report): void => {
  const isMachine = 'getStateNodeById' in logic;
  if (!isMachine && 'start' in logic && !('kind' in logic)) report(`actor ${name}`, 'an effect that is not a port');
};

/**
 * Checks a machine's definition: every actor, action, guard and delay must have a name that
 * `setup()` defines, every invoke and spawn an id, and every effect must be a port, tagged with its
 * kind.
 */
export const readDefinition = (machine: AnyStateMachine, report: Report): void => {
  const { actors, actions, guards } = machine.implementations as Record<'actors' | 'actions' | 'guards', NamedImplementations>;
  for (const node of getAllStateNodes(machine)) readNode(node, report);
  for (const transition of getTransitions(machine)) {
    const place = getTransitionName(transition);
    for (const action of transition.actions) readAction(action, actions, place, report);
    if (transition.guard !== undefined) readUse('guard', transition.guard, guards, place, report);
  }
  for (const [name, action] of Object.entries(actions)) readCrafted(action as CraftedAction, `action ${name}`, report);
  for (const [name, logic] of Object.entries(actors)) readLogic(name, logic as object, report);
};
