import { expect, type Page } from '@playwright/test';
import { shopMachine } from '../../../machines/app/shop.ts';
import type { Step } from '../../../machines/trace/format.ts';
import { replay } from '../../../machines/trace/replay.ts';
import { recordedTrace, parseTrace } from '../../../tools/browser/recorded-trace.ts';

/** What the page recorded; its recorder comes, and writes, when the browser is idle by the page's own clock. */
const recorded = async (page: Page): Promise<string> => {
  let record: string | null = null;
  const read = async (): Promise<string | null> => {
    // A page that is just reloading has a new record in a moment.
    record = await page.clock
      .runFor(2_000)
      .then(() => recordedTrace(page))
      .catch(() => null);
    return record;
  };
  await expect.poll(read, { message: 'the page keeps a record', timeout: 20_000 }).not.toBeNull();
  return record ?? '';
};

/** The step in which the screen of the tour before has gone. */
const isBetweenTours = ({ reactions }: Step): boolean =>
  reactions.some(({ actor, changed }) => actor === 'root/screen' && changed['flow'] === 'notFound');

/**
 * Replays what the page recorded: it must come out the same.
 * @returns the names of the transitions that fired, of a page that several tours share those of the last one
 */
export const replayed = async (page: Page): Promise<string[]> => {
  const { runs } = parseTrace(await recorded(page));
  const replays = runs.map((run) => replay(shopMachine, run));
  expect(replays.map(({ divergence }) => divergence)).toEqual(runs.map(() => null));
  const steps = replays.flatMap((each) => each.steps);
  const moments = replays.flatMap((each) => each.moments);
  return moments.slice(steps.findLastIndex(isBetweenTours) + 1).flatMap(({ fired }) => fired);
};
