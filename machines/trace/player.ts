import type { AnyActor, AnyStateMachine } from 'xstate';
import type { Step, Trace } from './format.ts';
import { replay, type Divergence, type Moment } from './replay.ts';

/**
 * A position in a trace: after a step of one of its runs. Runs and their steps are counted from 0.
 */
export type Position = { run: number; step: number; recorded: Step; moment: Moment };

/** Plays a trace; positions are counted from 0 over all runs. */
export type Player = {
  /**
   * Every replayable step: for a run that diverges, those up to and including the diverging step.
   */
  positions: readonly Position[];
  /** The first divergence of each run that diverges; the other runs are unaffected. */
  divergences: readonly (Divergence & { run: number })[];
  /** The number of the current position. */
  at: () => number;
  current: () => Position;
  /** False at the last position, which stays the current one. */
  forward: () => boolean;
  /** False at the first position, which stays the current one. */
  back: () => boolean;
  /**
   * Goes to a position; one outside the range is clamped. @throws RangeError if `to` is not an
   * integer.
   */
  jump: (to: number) => Position;
  /**
   * A new root actor in the state of the current position, for rendering screens; its effects are
   * inert.
   */
  root: () => AnyActor;
};

/**
 * Replays every run of a trace, then goes to its first step.
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
  let at = 0;
  const current = (): Position => {
    const position = positions[at];
    if (!position) throw new RangeError('The trace has no steps.');
    return position;
  };
  const goTo = (to: number): boolean => {
    const before = at;
    at = Math.min(Math.max(to, 0), positions.length - 1);
    return at !== before;
  };
  current();
  return {
    positions,
    divergences: replays.flatMap(({ divergence }, run) => (divergence ? [{ run, ...divergence }] : [])),
    at: () => at,
    current,
    forward: () => goTo(at + 1),
    back: () => goTo(at - 1),
    jump: (to) => {
      if (!Number.isInteger(to)) throw new RangeError(`Expected an integer as the position, got ${to}.`);
      goTo(to);
      return current();
    },
    root: () => {
      const { run, step } = current();
      const played = runs[run];
      if (!played) throw new RangeError(`Unknown run: ${run}.`);
      return replay(machine, played, { upTo: step }).root;
    },
  };
};
