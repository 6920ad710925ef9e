import type { AnyStateMachine } from 'xstate';
import { explore, type ExploreOptions, type Graph } from './explore.ts';
import { watchMachine } from './purity-config.ts';
import { checkDefinition, type StoredAction, type NamedImplementations } from './purity-definition.ts';
import { withForbiddenGlobals } from './purity-globals.ts';
import { findFirstDifference, recordSteps, type TransitionResult } from './purity-twice.ts';
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
 * Calls the effect of each port. A machine's ports must have no implementation: access to the
 * outside belongs to the client's layer.
 */
const startPorts = (actors: NamedImplementations, watch: Watch) => {
  for (const [name, logic] of Object.entries(actors)) {
    const { start, config } = logic as { start?: unknown; config?: unknown };
    if (start === undefined || typeof config !== 'function') continue;
    try {
      const result = watch.runAt(`actor ${name}`, () => (config as StoredAction)(anyValue));
      if (result instanceof Promise) result.catch(() => {});
    } catch {
      // A port without an implementation throws.
    }
  }
};

const getFiredNames = (graph: Graph): string[] =>
  [...graph.firedAtStart, ...graph.edges.flatMap(({ fired }) => fired)].map(getTransitionName);

export type PurityOptions = ExploreOptions & {
  /**
   * The number of random walks of 40 steps in addition to the exploration, which keeps only one
   * context of each kind; 5 by default.
   */
  walks?: number;
  /**
   * The result of `recordSteps` for the same machine at another time, in another time zone and
   * language.
   */
  elsewhere?: readonly TransitionResult[];
};

/**
 * Explores and walks a machine with traps on the clock, random numbers, network, timers, storage,
 * time zone and language and with frozen contexts, events and inputs; then repeats its steps
 * without traps and compares the results. Also checks its definition and calls its ports. An empty
 * list means that a trace can replay the machine.
 */
export const checkPurity = (machine: AnyStateMachine, options: PurityOptions = {}): PurityFault[] => {
  const findings = new Map<string, PurityFault>();
  const report = (place: string, fault: string) => {
    findings.set(`${place}: ${fault}`, { machine: machine.id, place: place, fault });
  };
  checkDefinition(machine, report);
  const watch = createWatch(report);
  const watchedRun = withForbiddenGlobals(watch.onAccess, () => {
    startPorts(machine.implementations.actors as NamedImplementations, watch);
    const target = watchMachine(machine, watch);
    try {
      const results = recordSteps(target, options);
      const graph = explore(target, options);
      for (let seed = 0; seed < (options.walks ?? 5); seed += 1) walkRandomly(target, { ...options, seed, length: 40 });
      return { taken: results, fired: getFiredNames(graph) };
    } catch (error) {
      // A trapped access ends a walk, and a circular reference or a bigint ends the exploration;
      // the findings name the cause.
      if (findings.size === 0) throw error;
      return null;
    }
  });
  if (watchedRun !== null && findings.size === 0) {
    const repeatedResults = recordSteps(machine, options);
    // An empty result proves nothing for transitions that the watched machine did not fire.
    const reached = new Set(watchedRun.fired);
    const missingTransitions = repeatedResults.flatMap(({ fired }) => fired).filter((name) => !reached.has(name));
    for (const name of missingTransitions) report(name, 'does not fire when the machine is watched');
    const changedPlace = missingTransitions.length === 0 ? findFirstDifference(watchedRun.taken, repeatedResults) : null;
    if (changedPlace !== null) report(`${machine.id}.${changedPlace}`, 'differs when it is repeated');
    const localeDependentPlace = options.elsewhere ? findFirstDifference(repeatedResults, options.elsewhere) : null;
    if (localeDependentPlace !== null) {
      report(`${machine.id}.${localeDependentPlace}`, 'differs at another time and in another locale');
    }
  }
  return [...findings.values()];
};
