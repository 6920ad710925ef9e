import { expect, type Page } from '@playwright/test';
import { shopMachine } from '../../../machines/app/shop.ts';
import type { Step } from '../../../machines/trace/format.ts';
import { replay } from '../../../machines/trace/replay.ts';
import { readRecordedTrace, parseTrace } from '../../../tools/browser/recorded-trace.ts';

/**
 * Reads the page's record. The recorder loads and writes when the browser is idle by the page's
 * fake clock, which is therefore advanced.
 */
const readRecord = async (page: Page): Promise<string> => {
  let record: string | null = null;
  const readIfWritten = async (): Promise<string | null> => {
    // A reading fails while the page reloads, and is repeated.
    record = await page.clock
      .runFor(2_000)
      .then(() => readRecordedTrace(page))
      .catch(() => null);
    return record;
  };
  await expect.poll(readIfWritten, { message: 'the page has a record', timeout: 20_000 }).not.toBeNull();
  return record ?? '';
};

/** Whether a step leaves the previous walk's screen. */
const isBetweenTours = ({ reactions }: Step): boolean =>
  reactions.some(({ actor, changed }) => actor === 'root/screen' && changed['flow'] === 'notFound');

/**
 * Replays the page's record, which must give the same result.
 * @returns the names of the transitions that fired, in a shared page those of the last walk
 */
export const replayRecord = async (page: Page): Promise<string[]> => {
  const { runs } = parseTrace(await readRecord(page));
  const replays = runs.map((run) => replay(shopMachine, run));
  expect(replays.map(({ divergence }) => divergence)).toEqual(runs.map(() => null));
  const steps = replays.flatMap((each) => each.steps);
  const moments = replays.flatMap((each) => each.moments);
  return moments.slice(steps.findLastIndex(isBetweenTours) + 1).flatMap(({ fired }) => fired);
};
