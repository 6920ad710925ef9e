/** Plain JSON. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

export type RecordedEvent = { type: string; [key: string]: Plain };

/**
 * Something that came from outside the machines, so that a replay must be given it. `to` and `from` are actor names (`root/flow/quote~1`: parent, id, and the
 * occurrence from the second on). `turn` says that an effect answered inside its own turn, the n-th one it took.
 */
export type Input =
  | { kind: 'start' }
  /** An event from outside: a view's. `reentrant` when it came while a machine was still in a step, which is a defect. */
  | { kind: 'event'; to: string; event: RecordedEvent; reentrant?: true }
  /** A delayed transition or event whose time had come, after `ms`. */
  | { kind: 'timer'; to: string; event: RecordedEvent; ms: number }
  /** An effect that finished: `event` holds its output or its error. */
  | { kind: 'settled'; to: string; from: string; event: RecordedEvent; turn?: number }
  /** What a running effect said. */
  | { kind: 'said'; to: string; from: string; event: RecordedEvent; turn?: number }
  /** A value that an observable received from its source. */
  | { kind: 'fed'; to: string; event: RecordedEvent; from?: string; turn?: number };

/**
 * What one machine did in a step: the event that it took, its state if that changed, and the keys of its context that did; a
 * value of more than 2,000 characters as `{$digest, length}`.
 */
export type Reaction = {
  actor: string;
  on: string;
  state?: Plain;
  /** When it is no longer active. */
  status?: string;
  changed: Record<string, Plain>;
};

/**
 * What a machine told: the input with which it started an effect or another machine, or an event that it sent to one or to its
 * parent. One of more than 200 characters as `{$digest, length}`.
 * An event to a machine that it started is left out where its type,
 * which the reaction has, is all of it.
 */
export type Told = { by: string; to: string; input: Plain } | { by: string; to: string; event: Plain };

/**
 * One input and what the machines did in reaction to it. `at` is in milliseconds since the run's start; `told` is left out
 * where nothing was told.
 */
export type Step = { at: number; input: Input; reactions: Reaction[]; told?: Told[]; shows?: Shown[] };

/** The state of an older shop's machine, translated to today's; see `older/`. In no file. */
export type Shown = { actor: string; state: Plain; context: Record<string, Plain> };

/** A timer that was set and had not fired: its actor, its target, and its delay in milliseconds. */
export type PendingTimer = { source: string; target: string; id: string; ms: number; event: RecordedEvent };

/** The state from which a run goes on: all actors as XState persists them. For replays only: in the shop, restoring it would start the effects again. */
export type Checkpoint = { snapshot: Plain; timers: PendingTimer[] };

/**
 * A page load, or a part of one that goes on from a checkpoint. `startedAt` is in milliseconds since 1970, `input` the root
 * machine's. `tells` where its steps hold what was told: `true` in older records, which leave out what machines told those
 * that they started; it is missing in still older ones, which hold nothing of it.
 * `purchases`: actors of flows whose machines differ from the recording shop's. In no file.
 */
export type Run = {
  startedAt: number;
  input: Plain;
  tells?: true | 'all';
  from?: Checkpoint;
  steps: Step[];
  purchases?: readonly string[];
};

/** The format of today: packed steps and one table for all runs; in tests steps without a table. */
export const traceFormat = 4;
/** Formats of shops with four purchase flows, plain and packed; `older/` translates them. */
export const olderFormats = [2, 3] as const;

/**
 * A customer's visit, the oldest run first: no run begins before the previous one ends. `format` is
 * that of the file it was read from.
 */
export type Trace = {
  format: typeof traceFormat | (typeof olderFormats)[number];
  build: string;
  /** The hash of each machine's source, by its name. */
  machines: Record<string, string>;
  store: string | null;
  locale: string;
  runs: Run[];
};
