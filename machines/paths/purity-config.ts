import { createMachine, type AnyStateMachine } from 'xstate';
import type { CraftedAction, NamedImplementations } from './purity-definition.ts';
import type { Watch } from './purity-watch.ts';

type Implementations = Record<'actors' | 'actions' | 'guards' | 'delays', NamedImplementations>;
/** The role of a function in a definition. */
type Role = 'value' | 'guard' | 'action';

const roles: Readonly<Record<string, Role>> = { guard: 'guard', actions: 'action', entry: 'action', exit: 'action' };
/** Keys whose own keys are names chosen by the machine's author. */
const namedKeys = new Set(['states', 'on', 'after']);
/** Keys whose values are plain values, or functions that return them. */
const valueKeys = new Set(['context', 'input', 'output', 'params']);
/** Keys whose values the machine does not execute itself. */
const untouchedKeys = new Set(['meta', 'src', 'tags', 'types', 'schemas']);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const mapObject = (object: object, change: (part: unknown, key: string) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([key, part]: [string, unknown]) => [key, change(part, key)])) as object;

/**
 * For example `purchase.quoting invoke offer onError 0 guard isMissing`: parts are named by their
 * source.
 */
const toPlace = (place: string, key: string, part: unknown): string => {
  const { id, type } = isObject(part) ? (part as { id?: string; type?: string }) : {};
  return [place, key, type ?? id ?? ''].join(' ').trimEnd();
};

/** A definition whose functions are all watched, each with its place in it. */
const watchConfig = (config: object, id: string, implementations: Implementations, watch: Watch): object => {
  const valueIn = (part: unknown, key: string, place: string, role: Role): unknown => {
    if (typeof part === 'function') {
      const use = role === 'guard' ? 'guard' : key === 'params' ? 'parameter' : 'value';
      return watch.watchValue(part as CraftedAction, place, use);
    }
    if (key !== 'params') watch.readValue(place, part);
    return part;
  };
  const partIn = (part: unknown, place: string, role: Role): unknown => {
    if (Array.isArray(part)) return part.map((each: unknown, at) => partIn(each, toPlace(place, `${at}`, each), role));
    if (isObject(part)) return mapObject(part, (inner, key) => keyIn(inner, key, place, role));
    if (typeof part !== 'function' || role === 'value') return part;
    return role === 'guard'
      ? watch.watchGuard(part as CraftedAction, place)
      : watch.watchAction(part as CraftedAction, place, implementations);
  };
  const keyIn = (part: unknown, key: string, place: string, role: Role): unknown => {
    if (untouchedKeys.has(key)) return part;
    if (valueKeys.has(key)) return valueIn(part, key, `${place} ${key}`, role);
    if (namedKeys.has(key) && isObject(part)) {
      return mapObject(part, (inner, name) => partIn(inner, key === 'states' ? `${place}.${name}` : `${place} ${name}`, role));
    }
    return partIn(part, toPlace(place, key, part), roles[key] ?? role);
  };
  return partIn(config, id, 'value') as object;
};

const mapFunctions = (functions: NamedImplementations, change: (part: CraftedAction, name: string) => unknown): object =>
  mapObject(functions, (part, name) => (typeof part === 'function' ? change(part as CraftedAction, name) : part));

/**
 * A machine with the same states and transitions that reports all that its functions do to `watch`.
 */
export const watchMachine = (machine: AnyStateMachine, watch: Watch): AnyStateMachine => {
  const implementations = machine.implementations as Implementations;
  const { actors, actions, guards, delays } = implementations;
  const config = watchConfig(machine.config as object, machine.id, implementations, watch);
  return createMachine(
    config as Parameters<typeof createMachine>[0],
    {
      actors,
      actions: mapFunctions(actions, (action, name) => watch.watchAction(action, `action ${name}`, implementations)),
      guards: mapFunctions(guards, (guard, name) => watch.watchGuard(guard, `guard ${name}`)),
      delays: mapFunctions(delays, (delay, name) => watch.watchValue(delay, `delay ${name}`, 'parameter')),
    } as object,
  ) as AnyStateMachine;
};
