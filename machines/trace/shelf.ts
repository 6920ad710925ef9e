import { formatVersion, type Trace } from './format.ts';
import type { Kept } from './recorder.ts';

/** Where runs are put between page loads: a tab's session storage. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
type Storage = {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
};

type Entry = { startedAt: number; endedAt: number; size: number };

/** What is said of all runs together. */
export type Label = Omit<Trace, 'format' | 'runs'>;

/** `seed` is that of the pseudonyms: it stays here and goes into no trace. */
type Index = { seed: number; label: Label; runs: Entry[] };

const indexKey = 'colophon.trace';
const runKey = ({ startedAt }: { startedAt: number }): string => `${indexKey}.${startedAt}`;

const readIndex = (shelf: Shelf): Index | null => {
  try {
    return JSON.parse(shelf.getItem(indexKey) ?? 'null') as Index | null;
  } catch {
    return null;
  }
};

/** The runs that an earlier page load put up, and the seed of their pseudonyms. */
export const earlierOn = (shelf: Shelf): { seed: number | null; runs: Kept[] } => {
  const index = readIndex(shelf);
  const runs = (index?.runs ?? []).flatMap((entry) => {
    const json = shelf.getItem(runKey(entry));
    return json === null ? [] : [{ ...entry, json: () => json }];
  });
  return { seed: index?.seed ?? null, runs };
};

/** Puts runs up; those that have not changed since are left alone. Fails silently where there is no room: the shop goes on. */
export const putUp = (shelf: Shelf, seed: number, label: Label, runs: readonly Kept[]): void => {
  const before = new Map((readIndex(shelf)?.runs ?? []).map((entry) => [runKey(entry), entry]));
  const entries = runs.map(({ startedAt, endedAt, size }) => ({ startedAt, endedAt, size }));
  try {
    const keys = new Set(entries.map(runKey));
    for (const key of before.keys()) if (!keys.has(key)) shelf.removeItem(key);
    for (const run of runs) if (before.get(runKey(run))?.endedAt !== run.endedAt) shelf.setItem(runKey(run), run.json());
    shelf.setItem(indexKey, JSON.stringify({ seed, label, runs: entries } satisfies Index));
  } catch {
    for (const key of [...before.keys(), ...entries.map(runKey), indexKey]) shelf.removeItem(key);
  }
};

/** The whole trace as JSON, or null when nothing was put up. */
export const traceOn = (shelf: Shelf): string | null => {
  const index = readIndex(shelf);
  if (!index) return null;
  const runs = earlierOn(shelf).runs.map(({ json }) => json());
  return `${JSON.stringify({ format: formatVersion, ...index.label }).slice(0, -1)},"runs":[${runs.join(',')}]}\n`;
};
