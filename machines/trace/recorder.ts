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
  /** The total of all runs. */
  size: number;
  /** The maximum time since a stored run ended. */
  age: number;
  /** A run that exceeds either limit continues in a new one from a checkpoint. */
  runSize: number;
  runAge: number;
};

const defaultLimits: Limits = { size: 2_000_000, age: 30 * 60_000, runSize: 400_000, runAge: 5 * 60_000 };

/**
 * A stored run. Times are in milliseconds since 1970; `json` returns the run as stored in the file,
 * `size` is its length, `uses` are the numbers of the table's values in it.
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
  /** Contains the values of earlier runs; those of new runs are added. */
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

/** A run that is being written. */
const createRun = (input: unknown, startedAt: number, redact: Redact, table: Table, from?: Checkpoint) => {
  const about = { startedAt, input: toPlain(input, redact), tells: 'all' as const, ...(from && { from }) };
  const used = new Set<number>();
  const writer = table.counting(used);
  const head = JSON.stringify(packHead(about, writer)).slice(0, -1);
  const headUses = table.sizeOf(used);
  const written: string[] = [];
  let writtenSize = 0;
  /** More reactions may still be added to it. */
  let last: Step = { at: 0, input: { kind: 'start' }, reactions: [] };
  let lastText: string | null = null;
  const packLast = (): string => (lastText ??= JSON.stringify(packStep(last, writer)));
  const run = {
    startedAt,
    endedAt: startedAt,
    size: head.length,
    /** Includes the values of the last step. */
    get uses() {
      packLast();
      return used;
    },
    json: () => `${head},"steps":[${[...written, packLast()].join(',')}]}`,
    /** Finishes the current step and starts the next one. */
    next: (step: Step): void => {
      const text = packLast();
      written.push(text);
      writtenSize += text.length + 1;
      run.endedAt = startedAt + step.at;
      last = step;
      lastText = null;
    },
    add: (reaction: Reaction): void => {
      last.reactions.push(reaction);
      lastText = null;
    },
    addTold: (told: CrossMessage): void => {
      (last.told ??= []).push(told);
      lastText = null;
    },
    /**
     * Updates `size` to include the last step; returns the size of the steps and of the values they
     * use.
     */
    measure: (): number => {
      const size = writtenSize + packLast().length;
      run.size = head.length + size;
      return size + table.sizeOf(used) - headUses;
    },
    hasSteps: () => written.length > 0,
  };
  return run;
};

/** The numbers of the table's values that runs use. */
export const collectUses = (runs: readonly RetainedRun[]): Set<number> => new Set(runs.flatMap(({ uses }) => [...uses]));

/**
 * Records tapped events in runs. Oldest runs are dropped first, and a run that exceeds its limits
 * continues in a new one from a checkpoint.
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
  /** Milliseconds that the clock is behind the end of the previous page, if it was set back. */
  const behind = Math.max(0, (earlier.at(-1)?.endedAt ?? 0) - startedAt);
  let current = createRun(input, startedAt + behind, redact, table);
  let kept: RetainedRun[] = [...earlier, current];

  const { take, begin, isIdle, nameOf } = observe({
    redact,
    onInput: (news, at) => current.next({ at: at + behind - current.startedAt, input: news, reactions: [] }),
    onReaction: (reaction, before) => current.add({ ...reaction, changed: withoutNewNulls(reaction.changed, before) }),
    onMessage: (told) => current.addTold(told),
  });

  const goOn = (now: number): void => {
    const actor = root();
    begin(actor);
    current = createRun(input, now, redact, table, createCheckpoint(actor, nameOf, redact));
    kept.push(current);
  };

  const isTooMuch = (now: number): boolean =>
    table.size() + kept.reduce((sum, { size }) => sum + size, 0) > bounds.size || now - (kept[0]?.endedAt ?? now) > bounds.age;

  return {
    take,
    trim: (clock) => {
      const now = clock + behind;
      const isLong = current.measure() > bounds.runSize || now - current.startedAt > bounds.runAge;
      if (isLong && current.hasSteps() && isIdle()) goOn(now);
      while (kept.length > 1 && isTooMuch(now)) {
        kept = kept.slice(1);
        table.keep(collectUses(kept));
      }
    },
    runs: () => kept.filter(({ size, uses }) => size + table.sizeOf(uses) <= bounds.size),
  };
};
