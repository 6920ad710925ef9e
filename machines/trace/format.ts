/** Plain JSON. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

export type RecordedEvent = { type: string; [key: string]: Plain };

/**
 * An external input of the machines, which a replay must supply. `to` and `from` are actor names
 * (`root/flow/quote~1`: parent, id, and the occurrence from the second on). `turn` is set if an
 * effect answered while it handled an event, the n-th one of that effect.
 */
export type Input =
  | { kind: 'start' }
  /**
   * An event from outside: from a view. `reentrant` if it arrived during a machine's step, which is
   * a defect.
   */
  | { kind: 'event'; to: string; event: RecordedEvent; reentrant?: true }
  /** A delayed transition or event that fired after `ms`. */
  | { kind: 'timer'; to: string; event: RecordedEvent; ms: number }
  /** An effect that finished: `event` holds its output or its error. */
  | { kind: 'settled'; to: string; from: string; event: RecordedEvent; turn?: number }
  /** An event sent by a running effect. */
  | { kind: 'said'; to: string; from: string; event: RecordedEvent; turn?: number }
  /** A value that an observable received from its source. */
  | { kind: 'fed'; to: string; event: RecordedEvent; from?: string; turn?: number };

/**
 * One machine's reaction in a step: the event that it received, its state if that changed, and the
 * changed keys of its context; a value of more than 2,000 characters as `{$digest, length}`.
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
 * A message from a machine: the input with which it started an effect or another machine, or an
 * event that it sent to one or to its parent. A value of more than 200 characters is `{$digest,
 * length}`. An event to a child machine is omitted if it has only a type, which the child's
 * reaction contains.
 */
export type CrossMessage = { by: string; to: string; input: Plain } | { by: string; to: string; event: Plain };

/**
 * One input and the machines' reactions to it. `at` is in milliseconds since the run's start;
 * `told` is omitted if no message was sent.
 */
export type Step = { at: number; input: Input; reactions: Reaction[]; told?: CrossMessage[]; shows?: Shown[] };

/**
 * The state of an older shop's machine, translated to the current one; see `older/`. Not stored in
 * files.
 */
export type Shown = { actor: string; state: Plain; context: Record<string, Plain> };

/** A pending timer: its actor, its target, and its delay in milliseconds. */
export type PendingTimer = { source: string; target: string; id: string; ms: number; event: RecordedEvent };

/**
 * The state from which a run continues: all actors as XState persists them. Only for replays:
 * restoring it in the shop would start the effects again.
 */
export type Checkpoint = { snapshot: Plain; timers: PendingTimer[] };

/**
 * A page load, or a part of one that continues from a checkpoint. `startedAt` is in milliseconds
 * since 1970, `input` is the root machine's. `tells`: the steps contain messages; `true` in older
 * records, which omit messages to child machines; missing in still older ones, which have no
 * messages. `purchases`: actors of flows whose machines differ from the recording shop's; not
 * stored in files.
 */
export type Run = {
  startedAt: number;
  input: Plain;
  tells?: true | 'all';
  from?: Checkpoint;
  steps: Step[];
  purchases?: readonly string[];
};

/**
 * The current format: packed steps and one table for all runs; in tests, plain steps without a
 * table.
 */
export const traceFormat = 4;
/** Formats of shops with four purchase flows, plain and packed; `older/` translates them. */
export const olderFormats = [2, 3] as const;

/**
 * A customer's visit, oldest run first: no run starts before the previous one ends. `format` is
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
