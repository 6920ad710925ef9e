import { saveFile } from '../storage/save-file.ts';
import type { ActorRefFrom, AnyActor } from 'xstate';
import type { appMachine } from '../../machines/app/app.ts';
import { pseudonyms } from '../../machines/trace/pseudonym.ts';
import { createRecorder } from '../../machines/trace/recorder.ts';
import { openTraceStore, type Label } from '../../machines/trace/trace-store.ts';
import { mostEntries, now, whenIdle, type TraceBuffer } from './trace-buffer.ts';
import { safeSessionStorage } from '../storage/storage.ts';

/** Milliseconds between two writings to the tab's storage. */
const pause = 3_000;

const chance = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

/** Writes down what the shop's machines do when the browser is idle, and keeps it over a reload. */
export const keepTrace = (buffer: TraceBuffer, app: ActorRefFrom<typeof appMachine>, input: unknown) => {
  if (buffer.entries.length >= mostEntries) throw new Error('More was heard before the recorder came than was kept.');
  const traceStore = openTraceStore(safeSessionStorage, __BUILD__);
  const recorder = createRecorder({
    input,
    startedAt: buffer.startedAt,
    redact: pseudonyms(chance, traceStore.drawn),
    table: traceStore.table,
    root: () => app as AnyActor,
    earlier: traceStore.earlier,
  });
  const label = (): Label => {
    const { store, locale } = app.getSnapshot().context;
    return { ...__BUILD__, store: store?.shelfId ?? null, locale };
  };
  const writeDown = (): void => {
    buffer.entries.splice(0).forEach(recorder.take);
    recorder.trim(now());
  };
  let isPausing = false;
  const save = (): void => {
    isPausing = false;
    writeDown();
    traceStore.save(label(), recorder.runs());
  };
  const news = (): void => {
    whenIdle(() => {
      writeDown();
      if (isPausing) return;
      isPausing = true;
      setTimeout(() => whenIdle(save), pause);
    });
  };
  buffer.onEntry = news;
  news();
  addEventListener('pagehide', save);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') save();
  });
  return {
    /** Hands the customer the trace as a file of their own. */
    save: (): void => {
      save();
      saveFile('colophon-trace', traceStore.text(label(), recorder.runs()));
    },
  };
};
