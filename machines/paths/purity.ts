import type { AnyStateMachine } from 'xstate';
import { explore, type ExploreOptions, type Graph } from './explore.ts';
import { watchMachine } from './purity-config.ts';
import { readDefinition, type CraftedAction, type NamedImplementations } from './purity-definition.ts';
import { withForbiddenGlobals } from './purity-globals.ts';
import { findFirstDifference, runOnce, type TransitionResult } from './purity-twice.ts';
import { createWatch, type Watch } from './purity-watch.ts';
import { getTransitionName } from './transitions.ts';
import { walkRandomly } from './walk.ts';

/**
 * A fault that prevents a replay. `place` names the state, transition, action, guard, delay or
 * actor, and the key path if a value is at fault: `action keepTitle context.title.bought`.
 */
export type PurityFault = { machine: string; place: string; fault: string };

/** An argument for any port: it can be read, called and serialised. */
const anyValue: unknown = new Proxy(() => {}, {
  get: (_, key) => {
    if (key === Symbol.toPrimitive) return () => 'anything';
    return typeof key === 'symbol' || key === 'then' ? undefined : anyValue;
  },
  apply: () => anyValue,
});

/**
 * Calls each port's effect, which must not be implemented yet: access to the outside belongs to the
 * client's layer.
 */
const startPorts = (actors: NamedImplementations, watch: Watch) => {
  for (const [name, logic] of Object.entries(actors)) {
    const { start, config } = logic as { start?: unknown; config?: unknown };
    if (start === undefined || typeof config !== 'function') continue;
    try {
      const promised = watch.inside(`actor ${name}`, () => (config as CraftedAction)(anyValue));
      if (promised instanceof Promise) promised.catch(() => {});
    } catch {
      // A port without an implementation throws.
    }
  }
};

const getFiredNames = (graph: Graph): string[] =>
  [...graph.firedAtStart, ...graph.edges.flatMap(({ fired }) => fired)].map(getTransitionName);

export type PurityOptions = ExploreOptions & {
  /**
   * Random walks of 40 steps in addition to the exploration, which keeps only one context of each
   * kind.
   */
  walks?: number;
  /**
   * The result of `takenBy` for the same machine at another time, in another time zone and
   * language.
   */
  elsewhere?: readonly TransitionResult[];
};

/**
 * Explores and walks a machine twice, with traps on the clock, random numbers, network, timers,
 * storage, time zone and language and with frozen contexts, events and inputs; checks its
 * definition and calls its ports. An empty list means that a trace can replay the machine.
 */
export const checkPurity = (machine: AnyStateMachine, options: PurityOptions = {}): PurityFault[] => {
  const findings = new Map<string, PurityFault>();
  const report = (place: string, fault: string) => {
    findings.set(`${place}: ${fault}`, { machine: machine.id, place, fault });
  };
  readDefinition(machine, report);
  const watch = createWatch(report);
  const watched = withForbiddenGlobals(watch.touch, () => {
    startPorts(machine.implementations.actors as NamedImplementations, watch);
    const target = watchMachine(machine, watch);
    try {
      const taken = runOnce(target, options);
      const graph = explore(target, options);
      for (let seed = 0; seed < (options.walks ?? 5); seed += 1) walkRandomly(target, { ...options, seed, length: 40 });
      return { taken, fired: getFiredNames(graph) };
    } catch (error) {
      // A trapped access ends a walk, and a circular reference or a bigint ends the exploration
      // itself; the findings name the cause.
      if (findings.size === 0) throw error;
      return null;
    }
  });
  if (watched !== null && findings.size === 0) {
    const taken = runOnce(machine, options);
    // An empty result proves nothing for transitions that the watched machine did not fire.
    const reached = new Set(watched.fired);
    const lost = taken.flatMap(({ fired }) => fired).filter((name) => !reached.has(name));
    for (const name of lost) report(name, 'does not fire when the machine is watched');
    const again = lost.length === 0 ? findFirstDifference(watched.taken, taken) : null;
    if (again !== null) report(`${machine.id}.${again}`, 'differs when it is repeated');
    const there = options.elsewhere ? findFirstDifference(taken, options.elsewhere) : null;
    if (there !== null) report(`${machine.id}.${there}`, 'differs at another time and in another locale');
  }
  return [...findings.values()];
};
