import type { AnyStateMachine } from 'xstate';
import { explore, type Edge, type ExploreOptions } from './explore.ts';
import { hashText } from './hash.ts';
import { createStepper, type Effect } from './stepper.ts';
import { getTransitionName } from './transitions.ts';
import { walkRandomly } from './walk.ts';

/**
 * One recorded step: the state and the event, the fired transitions, and the hash of the resulting
 * snapshot and effects.
 */
export type TransitionResult = { place: string; fired: readonly string[]; outcome: string };

const stateText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const hashValue = (value: unknown): string => hashText(JSON.stringify(value)).toString(36);

/** Drops the machine's own actions, which a watched machine executes itself. */
const withoutOwnActions = (effects: readonly Effect[]): Effect[] => effects.filter(({ kind }) => kind !== 'action');

const toTransitionResult = ({ from, to, event, fired }: Edge, effects: readonly Effect[]): TransitionResult => ({
  place: `${stateText(from.snapshot.value)} ${event.type}`,
  fired: fired.map(getTransitionName),
  outcome: hashValue([to.snapshot.value, to.snapshot.context, withoutOwnActions(effects)]),
});

/** Records all steps of a machine's exploration and of two random walks, in deterministic order. */
export const recordSteps = (machine: AnyStateMachine, { cases = {}, input, limit }: ExploreOptions): TransitionResult[] => {
  const stepper = createStepper(machine);
  const { snapshot, fired, effects } = stepper.start(input);
  const start = {
    place: 'start',
    fired: fired.map(getTransitionName),
    outcome: hashValue([snapshot.value, snapshot.context, withoutOwnActions(effects)]),
  };
  // One snapshot of each kind suffices: only reproducibility is checked, and walks reach further
  // snapshots.
  const { edges } = explore(machine, { cases, input, ...(limit === undefined ? {} : { limit }) });
  const steps = edges.map((edge) => toTransitionResult(edge, stepper.step(edge.from.snapshot, edge.event).effects));
  const walkedEdges = [0, 1].flatMap((seed) => walkRandomly(machine, { cases, input, seed, length: 40 }));
  return [start, ...steps, ...walkedEdges.map((edge) => toTransitionResult(edge, []))];
};

/** The place of the first step whose result differs between two recordings; null without one. */
export const findFirstDifference = (first: readonly TransitionResult[], second: readonly TransitionResult[]): string | null => {
  const serialize = (results: readonly TransitionResult[]): string[] => results.map((each) => JSON.stringify(each));
  const [firstKeys, secondKeys] = [serialize(first), serialize(second)];
  const length = Math.max(first.length, second.length);
  const index = Array.from({ length }).findIndex((_, position) => firstKeys[position] !== secondKeys[position]);
  return (first[index] ?? second[index])?.place ?? null;
};
