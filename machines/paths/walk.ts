import type { AnyStateMachine } from 'xstate';
import { getEvents, type Cases, type Edge, type Node } from './explore.ts';
import { createStepper } from './stepper.ts';

/** Seeded random numbers from 0 (inclusive) to 1 (exclusive) (mulberry32). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export type WalkOptions = {
  seed: number;
  /** The maximum number of steps. */
  length: number;
  /** Ends the walk after the edge for which it is true. */
  stop?: (edge: Edge) => boolean;
  cases?: Cases;
  input?: unknown;
};

/**
 * A random walk from the machine's start; the same seed gives the same walk. It steps the machine
 * itself, not its explored graph: the graph has only one snapshot of each kind, so only walks reach
 * contexts that take many steps (the fifth retry, the third title in a row). Every edge is exact
 * and fires a transition; if a guard refuses an event, another one is drawn. The walk is shorter
 * than `length` if the machine is done or accepts no event.
 * @throws any error of the machine
 */
export const walkRandomly = (machine: AnyStateMachine, options: WalkOptions): Edge[] => {
  const { seed, length, stop = () => false, cases = {}, input } = options;
  const chance = seededRandom(seed);
  const stepper = createStepper(machine);

  const stepFrom = (from: Node): Edge | null => {
    const untried = getEvents(from.snapshot, cases);
    while (untried.length > 0) {
      const [event] = untried.splice(Math.floor(chance() * untried.length), 1);
      if (!event) break;
      const { snapshot, fired } = stepper.step(from.snapshot, event);
      if (fired.length > 0) return { from, to: { id: from.id + 1, snapshot, out: [] }, event, fired, exact: true };
    }
    return null;
  };

  const taken: Edge[] = [];
  let at: Node = { id: 0, snapshot: stepper.start(input).snapshot, out: [] };
  while (taken.length < length) {
    const edge = stepFrom(at);
    if (!edge) break;
    at.out.push(edge);
    taken.push(edge);
    if (stop(edge)) break;
    at = edge.to;
  }
  return taken;
};
