import type { AnyActor } from 'xstate';
import { checkpointOf } from './checkpoint.ts';
import type { Checkpoint, Reaction, Step, Told } from './format.ts';
import { observe } from './observe.ts';
import { packHead, packStep } from './pack.ts';
import { plainOf, type Redact } from './plain.ts';
import type { Table } from './table.ts';
import type { Tapped } from './tap.ts';

/** How much is kept: sizes in characters of JSON, ages in milliseconds. */
export type Limits = {
  /** All runs together. */
  size: number;
  /** How long ago a kept run may have ended. */
  age: number;
  /** A run whose steps are beyond either goes on in a new one from a checkpoint. */
  runSize: number;
  runAge: number;
};

const limits: Limits = { size: 2_000_000, age: 30 * 60_000, runSize: 400_000, runAge: 5 * 60_000 };

/**
 * A run as it is kept. Times are in milliseconds since 1970; `json` gives the run as the file has it, `size` is its length, `uses`
 * are the numbers of the table's values in it.
 */
export type Kept = { startedAt: number; endedAt: number; size: number; json: () => string; uses: ReadonlySet<number> };

type Recorder = {
  take: (tapped: Tapped) => void;
  /** Keeps to the bounds; to be called between steps. @param clock in milliseconds since 1970 */
  trim: (clock: number) => void;
  /**
   * The runs so far, the oldest first, without any that is too large by itself. No run begins
   * before the previous one ends.
   */
  runs: () => Kept[];
};

type Options = {
  input: unknown;
  /** Milliseconds since 1970. */
  startedAt: number;
  redact: Redact;
  /** Holds the values of the runs before, and gets those of the new ones. */
  table: Table;
  bounds?: Limits;
  /** The root actor; asked for when a run goes on from a checkpoint. */
  root: () => AnyActor;
  /** Runs of page loads before this one. */
  earlier?: Kept[];
};

/** Without the keys that have come with null: a replay takes a key that a record lacks for null. */
const withoutNewNulls = (changed: Reaction['changed'], before: Readonly<Record<string, unknown>>): Reaction['changed'] =>
  Object.fromEntries(Object.entries(changed).filter(([key, value]) => value !== null || (before[key] ?? null) !== null));

/** A run that is being written. */
const begun = (input: unknown, startedAt: number, redact: Redact, table: Table, from?: Checkpoint) => {
  const about = { startedAt, input: plainOf(input, redact), tells: 'all' as const, ...(from && { from }) };
  const used = new Set<number>();
  const writer = table.counting(used);
  const head = JSON.stringify(packHead(about, writer)).slice(0, -1);
  const headUses = table.sizeOf(used);
  const written: string[] = [];
  let writtenSize = 0;
  /** More may still be added to it. */
  let last: Step = { at: 0, input: { kind: 'start' }, reactions: [] };
  let lastText: string | null = null;
  const packLast = (): string => (lastText ??= JSON.stringify(packStep(last, writer)));
  const run = {
    startedAt,
    endedAt: startedAt,
    size: head.length,
    /** With those of the last step. */
    get uses() {
      packLast();
      return used;
    },
    json: () => `${head},"steps":[${[...written, packLast()].join(',')}]}`,
    /** Goes on to the next step. */
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
    addTold: (told: Told): void => {
      (last.told ??= []).push(told);
      lastText = null;
    },
    /** Updates `size`, with the last step; returns the size of the steps and of the values that they use. */
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
export const usedBy = (runs: readonly Kept[]): Set<number> => new Set(runs.flatMap(({ uses }) => [...uses]));

/**
 * Writes down what was tapped, in runs: the oldest whole runs are dropped first, and a run that outgrows its bounds goes on
 * in a new one from a checkpoint.
 */
export const createRecorder = ({ input, startedAt, redact, table, bounds = limits, root, earlier = [] }: Options): Recorder => {
  /** Milliseconds between the clock and the end of the previous page, if the clock was set back. */
  const behind = Math.max(0, (earlier.at(-1)?.endedAt ?? 0) - startedAt);
  let current = begun(input, startedAt + behind, redact, table);
  let kept: Kept[] = [...earlier, current];

  const { take, begin, isAtRest, nameOf } = observe({
    redact,
    onInput: (news, at) => current.next({ at: at + behind - current.startedAt, input: news, reactions: [] }),
    onReaction: (reaction, before) => current.add({ ...reaction, changed: withoutNewNulls(reaction.changed, before) }),
    onTold: (told) => current.addTold(told),
  });

  const goOn = (now: number): void => {
    const actor = root();
    begin(actor);
    current = begun(input, now, redact, table, checkpointOf(actor, nameOf, redact));
    kept.push(current);
  };

  const isTooMuch = (now: number): boolean =>
    table.size() + kept.reduce((sum, { size }) => sum + size, 0) > bounds.size || now - (kept[0]?.endedAt ?? now) > bounds.age;

  return {
    take,
    trim: (clock) => {
      const now = clock + behind;
      const isLong = current.measure() > bounds.runSize || now - current.startedAt > bounds.runAge;
      if (isLong && current.hasSteps() && isAtRest()) goOn(now);
      while (kept.length > 1 && isTooMuch(now)) {
        kept = kept.slice(1);
        table.keep(usedBy(kept));
      }
    },
    runs: () => kept.filter(({ size, uses }) => size + table.sizeOf(uses) <= bounds.size),
  };
};
