import type { AnyStateMachine } from 'xstate';
import { explore, type ExploreOptions, type Graph } from './explore.ts';
import { watchedMachine } from './purity-config.ts';
import { readDefinition, type Crafted, type Named } from './purity-definition.ts';
import { withForbiddenGlobals } from './purity-globals.ts';
import { firstOther, takenBy, type Taken } from './purity-twice.ts';
import { createWatch, type Watch } from './purity-watch.ts';
import { nameOf } from './transitions.ts';
import { walk } from './walk.ts';

/**
 * What keeps a machine from being replayed. `place` names the state, transition, action, guard, delay or actor, and the
 * path of the key where a value is at fault: `action keepTitle context.title.bought`.
 */
export type Finding = { machine: string; place: string; fault: string };

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

export type PurityOptions = ExploreOptions & {
  /** Random walks of 40 steps besides the exploration, to meet contexts of which it keeps only the like. */
  walks?: number;
  /** What the same machine did at another time, in another time zone and language: the answer of `takenBy` there. */
  elsewhere?: readonly Taken[];
};

/**
 * Explores and walks a machine with the clock, chance, the network, timers, storage, time zone and language trapped and with
 * contexts, events and inputs frozen, does so twice, reads its definition, and calls its ports. An empty list is a machine
 * that a trace can replay.
 */
export const purityOf = (machine: AnyStateMachine, options: PurityOptions = {}): Finding[] => {
  const findings = new Map<string, Finding>();
  const report = (place: string, fault: string) => {
    findings.set(`${place}: ${fault}`, { machine: machine.id, place, fault });
  };
  readDefinition(machine, report);
  const watch = createWatch(report);
  const watched = withForbiddenGlobals(watch.touch, () => {
    callPorts(machine.implementations.actors as Named, watch);
    const target = watchedMachine(machine, watch);
    try {
      const taken = takenBy(target, options);
      const graph = explore(target, options);
      for (let seed = 0; seed < (options.walks ?? 5); seed += 1) walk(target, { ...options, seed, length: 40 });
      return { taken, fired: firedIn(graph) };
    } catch (error) {
      // A touch ends a walk, a circle or a bigint the exploration itself; what was found says which.
      if (findings.size === 0) throw error;
      return null;
    }
  });
  if (watched !== null && findings.size === 0) {
    const taken = takenBy(machine, options);
    // Finding nothing is worth nothing where the watched machine did not go.
    const reached = new Set(watched.fired);
    const lost = taken.flatMap(({ fired }) => fired).filter((name) => !reached.has(name));
    for (const name of lost) report(name, 'is not taken when the machine is watched');
    const again = lost.length === 0 ? firstOther(watched.taken, taken) : null;
    if (again !== null) report(`${machine.id}.${again}`, 'comes out otherwise when it is done again');
    const there = options.elsewhere ? firstOther(taken, options.elsewhere) : null;
    if (there !== null) report(`${machine.id}.${there}`, 'comes out otherwise at another time and place');
  }
  return [...findings.values()];
};
