import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { nameOf, stateNodesOf, transitionsOf } from './transitions.ts';

/** Takes a fault with the place where it is. */
export type Report = (place: string, fault: string) => void;

/** An action, guard or piece of logic as XState keeps it: a function with what its creator was given. */
export type Crafted = ((...args: unknown[]) => unknown) & { type?: string; delay?: unknown; src?: unknown; id?: unknown };
export type Named = Readonly<Record<string, unknown>>;
type Invoke = { id?: string; src: unknown };

const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
};

const typeOf = (use: unknown): string => (typeof use === 'string' ? use : (use as { type: string }).type);

/** What is used must be a name, and `setup()` must give what is named. */
export const readUse = (kind: 'action' | 'guard' | 'actor', use: unknown, named: Named, place: string, report: Report): void => {
  const isName = typeof use === 'string' || (kind !== 'actor' && typeof use === 'object');
  if (!isName) report(place, `an unnamed ${kind}`);
  else if (!(typeOf(use) in named)) report(place, `the ${kind} ${typeOf(use)}, which setup() does not give`);
};

/** What the creators of built-in actions were given: a delay by name, logic by name, an id. */
export const readCrafted = ({ type, delay, src, id }: Crafted, place: string, report: Report): void => {
  if (typeof delay === 'number' || typeof delay === 'function') report(place, 'an unnamed delay');
  if (type === 'xstate.spawnChild') readSpawn(src, id, place, report);
};

export const readSpawn = (src: unknown, id: unknown, place: string, report: Report): void => {
  if (typeof src !== 'string') report(place, 'an unnamed actor');
  if (id === undefined) report(place, 'a spawn without an id');
};

const readNode = (node: AnyStateNode, report: Report): void => {
  const { actors, actions, delays } = node.machine.implementations as Record<'actors' | 'actions' | 'delays', Named>;
  // `node.entry` would also hold what XState adds for `after`; the configuration holds what was written.
  const config = node.config as Record<'invoke' | 'entry' | 'exit', unknown> & { after?: object };
  for (const [at, { id, src }] of (listOf(config.invoke) as readonly Invoke[]).entries()) {
    const place = `${node.id} invoke ${id ?? at}`;
    readUse('actor', src, actors, place, report);
    if (id === undefined) report(place, 'an invoke without an id');
  }
  for (const key of ['entry', 'exit'] as const) {
    for (const action of listOf(config[key])) readAction(action, actions, `${node.id} ${key}`, report);
  }
  for (const delay of Object.keys(config.after ?? {})) {
    if (!(delay in delays)) report(`${node.id} after ${delay}`, 'an unnamed delay');
  }
  const { initial } = node as { initial?: { actions: readonly unknown[] } };
  for (const action of initial?.actions ?? []) readAction(action, actions, `${node.id} initial`, report);
};

const readAction = (action: unknown, actions: Named, place: string, report: Report): void => {
  readUse('action', action, actions, place, report);
  if (typeof action === 'function') readCrafted(action as Crafted, place, report);
};

const readLogic = (name: string, logic: object, report: Report): void => {
  const isMachine = 'getStateNodeById' in logic;
  if (!isMachine && 'start' in logic && !('kind' in logic)) report(`actor ${name}`, 'an effect that is no port');
};

/**
 * Reads a machine's definition: every actor, action, guard and delay must have a name that `setup()` gives,
 * every invoke and spawn an id, and every effect must be a port, tagged with its kind.
 */
export const readDefinition = (machine: AnyStateMachine, report: Report): void => {
  const { actors, actions, guards } = machine.implementations as Record<'actors' | 'actions' | 'guards', Named>;
  for (const node of stateNodesOf(machine)) readNode(node, report);
  for (const transition of transitionsOf(machine)) {
    const place = nameOf(transition);
    for (const action of transition.actions) readAction(action, actions, place, report);
    if (transition.guard !== undefined) readUse('guard', transition.guard, guards, place, report);
  }
  for (const [name, action] of Object.entries(actions)) readCrafted(action as Crafted, `action ${name}`, report);
  for (const [name, logic] of Object.entries(actors)) readLogic(name, logic as object, report);
};
