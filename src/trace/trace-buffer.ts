import type { TraceStorage } from '../../machines/trace/trace-store.ts';
import { traceKey } from '../../machines/trace/trace-key.ts';
import { tap, type TapOptions, type TappedEvent } from '../../machines/trace/tap.ts';

/** Monotonic milliseconds since 1970, independent of changes of the device's clock. */
export const now = (): number => Math.round(performance.timeOrigin + performance.now());

/** The machines' clock; timers that expire while it is held fire when it is resumed. */
const createTimers = () => {
  let heldTimers: Map<unknown, () => void> | null = null;
  return {
    now,
    set(run: () => void, ms: number) {
      const id = setTimeout(() => (heldTimers ? heldTimers.set(id, run) : run()), ms);
      return id;
    },
    clear(id: unknown) {
      clearTimeout(id as number);
      heldTimers?.delete(id);
    },
    hold: (): void => void (heldTimers ??= new Map()),
    resume: (): void => {
      const dueTimers = heldTimers ?? new Map<unknown, () => void>();
      heldTimers = null;
      for (const run of dueTimers.values()) run();
    },
  };
};

/** Maximum number of entries before the recorder is loaded; a press causes about ten. */
export const maxEntries = 20_000;

/** The events of the shop's machines that are not recorded yet. */
export type TraceBuffer = {
  startedAt: number;
  options: TapOptions;
  /** Holds and resumes the machines' clock. */
  time: { hold: () => void; resume: () => void };
  entries: TappedEvent[];
  /** Called when the empty buffer gets an entry. */
  onEntry: () => void;
};

/** Collects entries from the start; the recorder is loaded later and finds all of them here. */
export const createTraceBuffer = (): TraceBuffer => {
  const timers = createTimers();
  const buffer: TraceBuffer = {
    time: timers,
    startedAt: now(),
    entries: [],
    onEntry: () => {},
    options: tap(timers, (entry) => {
      // Without a recorder entries are useless, and would fill the memory.
      if (buffer.entries.length < maxEntries && buffer.entries.push(entry) === 1) buffer.onEntry();
    }),
  };
  return buffer;
};

/** Whether an earlier page of this tab has stored a trace. */
export const hasTrace = (storage: Pick<TraceStorage, 'getItem'>): boolean => storage.getItem(traceKey) !== null;

/** Runs when the browser is idle, at the latest after two seconds. */
export const onIdleCallback = (run: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: 2_000 });
  else setTimeout(run, 200);
};

const interactionEvents = ['pointerdown', 'keydown', 'scroll'];

/**
 * Runs once when the browser is idle after the customer's next input, or after `maxWaitMs`
 * milliseconds without input.
 */
export const onIdleAfterInteraction = (run: () => void, maxWaitMs = 1_500): void => {
  const listenerController = new AbortController();
  const runWhenIdle = (): void => {
    if (listenerController.signal.aborted) return;
    listenerController.abort();
    onIdleCallback(run);
  };
  for (const eventName of interactionEvents) addEventListener(eventName, runWhenIdle, { signal: listenerController.signal });
  setTimeout(runWhenIdle, maxWaitMs);
};
