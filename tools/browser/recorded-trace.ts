import type { Page } from '@playwright/test';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { traceFromJson } from '../../machines/trace/trace-in.ts';
import { replay, type Divergence } from '../../machines/trace/replay.ts';
import { readSavedTrace } from '../../machines/trace/trace-store.ts';

/**
 * The trace that the shop has recorded in this tab so far, as text; null until the recorder is
 * loaded.
 */
export async function readRecordedTrace(page: Page): Promise<string | null> {
  const items = await page.evaluate(() => {
    dispatchEvent(new Event('pagehide'));
    return Object.fromEntries(Object.keys(sessionStorage).map((key) => [key, sessionStorage.getItem(key) ?? '']));
  });
  return readSavedTrace({ getItem: (key) => items[key] ?? null, setItem: () => {}, removeItem: () => {} });
}

export const parseTrace = (record: string): Trace => traceFromJson(JSON.parse(record) as Trace);

/**
 * Replays the recorded visit without browser and server.
 * @returns the first divergence of each run; null for a run without any
 */
export const findDivergences = ({ runs }: Trace): (Divergence | null)[] => runs.map((run) => replay(shopMachine, run).divergence);
