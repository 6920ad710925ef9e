import type { AnyActor } from 'xstate';
import { createCheckpoint } from './checkpoint.ts';
import type { Checkpoint, Reaction, Step, CrossMessage } from './format.ts';
import { observe } from './observe.ts';
import { packHead, packStep } from './pack.ts';
import { toPlain, type Redact } from './plain.ts';
import type { Table } from './table.ts';
import type { TappedEvent } from './tap.ts';

/** Limits of the recording: sizes in characters of JSON, ages in milliseconds. */
export type Limits = {
  /** The maximum total size of all runs. */
  size: number;
  /** The maximum time since the end of a stored run. */
  age: number;
  /** The maximum size of a run; a larger run continues in a new run from a checkpoint. */
  runSize: number;
  /** The maximum duration of a run; a longer run continues in a new run from a checkpoint. */
  runAge: number;
};

const defaultLimits: Limits = { size: 2_000_000, age: 30 * 60_000, runSize: 400_000, runAge: 5 * 60_000 };

/**
 * A stored run. Times are in milliseconds since 1970; `json` returns the run's JSON for the file,
 * `size` is the length of that JSON, and `uses` are the numbers of the table's values in it.
 */
export type RetainedRun = { startedAt: number; endedAt: number; size: number; json: () => string; uses: ReadonlySet<number> };

type Recorder = {
  take: (tapped: TappedEvent) => void;
  /** Enforces the limits; must be called between steps. @param clock in milliseconds since 1970 */
  trim: (clock: number) => void;
  /**
   * The runs so far, oldest first, except those that exceed the limit by themselves. No run starts
   * before the previous one ends.
   */
  runs: () => RetainedRun[];
};

type Options = {
  input: unknown;
  /** Milliseconds since 1970. */
  startedAt: number;
  redact: Redact;
  /** The table with the values of earlier runs, to which new runs add theirs. */
  table: Table;
  bounds?: Limits;
  /** The root actor; called when a run continues from a checkpoint. */
  root: () => AnyActor;
  /** Runs of earlier page loads. */
  earlier?: RetainedRun[];
};

/** Drops new keys with the value null: a replay treats a key that a record lacks as null. */
const withoutNewNulls = (changed: Reaction['changed'], before: Readonly<Record<string, unknown>>): Reaction['changed'] =>
  Object.fromEntries(Object.entries(changed).filter(([key, value]) => value !== null || (before[key] ?? null) !== null));

/** Creates a run to which steps are added. */
const createRun = (input: unknown, startedAt: number, redact: Redact, table: Table, from?: Checkpoint) => {
  const about = { startedAt, input: toPlain(input, redact), messageScope: 'all' as const, ...(from && { from }) };
  const usedIds = new Set<number>();
  const writer = table.trackUses(usedIds);
  const head = JSON.stringify(packHead(about, writer)).slice(0, -1);
  const headUses = table.sizeOf(usedIds);
  const writtenSteps: string[] = [];
  let writtenSize = 0;
  /** The last step, to which reactions and messages may still be added. */
  let lastStep: Step = { at: 0, input: { kind: 'start' }, reactions: [] };
  let lastText: string | null = null;
  const packLast = (): string => (lastText ??= JSON.stringify(packStep(lastStep, writer)));
  const run = {
    startedAt,
    endedAt: startedAt,
    size: head.length,
    /** The numbers of the table's values in the run, including those of the last step. */
    get uses() {
      packLast();
      return usedIds;
    },
    json: () => `${head},"steps":[${[...writtenSteps, packLast()].join(',')}]}`,
    /** Finishes the current step and starts the next one. */
    next: (step: Step): void => {
      const text = packLast();
      writtenSteps.push(text);
      writtenSize += text.length + 1;
      run.endedAt = startedAt + step.at;
      lastStep = step;
      lastText = null;
    },
    add: (reaction: Reaction): void => {
      lastStep.reactions.push(reaction);
      lastText = null;
    },
    addMessage: (message: CrossMessage): void => {
      (lastStep.messages ??= []).push(message);
      lastText = null;
    },
    /**
     * Updates `size` to include the last step. Returns the size of all steps and of the values that
     * they use.
     */
    measure: (): number => {
      const size = writtenSize + packLast().length;
      run.size = head.length + size;
      return size + table.sizeOf(usedIds) - headUses;
    },
    hasSteps: () => writtenSteps.length > 0,
  };
  return run;
};

/** The numbers of the table's values that runs use. */
export const collectUses = (runs: readonly RetainedRun[]): Set<number> => new Set(runs.flatMap(({ uses }) => [...uses]));

/**
 * Records tapped events in runs. The oldest runs are dropped first, and a run that exceeds its
 * limits continues in a new run from a checkpoint.
 */
export const createRecorder = ({
  input,
  startedAt,
  redact,
  table,
  bounds = defaultLimits,
  root,
  earlier = [],
}: Options): Recorder => {
  /** Milliseconds that the clock is behind the end of the last run, if it was set back; else 0. */
  const clockOffset = Math.max(0, (earlier.at(-1)?.endedAt ?? 0) - startedAt);
  let current = createRun(input, startedAt + clockOffset, redact, table);
  let retainedRuns: RetainedRun[] = [...earlier, current];

  const { take, restart, isIdle, getActorName } = observe({
    redact,
    onInput: (nextInput, at) => current.next({ at: at + clockOffset - current.startedAt, input: nextInput, reactions: [] }),
    onReaction: (reaction, before) => current.add({ ...reaction, changed: withoutNewNulls(reaction.changed, before) }),
    onMessage: (message) => current.addMessage(message),
  });

  const startContinuation = (now: number): void => {
    const actor = root();
    restart(actor);
    current = createRun(input, now, redact, table, createCheckpoint(actor, getActorName, redact));
    retainedRuns.push(current);
  };

  const exceedsLimits = (now: number): boolean =>
    table.size() + retainedRuns.reduce((sum, { size }) => sum + size, 0) > bounds.size ||
    now - (retainedRuns[0]?.endedAt ?? now) > bounds.age;

  return {
    take,
    trim: (clock) => {
      const now = clock + clockOffset;
      const isLong = current.measure() > bounds.runSize || now - current.startedAt > bounds.runAge;
      if (isLong && current.hasSteps() && isIdle()) startContinuation(now);
      while (retainedRuns.length > 1 && exceedsLimits(now)) {
        retainedRuns = retainedRuns.slice(1);
        table.keep(collectUses(retainedRuns));
      }
    },
    runs: () => retainedRuns.filter(({ size, uses }) => size + table.sizeOf(uses) <= bounds.size),
  };
};
