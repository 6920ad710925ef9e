import { createMachine, type AnyStateMachine } from 'xstate';
import type { Crafted, Named } from './purity-definition.ts';
import type { Watch } from './purity-watch.ts';

type Implementations = Record<'actors' | 'actions' | 'guards' | 'delays', Named>;
/** The role of a function in a definition. */
type Role = 'value' | 'guard' | 'action';

const roles: Readonly<Record<string, Role>> = { guard: 'guard', actions: 'action', entry: 'action', exit: 'action' };
/** Keys whose own keys are names that the machine's author chose. */
const named = new Set(['states', 'on', 'after']);
/** Keys under which values stand, or functions that make them. */
const values = new Set(['context', 'input', 'output', 'params']);
/** Keys whose values the machine does not run itself. */
const kept = new Set(['meta', 'src', 'tags', 'types', 'schemas']);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const mapped = (object: object, change: (part: unknown, key: string) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([key, part]: [string, unknown]) => [key, change(part, key)])) as object;

/** As in `purchase.quoting invoke offer onError 0 guard isMissing`: by the name of its source. */
const placeOf = (place: string, key: string, part: unknown): string => {
  const { id, type } = isObject(part) ? (part as { id?: string; type?: string }) : {};
  return [place, key, type ?? id ?? ''].join(' ').trimEnd();
};

/** A definition whose functions are all watched, each at its place in it. */
const watchedConfig = (config: object, id: string, implementations: Implementations, watch: Watch): object => {
  const valueIn = (part: unknown, key: string, place: string, role: Role): unknown => {
    if (typeof part === 'function') {
      const use = role === 'guard' ? 'guard' : key === 'params' ? 'parameter' : 'value';
      return watch.watchValue(part as Crafted, place, use);
    }
    if (key !== 'params') watch.readValue(place, part);
    return part;
  };
  const partIn = (part: unknown, place: string, role: Role): unknown => {
    if (Array.isArray(part)) return part.map((each: unknown, at) => partIn(each, placeOf(place, `${at}`, each), role));
    if (isObject(part)) return mapped(part, (inner, key) => keyIn(inner, key, place, role));
    if (typeof part !== 'function' || role === 'value') return part;
    return role === 'guard'
      ? watch.watchGuard(part as Crafted, place)
      : watch.watchAction(part as Crafted, place, implementations);
  };
  const keyIn = (part: unknown, key: string, place: string, role: Role): unknown => {
    if (kept.has(key)) return part;
    if (values.has(key)) return valueIn(part, key, `${place} ${key}`, role);
    if (named.has(key) && isObject(part)) {
      return mapped(part, (inner, name) => partIn(inner, key === 'states' ? `${place}.${name}` : `${place} ${name}`, role));
    }
    return partIn(part, placeOf(place, key, part), roles[key] ?? role);
  };
  return partIn(config, id, 'value') as object;
};

const each = (functions: Named, change: (part: Crafted, name: string) => unknown): object =>
  mapped(functions, (part, name) => (typeof part === 'function' ? change(part as Crafted, name) : part));

/** A machine of the same states and transitions that tells `watch` of all that its functions do. */
export const watchedMachine = (machine: AnyStateMachine, watch: Watch): AnyStateMachine => {
  const implementations = machine.implementations as Implementations;
  const { actors, actions, guards, delays } = implementations;
  const config = watchedConfig(machine.config as object, machine.id, implementations, watch);
  return createMachine(
    config as Parameters<typeof createMachine>[0],
    {
      actors,
      actions: each(actions, (action, name) => watch.watchAction(action, `action ${name}`, implementations)),
      guards: each(guards, (guard, name) => watch.watchGuard(guard, `guard ${name}`)),
      delays: each(delays, (delay, name) => watch.watchValue(delay, `delay ${name}`, 'parameter')),
    } as object,
  ) as AnyStateMachine;
};
