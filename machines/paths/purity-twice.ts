import type { AnyStateMachine } from 'xstate';
import { explore, type Edge, type ExploreOptions } from './explore.ts';
import { hashText } from './hash.ts';
import { createStepper, type Effect } from './stepper.ts';
import { getTransitionName } from './transitions.ts';
import { walkRandomly } from './walk.ts';

/**
 * One recorded step: the state and the event, the fired transitions, and the hash of all results.
 */
export type TransitionResult = { place: string; fired: readonly string[]; outcome: string };

const stateText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const hashValue = (value: unknown): string => hashText(JSON.stringify(value)).toString(36);

/** Messages to ports and other machines; a watched machine executes its own actions itself. */
const getEffects = (effects: readonly Effect[]): Effect[] => effects.filter(({ kind }) => kind !== 'action');

const toTransitionResult = ({ from, to, event, fired }: Edge, effects: readonly Effect[]): TransitionResult => ({
  place: `${stateText(from.snapshot.value)} ${event.type}`,
  fired: fired.map(getTransitionName),
  outcome: hashValue([to.snapshot.value, to.snapshot.context, getEffects(effects)]),
});

/** All steps of a machine on its paths and on some random walks, in a deterministic order. */
export const runOnce = (machine: AnyStateMachine, { cases = {}, input, limit }: ExploreOptions): TransitionResult[] => {
  const stepper = createStepper(machine);
  const { snapshot, fired, effects } = stepper.start(input);
  const start = {
    place: 'start',
    fired: fired.map(getTransitionName),
    outcome: hashValue([snapshot.value, snapshot.context, getEffects(effects)]),
  };
  // Few snapshots suffice: the check is only whether they are reproducible, and walks reach further
  // ones.
  const { edges } = explore(machine, { cases, input, ...(limit === undefined ? {} : { limit }) });
  const steps = edges.map((edge) => toTransitionResult(edge, stepper.step(edge.from.snapshot, edge.event).effects));
  const walked = [0, 1].flatMap((seed) => walkRandomly(machine, { cases, input, seed, length: 40 }));
  return [start, ...steps, ...walked.map((edge) => toTransitionResult(edge, []))];
};

/** The first place where repeating the same path gave a different result, or null. */
export const findFirstDifference = (once: readonly TransitionResult[], again: readonly TransitionResult[]): string | null => {
  const keys = (taken: readonly TransitionResult[]): string[] => taken.map((each) => JSON.stringify(each));
  const [before, after] = [keys(once), keys(again)];
  const at = Array.from({ length: Math.max(once.length, again.length) }).findIndex((_, index) => before[index] !== after[index]);
  return (once[at] ?? again[at])?.place ?? null;
};
