import * as fc from 'fast-check';
import type { AnyEventObject, AnyStateMachine, AnyStateNode } from 'xstate';
import type { Counterexample } from '../../machines/paths/check-rules.ts';
import type { Edge, Node } from '../../machines/paths/explore.ts';
import { notPlainIn } from '../../machines/paths/purity-values.ts';
import { brokenIn, memoryOf, type Rule } from '../../machines/paths/rules.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { transitionsOf } from '../../machines/paths/transitions.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

export type HuntOptions = {
  /** The same seed makes the same paths, in the same order. */
  seed: number;
  /** For how long new paths are tried; what was found is made shorter afterwards. */
  milliseconds: number;
  /** Events of a path at most, those that its state does not take among them. */
  length?: number;
  /** Paths at most. */
  paths?: number;
};

/** What a hunt has looked at; `found` is null where every rule held. */
export type Hunted = { paths: number; steps: number; found: Counterexample | null };

/** A seed for a hunt that has none. */
export const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);

/** Every event of a machine, once for each case. */
const everyEvent = ({ machine, cases = {} }: PathModel): AnyEventObject[] => {
  const types = new Set(transitionsOf(machine).map(({ eventType }) => String(eventType)));
  types.delete('');
  return [...types].flatMap((type) => (cases[type] ?? [{}]).map((payload) => ({ type, ...payload })));
};

const broken = (rule: string, says: string, steps: Edge[]): Counterexample => ({ rule, says, steps });

/** Leads machines from their starts through events, and says of each path which rule it breaks first. */
const createRun = ({ machine, input }: { machine: AnyStateMachine; input?: unknown }, rules: readonly Rule[]) => {
  const stepper = createStepper(machine);
  const { start, next } = memoryOf(rules);
  const takenIn = ({ snapshot }: Node): Set<string> =>
    new Set(
      snapshot.status === 'active' ? (snapshot._nodes as AnyStateNode[]).flatMap((node) => [...node.transitions.keys()]) : [],
    );
  const wrongIn = ({ snapshot, memory }: Node, steps: Edge[]): Counterexample | null => {
    const [first] = brokenIn(memory);
    if (first) return broken(rules[first.at]?.name ?? '', first.says, steps);
    const [path] = notPlainIn(snapshot.context);
    return path ? broken('a context is plain JSON', `${path.path} is ${path.is}`, steps) : null;
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
        found = broken('no step throws', String(error), steps);
      }
    }
    return { steps, found };
  };
};

/**
 * Leads a machine through random events and answers from its start, and looks whether each rule about steps holds, no step
 * throws and contexts stay plain JSON. Of the first path that breaks something, fast-check looks for one that is as short as
 * possible: every event of it is needed.
 */
export const hunt = (model: PathModel, rules: readonly Rule[], options: HuntOptions): Hunted => {
  const { seed, milliseconds, length = 100, paths: most = 100_000 } = options;
  const run = createRun(model, rules);
  const until = performance.now() + milliseconds;
  const hunted: Hunted = { paths: 0, steps: 0, found: null };
  const holds = (events: readonly AnyEventObject[]): boolean => {
    const { steps, found } = run(events);
    hunted.paths += 1;
    hunted.steps += steps.length;
    hunted.found = found ?? hunted.found;
    return found === null;
  };
  const events = everyEvent(model);
  if (events.length === 0) return { ...hunted, found: run([]).found };
  const path = fc.noBias(fc.array(fc.constantFrom(...events), { maxLength: length, size: 'max' }));
  const values = fc.check(
    fc.property(path, (chosen) => {
      // Who has found something goes on until it is as short as it can be.
      fc.pre(hunted.found !== null || performance.now() < until);
      return holds(chosen);
    }),
    { seed, numRuns: most, maxSkipsPerRun: 0 },
  );
  const [shortest] = values.counterexample ?? [];
  return shortest === undefined || hunted.found === null ? { ...hunted, found: null } : { ...hunted, found: run(shortest).found };
};
