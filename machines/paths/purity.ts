import { createMachine, type AnyStateMachine } from 'xstate';
import { explore, type ExploreOptions, type Graph } from './explore.ts';
import { readDefinition, type Crafted, type Named } from './purity-definition.ts';
import { poisoned } from './purity-poison.ts';
import { createWatch } from './purity-watch.ts';
import { nameOf } from './transitions.ts';

/**
 * What keeps a machine from being replayed. `place` names the state, transition, action, guard, delay or actor, and the
 * path of the key where a value is at fault: `action keepTitle context.title.bought`.
 */
export type Finding = { machine: string; place: string; fault: string };

type Watch = ReturnType<typeof createWatch>;
type Implementations = Record<'actors' | 'actions' | 'guards' | 'delays', Named>;
type Role = 'value' | 'guard' | 'action';

/** Keys of a definition under which values stand that are not the machine's to run. */
const kept = new Set(['meta', 'src', 'tags', 'types', 'schemas']);
const values = new Set(['context', 'input', 'output', 'params']);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const placeOf = (place: string, key: string, part: unknown): string => {
  const { id, type } = isObject(part) ? (part as { id?: string; type?: string }) : {};
  return [place, key, type ?? id ?? ''].join(' ').trimEnd();
};

/** A definition whose functions are all watched, each at its place in it. */
const watchedConfig = (config: object, id: string, named: Implementations, watch: Watch): object => {
  const watched = (part: unknown, place: string, role: Role): unknown => {
    if (typeof part === 'function') {
      if (role === 'guard') return watch.watchGuard(part as Crafted, place);
      return role === 'action' ? watch.watchAction(part as Crafted, place, named) : part;
    }
    if (Array.isArray(part)) return part.map((each: unknown, at) => watched(each, placeOf(place, `${at}`, each), role));
    return isObject(part) ? watchedIn(part, place, role) : part;
  };
  const watchedIn = (parent: object, place: string, role: Role): object => {
    const entries = Object.entries(parent).map(([key, part]: [string, unknown]) => {
      if (kept.has(key)) return [key, part];
      if (values.has(key)) {
        if (typeof part !== 'function') {
          if (key !== 'params') watch.readValue(`${place} ${key}`, part);
          return [key, part];
        }
        const use = key === 'params' && role !== 'guard' ? 'parameter' : role === 'guard' ? 'guard' : 'value';
        return [key, watch.watchValue(part as Crafted, `${place} ${key}`, use)];
      }
      if (key === 'states' && isObject(part)) {
        const states = Object.entries(part).map(([name, state]) => [name, watchedIn(state as object, `${place}.${name}`, role)]);
        return [key, Object.fromEntries(states) as object];
      }
      const isAction = key === 'actions' || key === 'entry' || key === 'exit';
      return [key, watched(part, placeOf(place, key, part), key === 'guard' ? 'guard' : isAction ? 'action' : role)];
    });
    return Object.fromEntries(entries) as object;
  };
  return watchedIn(config, id, 'value');
};

const each = (named: Named, watched: (part: Crafted, name: string) => unknown): Named =>
  Object.fromEntries(
    Object.entries(named).map(([name, part]) => [name, typeof part === 'function' ? watched(part as Crafted, name) : part]),
  );

const watchedMachine = (machine: AnyStateMachine, watch: Watch): AnyStateMachine => {
  const named = machine.implementations as Implementations;
  const config = watchedConfig(machine.config as object, machine.id, named, watch);
  const implementations = {
    actors: named.actors,
    actions: each(named.actions, (action, name) => watch.watchAction(action, `action ${name}`, named)),
    guards: each(named.guards, (guard, name) => watch.watchGuard(guard, `guard ${name}`)),
    delays: each(named.delays, (delay, name) => watch.watchValue(delay, `delay ${name}`, 'parameter')),
  };
  return createMachine(config as Parameters<typeof createMachine>[0], implementations as object) as AnyStateMachine;
};

/** An argument that can be read, called and written out, whatever a port expects of it. */
const anything: unknown = new Proxy(() => {}, {
  get: (_, key) => {
    if (key === Symbol.toPrimitive) return () => 'anything';
    return typeof key === 'symbol' || key === 'then' ? undefined : anything;
  },
  apply: () => anything,
});

/** Calls each port's effect, which must not be there yet: what touches the world belongs to the ports' own floor. */
const callPorts = (actors: Named, watch: Watch) => {
  for (const [name, logic] of Object.entries(actors)) {
    const { start, config } = logic as { start?: unknown; config?: unknown };
    if (start === undefined || typeof config !== 'function') continue;
    try {
      const promised = watch.inside(`actor ${name}`, () => (config as Crafted)(anything));
      if (promised instanceof Promise) promised.catch(() => {});
    } catch {
      // A port that is not provided says so by throwing.
    }
  }
};

const firedIn = (graph: Graph): string[] => [...graph.firedAtStart, ...graph.edges.flatMap(({ fired }) => fired)].map(nameOf);

/**
 * Explores a machine with the clock, chance, the network, timers and storage poisoned and with contexts, events and inputs
 * frozen, reads its definition, and calls its ports. An empty list is a machine that a trace can replay.
 */
export const purityOf = (machine: AnyStateMachine, options: ExploreOptions = {}): Finding[] => {
  const findings = new Map<string, Finding>();
  const report = (place: string, fault: string) => {
    findings.set(`${place}: ${fault}`, { machine: machine.id, place, fault });
  };
  readDefinition(machine, report);
  const watch = createWatch(report);
  const watched = poisoned(watch.touch, () => {
    callPorts(machine.implementations.actors as Named, watch);
    try {
      return explore(watchedMachine(machine, watch), options);
    } catch (error) {
      // A circle or a bigint stops the exploration itself; what was found says which.
      if (findings.size === 0) throw error;
      return null;
    }
  });
  // Finding nothing is worth nothing where the watched machine did not go.
  if (watched !== null && findings.size === 0) {
    const reached = new Set(firedIn(watched));
    const lost = firedIn(explore(machine, options)).filter((name) => !reached.has(name));
    for (const name of lost) report(name, 'is not taken when the machine is watched');
  }
  return [...findings.values()];
};
