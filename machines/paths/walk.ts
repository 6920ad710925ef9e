import type { AnyStateMachine } from 'xstate';
import { getEvents, type Cases, type Edge, type Node } from './explore.ts';
import { createStepper } from './stepper.ts';

/**
 * Returns a seeded generator of random numbers from 0 (inclusive) to 1 (exclusive) (mulberry32).
 */
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
  /** The walk ends after the first edge for which this is true. */
  stop?: (edge: Edge) => boolean;
  cases?: Cases;
  input?: unknown;
};

/**
 * A random walk from the machine's start; the same seed gives the same walk. The walk steps the
 * machine itself, not its explored graph, which has only one snapshot of each kind: only walks
 * reach contexts that take many steps (the fifth retry, the third title in a row). Every edge is
 * exact and fires a transition; if a guard refuses an event, another event is chosen. The walk is
 * shorter than `length` if the machine is done or accepts no event.
 * @throws any error of the machine
 */
export const walkRandomly = (machine: AnyStateMachine, options: WalkOptions): Edge[] => {
  const { seed, length, stop = () => false, cases = {}, input } = options;
  const random = seededRandom(seed);
  const stepper = createStepper(machine);

  const stepRandomly = (from: Node): Edge | null => {
    const untriedEvents = getEvents(from.snapshot, cases);
    while (untriedEvents.length > 0) {
      const [event] = untriedEvents.splice(Math.floor(random() * untriedEvents.length), 1);
      if (!event) break;
      const { snapshot, fired } = stepper.step(from.snapshot, event);
      if (fired.length > 0) return { from, to: { id: from.id + 1, snapshot, out: [] }, event, fired, exact: true };
    }
    return null;
  };

  const edges: Edge[] = [];
  let current: Node = { id: 0, snapshot: stepper.start(input).snapshot, out: [] };
  while (edges.length < length) {
    const edge = stepRandomly(current);
    if (!edge) break;
    current.out.push(edge);
    edges.push(edge);
    if (stop(edge)) break;
    current = edge.to;
  }
  return edges;
};
