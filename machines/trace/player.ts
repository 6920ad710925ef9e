import type { AnyActor, AnyStateMachine } from 'xstate';
import type { Step, Trace } from './format.ts';
import { replay, type Divergence, type Moment } from './replay.ts';

/**
 * A position in a trace: the moment after a step of a run. Runs and their steps are counted from 0.
 */
export type Position = { run: number; step: number; recorded: Step; moment: Moment };

/** Plays a trace; positions are counted from 0 over all runs. */
export type Player = {
  /**
   * The positions of all replayable steps; a run that diverges ends with the diverging step.
   */
  positions: readonly Position[];
  /** The first divergence of each run that diverges; the other runs are unaffected. */
  divergences: readonly (Divergence & { run: number })[];
  /** The number of the current position. */
  at: () => number;
  current: () => Position;
  /** Moves to the next position; returns false at the last one. */
  forward: () => boolean;
  /** Moves to the previous position; returns false at the first one. */
  back: () => boolean;
  /**
   * Moves to a position; a number outside the range is clamped.
   * @throws RangeError if `to` is not an integer
   */
  jump: (to: number) => Position;
  /**
   * Creates a root actor in the state of the current position, for rendering screens; its effects
   * are inert.
   */
  root: () => AnyActor;
};

/**
 * Replays every run of a trace, and moves to the first step.
 * @throws RangeError if the trace has no steps
 */
export const play = (machine: AnyStateMachine, { runs }: Trace): Player => {
  const replays = runs.map((run) => replay(machine, run));
  const positions = replays.flatMap(({ steps, moments }, run) =>
    moments.flatMap((moment, step): Position[] => {
      const recorded = steps[step];
      return recorded ? [{ run, step, recorded, moment }] : [];
    }),
  );
  let currentIndex = 0;
  const current = (): Position => {
    const position = positions[currentIndex];
    if (!position) throw new RangeError('The trace has no steps.');
    return position;
  };
  const goTo = (to: number): boolean => {
    const previousIndex = currentIndex;
    currentIndex = Math.min(Math.max(to, 0), positions.length - 1);
    return currentIndex !== previousIndex;
  };
  current();
  return {
    positions,
    divergences: replays.flatMap(({ divergence }, run) => (divergence ? [{ run, ...divergence }] : [])),
    at: () => currentIndex,
    current,
    forward: () => goTo(currentIndex + 1),
    back: () => goTo(currentIndex - 1),
    jump: (to) => {
      if (!Number.isInteger(to)) throw new RangeError(`Expected an integer as the position, got ${to}.`);
      goTo(to);
      return current();
    },
    root: () => {
      const { run, step } = current();
      const recordedRun = runs[run];
      if (!recordedRun) throw new RangeError(`The trace has no run ${run}; it has ${runs.length}.`);
      return replay(machine, recordedRun, { upTo: step }).root;
    },
  };
};
