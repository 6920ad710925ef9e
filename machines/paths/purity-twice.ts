import type { AnyStateMachine } from 'xstate';
import { explore, type Edge, type ExploreOptions } from './explore.ts';
import { hashOf } from './hash.ts';
import { createStepper, type Effect } from './stepper.ts';
import { nameOf } from './transitions.ts';
import { walk } from './walk.ts';

/**
 * One recorded step: the state and the event, the fired transitions, and the hash of all results.
 */
export type TransitionResult = { place: string; fired: readonly string[]; outcome: string };

const stateOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const hashed = (value: unknown): string => hashOf(JSON.stringify(value)).toString(36);

/** Messages to ports and other machines; a watched machine executes its own actions itself. */
const toldBy = (effects: readonly Effect[]): Effect[] => effects.filter(({ kind }) => kind !== 'action');

const takenOn = ({ from, to, event, fired }: Edge, effects: readonly Effect[]): TransitionResult => ({
  place: `${stateOf(from.snapshot.value)} ${event.type}`,
  fired: fired.map(nameOf),
  outcome: hashed([to.snapshot.value, to.snapshot.context, toldBy(effects)]),
});

/** All steps of a machine on its paths and on some random walks, in a deterministic order. */
export const takenBy = (machine: AnyStateMachine, { cases = {}, input, limit }: ExploreOptions): TransitionResult[] => {
  const stepper = createStepper(machine);
  const { snapshot, fired, effects } = stepper.start(input);
  const start = {
    place: 'start',
    fired: fired.map(nameOf),
    outcome: hashed([snapshot.value, snapshot.context, toldBy(effects)]),
  };
  // Few snapshots suffice: the check is only whether they are reproducible, and walks reach further
  // ones.
  const { edges } = explore(machine, { cases, input, ...(limit === undefined ? {} : { limit }) });
  const steps = edges.map((edge) => takenOn(edge, stepper.step(edge.from.snapshot, edge.event).effects));
  const walked = [0, 1].flatMap((seed) => walk(machine, { cases, input, seed, length: 40 }));
  return [start, ...steps, ...walked.map((edge) => takenOn(edge, []))];
};

/** The first place where repeating the same path gave a different result, or null. */
export const firstOther = (once: readonly TransitionResult[], again: readonly TransitionResult[]): string | null => {
  const keys = (taken: readonly TransitionResult[]): string[] => taken.map((each) => JSON.stringify(each));
  const [before, after] = [keys(once), keys(again)];
  const at = Array.from({ length: Math.max(once.length, again.length) }).findIndex((_, index) => before[index] !== after[index]);
  return (once[at] ?? again[at])?.place ?? null;
};
