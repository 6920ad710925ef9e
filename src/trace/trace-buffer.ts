import type { TraceStorage } from '../../machines/trace/trace-store.ts';
import { traceKey } from '../../machines/trace/trace-key.ts';
import { tap, type TapOptions, type Tapped } from '../../machines/trace/tap.ts';

/** Milliseconds since 1970 that never go back, though the customer set the clock. */
export const now = (): number => Math.round(performance.timeOrigin + performance.now());

/** The timers of machines; what is due while they are held runs when they are let go. */
const createTimers = () => {
  let held: Map<unknown, () => void> | null = null;
  return {
    now,
    set(run: () => void, ms: number) {
      const id = setTimeout(() => (held ? held.set(id, run) : run()), ms);
      return id;
    },
    clear(id: unknown) {
      clearTimeout(id as number);
      held?.delete(id);
    },
    hold: (): void => void (held ??= new Map()),
    letGo: (): void => {
      const due = held ?? new Map<unknown, () => void>();
      held = null;
      for (const run of due.values()) run();
    },
  };
};

/** Entries that wait for the recorder at most; a press makes some ten. */
export const mostEntries = 20_000;

/** What the shop's machines have done and is not yet written down. */
export type TraceBuffer = {
  startedAt: number;
  options: TapOptions;
  /** Stops and starts the machines' time. */
  time: { hold: () => void; letGo: () => void };
  entries: Tapped[];
  /** Called when there is an entry again after there was none. */
  onEntry: () => void;
};

/** Takes entries from the first moment; the recorder, which nobody waits for, is fetched later and finds everything here. */
export const createTraceBuffer = (): TraceBuffer => {
  const timers = createTimers();
  const buffer: TraceBuffer = {
    time: timers,
    startedAt: now(),
    entries: [],
    onEntry: () => {},
    options: tap(timers, (tapped) => {
      // Without a recorder entries are of no use, and would fill the memory.
      if (buffer.entries.length < mostEntries && buffer.entries.push(tapped) === 1) buffer.onEntry();
    }),
  };
  return buffer;
};

/** An earlier page of the same tab has written down what it did. */
export const hasTrace = (storage: Pick<TraceStorage, 'getItem'>): boolean => storage.getItem(traceKey) !== null;

/** Runs when the browser has nothing better to do, or after two seconds. */
export const whenIdle = (run: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: 2_000 });
  else setTimeout(run, 200);
};

const signs = ['pointerdown', 'keydown', 'scroll'];

/** Runs once, in an idle moment after the customer's next sign of life, or after so many milliseconds without one. */
export const afterInteraction = (run: () => void, after = 1_500): void => {
  const settled = new AbortController();
  const soon = (): void => {
    if (settled.signal.aborted) return;
    settled.abort();
    whenIdle(run);
  };
  for (const sign of signs) addEventListener(sign, soon, { signal: settled.signal });
  setTimeout(soon, after);
};
