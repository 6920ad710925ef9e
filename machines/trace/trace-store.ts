import { traceFormat, type Trace } from './format.ts';
import { usedBy, type Kept } from './recorder.ts';
import { createTable, type Stored } from './table.ts';
import { traceKey, type TraceKey } from './trace-key.ts';

/** Where runs are put between page loads: a tab's session storage. */
export type TraceStorage = {
  getItem: (key: TraceKey) => string | null;
  setItem: (key: TraceKey, value: string) => void;
  removeItem: (key: TraceKey) => void;
};

/** What all runs have in common. */
export type Label = Omit<Trace, 'format' | 'runs'>;
type Build = Pick<Label, 'build' | 'machines'>;

type Entry = { key: number; startedAt: number; endedAt: number; size: number; uses: number[] };
/** `drawn` are the pseudonyms: they are stored here and never written into a trace. */
type Index = { format: number; label: Label; drawn: [string, string][]; runs: Entry[] };

const tableKey = `${traceKey}.table` as const;
const keyOf = (key: number) => `${traceKey}.${key}` as const;

const parsedIn = (storage: TraceStorage, key: TraceKey): unknown => {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
};

const indexIn = (storage: TraceStorage): Index | null => parsedIn(storage, traceKey) as Index | null;

/** A trace as the text of a file; `table` and `runs` are JSON. */
const traceText = (label: Label, table: string, runs: readonly string[]): string =>
  `${JSON.stringify({ format: traceFormat, ...label }).slice(0, -1)},"table":${table},"runs":[\n${runs.join(',\n')}\n]}\n`;

const isOf = ({ build, machines }: Build, { format, label }: Index): boolean =>
  format === traceFormat && label.build === build && JSON.stringify(label.machines) === JSON.stringify(machines);

/**
 * A tab's traces, kept over reloads; runs of another build are let go, since no one trace can hold both. Where there is no
 * room, nothing is kept and the shop goes on.
 */
export const openTraceStore = (storage: TraceStorage, build: Build) => {
  const before = indexIn(storage);
  const found = before && isOf(build, before) ? before : null;
  const drawn = new Map(found?.drawn ?? []);
  const table = createTable(found ? ((parsedIn(storage, tableKey) as Stored | null) ?? {}) : {});
  const keys = new WeakMap<Kept, number>();
  let sizes = new WeakMap<Kept, number>();
  let stored = (before?.runs ?? []).map(({ key }) => key);
  let last = Math.max(0, ...stored);

  const earlier = (found?.runs ?? []).flatMap(({ key, uses, ...entry }): Kept[] => {
    const json = storage.getItem(keyOf(key));
    if (json === null) return [];
    const run = { ...entry, uses: new Set(uses), json: () => json };
    keys.set(run, key);
    sizes.set(run, run.size);
    return [run];
  });

  const keyFor = (run: Kept): number => {
    const key = keys.get(run) ?? (last += 1);
    keys.set(run, key);
    return key;
  };

  const write = (label: Label, runs: readonly Kept[]): void => {
    const entries = runs.map((run): Entry => {
      const { startedAt, endedAt, size, uses } = run;
      return { key: keyFor(run), startedAt, endedAt, size, uses: [...uses] };
    });
    const wanted = new Set(entries.map(({ key }) => key));
    for (const key of stored) if (!wanted.has(key)) storage.removeItem(keyOf(key));
    stored = [...wanted];
    for (const run of runs) {
      // Only the run that is being written still changes when its size is the same.
      if (sizes.get(run) === run.size && run !== runs.at(-1)) continue;
      storage.setItem(keyOf(keyFor(run)), run.json());
      sizes.set(run, run.size);
    }
    storage.setItem(tableKey, table.json(usedBy(runs)));
    const index: Index = { format: traceFormat, label, drawn: [...drawn], runs: entries };
    storage.setItem(traceKey, JSON.stringify(index));
  };

  return {
    drawn,
    table,
    /** The whole trace as the text of a file. */
    text: (label: Label, runs: readonly Kept[]): string =>
      traceText(
        label,
        table.json(usedBy(runs)),
        runs.map(({ json }) => json()),
      ),
    /** What earlier page loads have stored. */
    earlier,
    save: (label: Label, runs: readonly Kept[]): void => {
      try {
        write(label, runs);
      } catch {
        for (const key of stored) storage.removeItem(keyOf(key));
        storage.removeItem(tableKey);
        storage.removeItem(traceKey);
        stored = [];
        sizes = new WeakMap();
      }
    },
  };
};

/** The whole stored trace, or null when there is none. */
export const traceOn = (storage: TraceStorage): string | null => {
  const index = indexIn(storage);
  if (!index) return null;
  return traceText(
    index.label,
    storage.getItem(tableKey) ?? '{}',
    index.runs.flatMap(({ key }) => storage.getItem(keyOf(key)) ?? []),
  );
};
