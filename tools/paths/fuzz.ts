import * as fc from 'fast-check';
import type { AnyEventObject, AnyStateMachine, AnyStateNode } from 'xstate';
import type { Counterexample } from '../../machines/paths/check-rules.ts';
import type { Edge, Node } from '../../machines/paths/explore.ts';
import { findNonPlain } from '../../machines/paths/purity-values.ts';
import { getViolations, createMemory, type Rule } from '../../machines/paths/rules.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { getTransitions } from '../../machines/paths/transitions.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

export type FuzzOptions = {
  /** The same seed generates the same paths, in the same order. */
  seed: number;
  /** Time limit in ms for new paths, without the time for shrinking a failure. */
  milliseconds: number;
  /** Maximum number of events in a path, including those that its state does not take. */
  length?: number;
  /** Maximum number of paths. */
  paths?: number;
};

/** The extent of a fuzzing run; `counterexample` is null if every rule held. */
export type FuzzResult = { paths: number; steps: number; counterexample: Counterexample | null };

/** A random seed. */
export const createSeed = (): number => Math.floor(Math.random() * 2 ** 31);

/** Every event of a machine, once for each case. */
const listEvents = ({ machine, cases = {} }: PathModel): AnyEventObject[] => {
  const types = new Set(getTransitions(machine).map(({ eventType }) => String(eventType)));
  types.delete('');
  return [...types].flatMap((type) => (cases[type] ?? [{}]).map((payload) => ({ type, ...payload })));
};

const toCounterexample = (rule: string, detail: string, steps: Edge[]): Counterexample => ({ rule, message: detail, steps });

/**
 * Creates a function that sends events to a machine from its start, and reports the first rule that
 * they violate.
 */
const createRun = ({ machine, input }: { machine: AnyStateMachine; input?: unknown }, rules: readonly Rule[]) => {
  const stepper = createStepper(machine);
  const { start, next } = createMemory(rules);
  const getHandledEvents = ({ snapshot }: Node): Set<string> =>
    new Set(
      snapshot.status === 'active' ? (snapshot._nodes as AnyStateNode[]).flatMap((node) => [...node.transitions.keys()]) : [],
    );
  const findViolation = ({ snapshot, memory }: Node, steps: Edge[]): Counterexample | null => {
    const [violation] = getViolations(memory);
    if (violation) return toCounterexample(rules[violation.at]?.name ?? '', violation.message, steps);
    const [path] = findNonPlain(snapshot.context);
    return path ? toCounterexample('a context is plain JSON', `${path.path} is ${path.is}`, steps) : null;
  };
  return (events: readonly AnyEventObject[]): { steps: Edge[]; counterexample: Counterexample | null } => {
    const steps: Edge[] = [];
    const initialStep = stepper.start(input);
    const initialMemory = next(start, { before: null, event: { type: 'xstate.init', input }, ...initialStep });
    let current: Node = { id: 0, snapshot: initialStep.snapshot, out: [], memory: initialMemory };
    let handledTypes = getHandledEvents(current);
    let counterexample = findViolation(current, steps);
    for (const event of events) {
      if (counterexample) break;
      if (!handledTypes.has(event.type)) continue;
      try {
        const step = stepper.step(current.snapshot, event);
        const memory = next(current.memory, { before: current.snapshot, event, ...step });
        const target: Node = { id: current.id + 1, snapshot: step.snapshot, out: [], memory };
        steps.push({ from: current, to: target, event, fired: step.fired, exact: true });
        current = target;
        handledTypes = getHandledEvents(current);
        counterexample = findViolation(current, steps);
      } catch (error) {
        steps.push({ from: current, to: current, event, fired: [], exact: true });
        counterexample = toCounterexample('no step throws', String(error), steps);
      }
    }
    return { steps, counterexample };
  };
};

/**
 * Fuzzes a machine with random events and responses from its start. Checks that each rule on steps
 * holds, no step throws and contexts stay plain JSON. fast-check shrinks the first failing path
 * until every event of it is needed.
 */
export const fuzz = (model: PathModel, rules: readonly Rule[], options: FuzzOptions): FuzzResult => {
  const { seed, milliseconds, length = 100, paths: maxPaths = 100_000 } = options;
  const run = createRun(model, rules);
  const deadline = performance.now() + milliseconds;
  const result: FuzzResult = { paths: 0, steps: 0, counterexample: null };
  const holds = (events: readonly AnyEventObject[]): boolean => {
    const { steps, counterexample } = run(events);
    result.paths += 1;
    result.steps += steps.length;
    result.counterexample = counterexample ?? result.counterexample;
    return counterexample === null;
  };
  const events = listEvents(model);
  if (events.length === 0) return { ...result, counterexample: run([]).counterexample };
  const pathArbitrary = fc.noBias(fc.array(fc.constantFrom(...events), { maxLength: length, size: 'max' }));
  const outcome = fc.check(
    fc.property(pathArbitrary, (pathEvents) => {
      // After a failure, the time limit is ignored until it is shrunk.
      fc.pre(result.counterexample !== null || performance.now() < deadline);
      return holds(pathEvents);
    }),
    { seed, numRuns: maxPaths, maxSkipsPerRun: 0 },
  );
  const [shrunkPath] = outcome.counterexample ?? [];
  return shrunkPath === undefined || result.counterexample === null
    ? { ...result, counterexample: null }
    : { ...result, counterexample: run(shrunkPath).counterexample };
};
