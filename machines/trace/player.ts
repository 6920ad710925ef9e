import type { AnyActor, AnyStateMachine } from 'xstate';
import type { Step, Trace } from './format.ts';
import { replay, type Divergence, type Moment } from './replay.ts';

/** A position in a trace: after a step of one of its runs. Runs and their steps are counted from 0. */
export type Position = { run: number; step: number; recorded: Step; moment: Moment };

/** Plays a trace; positions are counted from 0 over all runs. */
export type Player = {
  /** Every step that could be replayed: of a run that diverges those up to and with the step that does. */
  positions: readonly Position[];
  /** The first divergence of each run that has one; the other runs are not touched by it. */
  divergences: readonly (Divergence & { run: number })[];
  /** The number of the current position. */
  at: () => number;
  current: () => Position;
  /** False at the last position, which stays the current one. */
  forward: () => boolean;
  /** False at the first position, which stays the current one. */
  back: () => boolean;
  /** Goes to a position; beyond the ends to the last or the first. @throws RangeError when `to` is not a whole number. */
  jump: (to: number) => Position;
  /** A new root actor in the state of the current position, to render screens from; its effects do nothing. */
  root: () => AnyActor;
};

/**
 * Replays every run of a trace, then goes to its first step.
 * @throws RangeError when the trace has no steps.
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
      if (!Number.isInteger(to)) throw new RangeError(`${to} is no position.`);
      goTo(to);
      return current();
    },
    root: () => {
      const { run, step } = current();
      const played = runs[run];
      if (!played) throw new RangeError(`There is no run ${run}.`);
      return replay(machine, played, { upTo: step }).root;
    },
  };
};
