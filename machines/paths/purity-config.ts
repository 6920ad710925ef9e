import { createMachine, type AnyStateMachine } from 'xstate';
import type { StoredAction, NamedImplementations } from './purity-definition.ts';
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

const mapObject = (object: object, transform: (part: unknown, key: string) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([key, part]: [string, unknown]) => [key, transform(part, key)])) as object;

/**
 * The place of a part in the definition, for example
 * `purchase.quoting invoke offer onError 0 guard isMissing`: parts are named by their type or id.
 */
const toPlace = (place: string, key: string, part: unknown): string => {
  const { id, type } = isObject(part) ? (part as { id?: string; type?: string }) : {};
  return [place, key, type ?? id ?? ''].join(' ').trimEnd();
};

/** Copies a definition so that each of its functions is watched under its place. */
const watchConfig = (config: object, id: string, implementations: Implementations, watch: Watch): object => {
  const watchValuePart = (part: unknown, key: string, place: string, role: Role): unknown => {
    if (typeof part === 'function') {
      const valueRole = role === 'guard' ? 'guard' : key === 'params' ? 'parameter' : 'value';
      return watch.watchValue(part as StoredAction, place, valueRole);
    }
    if (key !== 'params') watch.checkValue(place, part);
    return part;
  };
  const watchPart = (part: unknown, place: string, role: Role): unknown => {
    if (Array.isArray(part)) return part.map((each: unknown, index) => watchPart(each, toPlace(place, `${index}`, each), role));
    if (isObject(part)) return mapObject(part, (nested, key) => watchKey(nested, key, place, role));
    if (typeof part !== 'function' || role === 'value') return part;
    return role === 'guard'
      ? watch.watchGuard(part as StoredAction, place)
      : watch.watchAction(part as StoredAction, place, implementations);
  };
  const watchKey = (part: unknown, key: string, place: string, role: Role): unknown => {
    if (untouchedKeys.has(key)) return part;
    if (valueKeys.has(key)) return watchValuePart(part, key, `${place} ${key}`, role);
    if (namedKeys.has(key) && isObject(part)) {
      return mapObject(part, (nested, name) =>
        watchPart(nested, key === 'states' ? `${place}.${name}` : `${place} ${name}`, role),
      );
    }
    return watchPart(part, toPlace(place, key, part), roles[key] ?? role);
  };
  return watchPart(config, id, 'value') as object;
};

const mapFunctions = (functions: NamedImplementations, transform: (part: StoredAction, name: string) => unknown): object =>
  mapObject(functions, (part, name) => (typeof part === 'function' ? transform(part as StoredAction, name) : part));

/**
 * A machine with the same states and transitions, whose functions are all watched by `watch`.
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
