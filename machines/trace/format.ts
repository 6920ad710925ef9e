/** Plain JSON. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

export type RecordedEvent = { type: string; [key: string]: Plain };

/**
 * An external input of the machines, which a replay must supply. `to` and `from` are actor names
 * such as `root/flow/quote~1`: the parent's name, the id, and for the second and later actors of
 * one name a number.
 * `turn` is set if an effect answered while it handled an event: the number of that event.
 */
export type Input =
  | { kind: 'start' }
  /**
   * An event from a view. `reentrant` if the event arrived during a machine's step, which is a
   * defect.
   */
  | { kind: 'event'; to: string; event: RecordedEvent; reentrant?: true }
  /** A delayed transition or event that fired after `ms`. */
  | { kind: 'timer'; to: string; event: RecordedEvent; ms: number }
  /** An effect that finished: `event` holds its output or its error. */
  | { kind: 'settled'; to: string; from: string; event: RecordedEvent; turn?: number }
  /** An event sent by a running effect. */
  | { kind: 'emitted'; to: string; from: string; event: RecordedEvent; turn?: number }
  /** An event that an observable sent to itself: a value from its source. */
  | { kind: 'observed'; to: string; event: RecordedEvent; from?: string; turn?: number };

/**
 * One machine's reaction in a step: the type of the received event, the machine's state if it
 * changed, and the changed keys of its context; a value of more than 2,000 characters is stored as
 * `{$digest, length}`. The file has a shorter limit (`pack.ts`).
 */
export type Reaction = {
  actor: string;
  on: string;
  state?: Plain;
  /** Set if the machine is no longer active. */
  status?: string;
  changed: Record<string, Plain>;
};

/**
 * A message from a machine: the input with which the machine started an actor, or an event that it
 * sent to an actor or to its parent. A value of more than 200 characters is stored as
 * `{$digest, length}`; the file has a shorter limit (`pack.ts`). An event with only a type to a
 * child machine is omitted, as is a start without input: the child's reaction contains them.
 */
export type CrossMessage = { from: string; to: string; input: Plain } | { from: string; to: string; event: Plain };

/**
 * One input, and the machines' reactions and messages (omitted if none was sent). `at` is
 * in milliseconds since the run's start.
 */
export type Step = { at: number; input: Input; reactions: Reaction[]; messages?: CrossMessage[]; shownStates?: ShownState[] };

/**
 * The state of an older shop's machine, translated to the current machine; see `older/`. Not stored
 * in files.
 */
export type ShownState = { actor: string; state: Plain; context: Record<string, Plain> };

/** A pending timer: its actor, its target, and its delay in milliseconds. */
export type PendingTimer = { source: string; target: string; id: string; ms: number; event: RecordedEvent };

/**
 * The state from which a run continues: all actors as XState persists them, and their timers. Only
 * for replays: restoring a checkpoint in the shop would start the effects again.
 */
export type Checkpoint = { snapshot: Plain; timers: PendingTimer[] };

/**
 * The recording of a page load, or of a part of a page load that continues from a checkpoint.
 * `startedAt` is in milliseconds since 1970; `input` is the root machine's. `messageScope` is set
 * if the steps contain messages: `withoutChildren` in older records, which omit messages to child
 * machines; missing in records without messages. `purchases` are the actors of purchase flows whose
 * machines have changed since the recording, `hasOldNames` is set if events had other names then;
 * neither is stored in files.
 */
export type Run = {
  startedAt: number;
  input: Plain;
  messageScope?: 'all' | 'withoutChildren';
  from?: Checkpoint;
  steps: Step[];
  purchases?: readonly string[];
  hasOldNames?: true;
};

/**
 * The current format: packed steps and one table for all runs; in tests, plain steps without a
 * table.
 */
export const traceFormat = 5;
/**
 * Formats that `older/` translates: 2 (plain) and 3 (packed) of shops with four purchase flows, and
 * 4, which differs from the current format only in names.
 */
export const olderFormats = [2, 3, 4] as const;

/**
 * The recording of a customer's visit, oldest run first: no run starts before the previous one
 * ends. `format` is the format of the file that the trace was read from.
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
