import { saveFile } from '../storage/save-file.ts';
import type { ActorRefFrom, AnyActor } from 'xstate';
import type { appMachine } from '../../machines/app/app.ts';
import { createPseudonymizer } from '../../machines/trace/pseudonym.ts';
import { createRecorder } from '../../machines/trace/recorder.ts';
import { openTraceStore, type Label } from '../../machines/trace/trace-store.ts';
import { maxEntries, now, onIdleCallback, type TraceBuffer } from './trace-buffer.ts';
import { safeSessionStorage } from '../storage/storage.ts';

/** Milliseconds between two writes to the tab's storage. */
const saveIntervalMs = 3_000;

const getRandom = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

/**
 * Records the buffered events of the shop's machines when the browser is idle, and stores them in
 * the tab, so that the trace continues after a reload.
 */
export const startRecorder = (buffer: TraceBuffer, app: ActorRefFrom<typeof appMachine>, input: unknown) => {
  if (buffer.entries.length >= maxEntries)
    throw new Error(`The trace buffer overflowed before the recorder was loaded: it holds at most ${maxEntries} entries.`);
  const traceStore = openTraceStore(safeSessionStorage, __BUILD__);
  const recorder = createRecorder({
    input,
    startedAt: buffer.startedAt,
    redact: createPseudonymizer(getRandom, traceStore.drawn),
    table: traceStore.table,
    root: () => app as AnyActor,
    earlier: traceStore.earlier,
  });
  const createLabel = (): Label => {
    const { store, locale } = app.getSnapshot().context;
    return { ...__BUILD__, store: store?.shelfId ?? null, locale };
  };
  const drainBuffer = (): void => {
    buffer.entries.splice(0).forEach(recorder.take);
    recorder.trim(now());
  };
  let isSaveScheduled = false;
  const save = (): void => {
    isSaveScheduled = false;
    drainBuffer();
    traceStore.save(createLabel(), recorder.runs());
  };
  const scheduleSave = (): void => {
    onIdleCallback(() => {
      drainBuffer();
      if (isSaveScheduled) return;
      isSaveScheduled = true;
      setTimeout(() => onIdleCallback(save), saveIntervalMs);
    });
  };
  buffer.onEntry = scheduleSave;
  scheduleSave();
  addEventListener('pagehide', save);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') save();
  });
  return {
    /** Downloads the trace as a file. */
    save: (): void => {
      save();
      saveFile('colophon-trace', traceStore.text(createLabel(), recorder.runs()));
    },
  };
};
