import * as fc from 'fast-check';
import type { AnyEventObject, AnyStateMachine, AnyStateNode } from 'xstate';
import type { Counterexample } from '../../machines/paths/check-rules.ts';
import type { Edge, Node } from '../../machines/paths/explore.ts';
import { findNonPlain } from '../../machines/paths/purity-values.ts';
import { getBroken, createMemory, type Rule } from '../../machines/paths/rules.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { getTransitions } from '../../machines/paths/transitions.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

export type FuzzOptions = {
  /** The same seed generates the same paths, in the same order. */
  seed: number;
  /** Time limit in ms for new paths; shrinking a failure comes on top. */
  milliseconds: number;
  /** Maximum number of events in a path, including those that its state does not take. */
  length?: number;
  /** Maximum number of paths. */
  paths?: number;
};

/** The extent of a fuzzing run; `found` is null if every rule held. */
export type HuntResult = { paths: number; steps: number; found: Counterexample | null };

/** A random seed. */
export const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);

/** Every event of a machine, once for each case. */
const listEvents = ({ machine, cases = {} }: PathModel): AnyEventObject[] => {
  const types = new Set(getTransitions(machine).map(({ eventType }) => String(eventType)));
  types.delete('');
  return [...types].flatMap((type) => (cases[type] ?? [{}]).map((payload) => ({ type, ...payload })));
};

const toCounterexample = (rule: string, says: string, steps: Edge[]): Counterexample => ({ rule, says, steps });

/**
 * Sends events to machines from their starts, and reports the first rule that each path violates.
 */
const createRun = ({ machine, input }: { machine: AnyStateMachine; input?: unknown }, rules: readonly Rule[]) => {
  const stepper = createStepper(machine);
  const { start, next } = createMemory(rules);
  const takenIn = ({ snapshot }: Node): Set<string> =>
    new Set(
      snapshot.status === 'active' ? (snapshot._nodes as AnyStateNode[]).flatMap((node) => [...node.transitions.keys()]) : [],
    );
  const wrongIn = ({ snapshot, memory }: Node, steps: Edge[]): Counterexample | null => {
    const [first] = getBroken(memory);
    if (first) return toCounterexample(rules[first.at]?.name ?? '', first.says, steps);
    const [path] = findNonPlain(snapshot.context);
    return path ? toCounterexample('a context is plain JSON', `${path.path} is ${path.is}`, steps) : null;
  };
  return (events: readonly AnyEventObject[]): { steps: Edge[]; found: Counterexample | null } => {
    const steps: Edge[] = [];
    const first = stepper.start(input);
    const begun = next(start, { before: null, event: { type: 'xstate.init', input }, ...first });
    let at: Node = { id: 0, snapshot: first.snapshot, out: [], memory: begun };
    let taken = takenIn(at);
    let found = wrongIn(at, steps);
    for (const event of events) {
      if (found) break;
      if (!taken.has(event.type)) continue;
      try {
        const step = stepper.step(at.snapshot, event);
        const memory = next(at.memory, { before: at.snapshot, event, ...step });
        const to: Node = { id: at.id + 1, snapshot: step.snapshot, out: [], memory };
        steps.push({ from: at, to, event, fired: step.fired, exact: true });
        at = to;
        taken = takenIn(at);
        found = wrongIn(at, steps);
      } catch (error) {
        steps.push({ from: at, to: at, event, fired: [], exact: true });
        found = toCounterexample('no step throws', String(error), steps);
      }
    }
    return { steps, found };
  };
};

/**
 * Fuzzes a machine with random events and answers from its start. Checks that each rule about steps
 * holds, no step throws and contexts stay plain JSON. fast-check shrinks the first failing path
 * until every event of it is needed.
 */
export const fuzz = (model: PathModel, rules: readonly Rule[], options: FuzzOptions): HuntResult => {
  const { seed, milliseconds, length = 100, paths: most = 100_000 } = options;
  const run = createRun(model, rules);
  const until = performance.now() + milliseconds;
  const fuzzed: HuntResult = { paths: 0, steps: 0, found: null };
  const holds = (events: readonly AnyEventObject[]): boolean => {
    const { steps, found } = run(events);
    fuzzed.paths += 1;
    fuzzed.steps += steps.length;
    fuzzed.found = found ?? fuzzed.found;
    return found === null;
  };
  const events = listEvents(model);
  if (events.length === 0) return { ...fuzzed, found: run([]).found };
  const path = fc.noBias(fc.array(fc.constantFrom(...events), { maxLength: length, size: 'max' }));
  const values = fc.check(
    fc.property(path, (chosen) => {
      // After a failure, the time limit is ignored until it is shrunk.
      fc.pre(fuzzed.found !== null || performance.now() < until);
      return holds(chosen);
    }),
    { seed, numRuns: most, maxSkipsPerRun: 0 },
  );
  const [shortest] = values.counterexample ?? [];
  return shortest === undefined || fuzzed.found === null ? { ...fuzzed, found: null } : { ...fuzzed, found: run(shortest).found };
};
