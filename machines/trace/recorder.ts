import type { AnyActor } from 'xstate';
import { checkpointOf } from './checkpoint.ts';
import type { Input, Run, Step } from './format.ts';
import { observe } from './observe.ts';
import { plainOf, type Redact } from './plain.ts';

/** Bounds of what is kept; sizes in characters of JSON, ages in milliseconds. */
export type Limits = {
  /** All runs together. */
  size: number;
  /** How long ago a kept run may have ended. */
  age: number;
  /** A run beyond either goes on in a new one from a checkpoint. */
  runSize: number;
  runAge: number;
};

export const limits: Limits = { size: 2_000_000, age: 30 * 60_000, runSize: 400_000, runAge: 5 * 60_000 };

/** A run as it is kept: `head` is the run without its steps, each step is JSON already; beyond `limit` it goes on in a new one. */
export type Kept = { startedAt: number; endedAt: number; head: Omit<Run, 'steps'>; steps: string[]; size: number; limit: number };

export const runOf = ({ head, steps }: Kept): Run => ({ ...head, steps: steps.map((step) => JSON.parse(step) as Step) });

/**
 * Writes down what was tapped, in runs: the oldest whole runs are dropped first, and a run that outgrows its bounds goes on
 * in a new one from a checkpoint. `root` is asked for only then.
 */
export const createRecorder = (input: unknown, startedAt: number, redact: Redact, bounds: Limits, root: () => AnyActor) => {
  const begun = (at: number, from?: Run['from']): Kept => {
    const head = { startedAt: at, input: plainOf(input, redact), ...(from ? { from } : {}) };
    const size = JSON.stringify(head).length;
    return { startedAt: at, endedAt: at, head, steps: [], size, limit: size + bounds.runSize };
  };
  const startOf = (): Step => ({ at: 0, input: { kind: 'start' }, frames: [] });

  let kept: Kept[] = [begun(startedAt)];
  let current = kept[0] as Kept;
  /** Its frames may still come. */
  let open: Step = startOf();

  const write = (): void => {
    const text = JSON.stringify(open);
    current.steps.push(text);
    current.size += text.length + 1;
  };

  const { take, begin, isAtRest, nameOf } = observe({
    redact,
    onInput: (news: Input, at) => {
      write();
      open = { at: at - current.startedAt, input: news, frames: [] };
      current.endedAt = at;
    },
    onFrame: (frame) => open.frames.push(frame),
  });

  const goOn = (now: number): void => {
    write();
    const actor = root();
    begin(actor);
    current = begun(now, checkpointOf(actor, nameOf, redact));
    kept.push(current);
    open = startOf();
  };

  const drop = (now: number): void => {
    const sizeFrom = (runs: Kept[]): number => runs.reduce((sum, { size }) => sum + size, 0);
    while (kept.length > 1 && (sizeFrom(kept) > bounds.size || now - (kept[0] as Kept).endedAt > bounds.age))
      kept = kept.slice(1);
  };

  return {
    take,
    /** Keeps to the bounds; to be called between steps. */
    trim: (now: number): void => {
      const isOver = current.size > current.limit || now - current.startedAt > bounds.runAge;
      if (isOver && isAtRest() && current.steps.length > 0) goOn(now);
      drop(now);
    },
    /** The runs so far, the oldest first; none that is too large by itself. */
    runs: (): Kept[] =>
      kept
        .map((run) => (run === current ? { ...run, steps: [...run.steps, JSON.stringify(open)] } : run))
        .filter(({ size }) => size <= bounds.size),
  };
};
