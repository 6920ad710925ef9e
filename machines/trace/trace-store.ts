import { traceFormat, type Trace } from './format.ts';
import { collectUses, type RetainedRun } from './recorder.ts';
import { createTable, type StoredTable } from './table.ts';
import { traceKey, type TraceKey } from './trace-key.ts';
import { isSameJson } from '../same-json.ts';

/** Storage for runs between page loads: a tab's session storage. */
export type TraceStorage = {
  getItem: (key: TraceKey) => string | null;
  setItem: (key: TraceKey, value: string) => void;
  removeItem: (key: TraceKey) => void;
};

/** The data that all runs share. */
export type Label = Omit<Trace, 'format' | 'runs'>;
type Build = Pick<Label, 'build' | 'machines'>;

type Entry = { key: number; startedAt: number; endedAt: number; size: number; uses: number[] };
/** The stored index. `drawn` are the pseudonyms, which are never written into a trace. */
type Index = { format: number; label: Label; drawn: [string, string][]; runs: Entry[] };

const tableKey = `${traceKey}.table` as const;
const toRunKey = (key: number) => `${traceKey}.${key}` as const;

const readJson = (storage: TraceStorage, key: TraceKey): unknown => {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
};

const readIndex = (storage: TraceStorage): Index | null => readJson(storage, traceKey) as Index | null;

/** Formats a trace as the text of a file; `table` and `runs` are JSON. */
const formatTrace = (label: Label, table: string, runs: readonly string[]): string =>
  `${JSON.stringify({ format: traceFormat, ...label }).slice(0, -1)},"table":${table},"runs":[\n${runs.join(',\n')}\n]}\n`;

const matchesBuild = ({ build, machines }: Build, { format, label }: Index): boolean =>
  format === traceFormat && label.build === build && isSameJson(label.machines, machines);

/**
 * Opens the store of a tab's trace, which persists across reloads. Runs of another build are
 * dropped, since a trace cannot contain runs of two builds. If the storage is full, nothing is
 * stored and the shop continues.
 */
export const openTraceStore = (storage: TraceStorage, build: Build) => {
  const storedIndex = readIndex(storage);
  const usableIndex = storedIndex && matchesBuild(build, storedIndex) ? storedIndex : null;
  const pseudonyms = new Map(usableIndex?.drawn ?? []);
  const table = createTable(usableIndex ? ((readJson(storage, tableKey) as StoredTable | null) ?? {}) : {});
  const keys = new WeakMap<RetainedRun, number>();
  let sizes = new WeakMap<RetainedRun, number>();
  let storedKeys = (storedIndex?.runs ?? []).map(({ key }) => key);
  let lastKey = Math.max(0, ...storedKeys);

  const earlierRuns = (usableIndex?.runs ?? []).flatMap(({ key, uses, ...entry }): RetainedRun[] => {
    const json = storage.getItem(toRunKey(key));
    if (json === null) return [];
    const run = { ...entry, uses: new Set(uses), json: () => json };
    keys.set(run, key);
    sizes.set(run, run.size);
    return [run];
  });

  const getKey = (run: RetainedRun): number => {
    const key = keys.get(run) ?? (lastKey += 1);
    keys.set(run, key);
    return key;
  };

  const write = (label: Label, runs: readonly RetainedRun[]): void => {
    const entries = runs.map((run): Entry => {
      const { startedAt, endedAt, size, uses } = run;
      return { key: getKey(run), startedAt, endedAt, size, uses: [...uses] };
    });
    const keptKeys = new Set(entries.map(({ key }) => key));
    for (const key of storedKeys) if (!keptKeys.has(key)) storage.removeItem(toRunKey(key));
    storedKeys = [...keptKeys];
    for (const run of runs) {
      // A stored run of the same size has not changed, except for the run that is being written.
      if (sizes.get(run) === run.size && run !== runs.at(-1)) continue;
      storage.setItem(toRunKey(getKey(run)), run.json());
      sizes.set(run, run.size);
    }
    storage.setItem(tableKey, table.json(collectUses(runs)));
    const index: Index = { format: traceFormat, label, drawn: [...pseudonyms], runs: entries };
    storage.setItem(traceKey, JSON.stringify(index));
  };

  return {
    drawn: pseudonyms,
    table,
    /** The whole trace as the text of a file. */
    text: (label: Label, runs: readonly RetainedRun[]): string =>
      formatTrace(
        label,
        table.json(collectUses(runs)),
        runs.map(({ json }) => json()),
      ),
    /** The runs of earlier page loads. */
    earlier: earlierRuns,
    save: (label: Label, runs: readonly RetainedRun[]): void => {
      try {
        write(label, runs);
      } catch {
        for (const key of storedKeys) storage.removeItem(toRunKey(key));
        storage.removeItem(tableKey);
        storage.removeItem(traceKey);
        storedKeys = [];
        sizes = new WeakMap();
      }
    },
  };
};

/** The stored trace as the text of a file; null without a stored trace. */
export const readSavedTrace = (storage: TraceStorage): string | null => {
  const index = readIndex(storage);
  if (!index) return null;
  return formatTrace(
    index.label,
    storage.getItem(tableKey) ?? '{}',
    index.runs.flatMap(({ key }) => storage.getItem(toRunKey(key)) ?? []),
  );
};
