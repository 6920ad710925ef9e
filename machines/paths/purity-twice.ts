import type { AnyStateMachine } from 'xstate';
import { explore, type Edge, type ExploreOptions } from './explore.ts';
import { hashOf } from './hash.ts';
import { createStepper, type Effect } from './stepper.ts';
import { nameOf } from './transitions.ts';
import { walk } from './walk.ts';

/** What a machine did once: in which state on which event, by which transitions, and the hash of all that became of it. */
export type Taken = { place: string; fired: readonly string[]; outcome: string };

const stateOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const hashed = (value: unknown): string => hashOf(JSON.stringify(value)).toString(36);

/** What ports and other machines are told; a watched machine carries out actions of its own by itself. */
const toldBy = (effects: readonly Effect[]): Effect[] => effects.filter(({ kind }) => kind !== 'action');

const takenOn = ({ from, to, event, fired }: Edge, effects: readonly Effect[]): Taken => ({
  place: `${stateOf(from.snapshot.value)} ${event.type}`,
  fired: fired.map(nameOf),
  outcome: hashed([to.snapshot.value, to.snapshot.context, toldBy(effects)]),
});

/** Everything that a machine does on its paths and on some random walks, in an order that is always the same. */
export const takenBy = (machine: AnyStateMachine, { cases = {}, input, limit }: ExploreOptions): Taken[] => {
  const stepper = createStepper(machine);
  const { snapshot, fired, effects } = stepper.start(input);
  const start = {
    place: 'start',
    fired: fired.map(nameOf),
    outcome: hashed([snapshot.value, snapshot.context, toldBy(effects)]),
  };
  // Few snapshots are enough: what is asked is whether they come out the same again, and walks meet further ones.
  const { edges } = explore(machine, { cases, input, ...(limit === undefined ? {} : { limit }) });
  const steps = edges.map((edge) => takenOn(edge, stepper.step(edge.from.snapshot, edge.event).effects));
  const walked = [0, 1].flatMap((seed) => walk(machine, { cases, input, seed, length: 40 }));
  return [start, ...steps, ...walked.map((edge) => takenOn(edge, []))];
};

/** The first place where the same way came out otherwise; null where there is none. */
export const firstOther = (once: readonly Taken[], again: readonly Taken[]): string | null => {
  const keys = (taken: readonly Taken[]): string[] => taken.map((each) => JSON.stringify(each));
  const [before, after] = [keys(once), keys(again)];
  const at = Array.from({ length: Math.max(once.length, again.length) }).findIndex((_, index) => before[index] !== after[index]);
  return (once[at] ?? again[at])?.place ?? null;
};
