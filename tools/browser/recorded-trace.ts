import type { Page } from '@playwright/test';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { traceIn } from '../../machines/trace/trace-in.ts';
import { replay, type Divergence } from '../../machines/trace/replay.ts';
import { traceOn } from '../../machines/trace/trace-store.ts';

/** What the shop has recorded in this tab up to now, as the text of a trace; null while the recorder is not there yet. */
export async function recordedTrace(page: Page): Promise<string | null> {
  const items = await page.evaluate(() => {
    dispatchEvent(new Event('pagehide'));
    return Object.fromEntries(Object.keys(sessionStorage).map((key) => [key, sessionStorage.getItem(key) ?? '']));
  });
  return traceOn({ getItem: (key) => items[key] ?? null, setItem: () => {}, removeItem: () => {} });
}

export const parseTrace = (record: string): Trace => traceIn(JSON.parse(record) as Trace);

/** Runs the recorded visit again without a browser and without a server; the first divergence of each run, or null. */
export const divergencesOf = ({ runs }: Trace): (Divergence | null)[] => runs.map((run) => replay(shopMachine, run).divergence);
