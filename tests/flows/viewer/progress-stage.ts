import { expect, type Page } from '@playwright/test';
import type { progressMachine } from '../../../machines/reading/progress.ts';
import type { Reaction } from '../../../machines/trace/format.ts';
import { elsewhere } from '../../e2e/tours/in-shop.ts';
import { problems, rejections } from '../../support/path-model.ts';
import { recordedTrace, parseTrace } from '../../e2e/pages/recorded-trace.ts';
import type { Headings, Stage } from '../../e2e/tours/stage.ts';
import { hideWindow, stopTime } from '../../e2e/tours/causes.ts';
import { inViewer, modelsOf, ownCopy, savePort } from './stage-helpers.ts';

const unheaded: Headings<typeof progressMachine> = { saved: null, moved: null, saving: null, closing: null, closed: null };

/** What the page's own trace says of the machine that saves progress. */
const recordedReactions = async (page: Page): Promise<Reaction[]> => {
  const record = await recordedTrace(page);
  const reactions =
    record === null ? [] : parseTrace(record).runs.flatMap(({ steps }) => steps.flatMap((step) => step.reactions));
  return reactions.filter(({ actor }) => actor === 'root/screen/flow/tracks/progress');
};

/** The state that it is in, or null when it is not there yet. */
const recordedState = async (page: Page): Promise<unknown> =>
  (await recordedReactions(page)).findLast(({ state }) => state !== undefined)?.state ?? null;

const movesIn = async (page: Page): Promise<number> =>
  (await recordedReactions(page)).filter(({ on }) => on === 'position.moved').length;

/** A save that the server refuses at once: it fails without any time passing on the stopped clock. */
const refused = (port: string) => ({ [`xstate.error.actor.${port}`]: rejections(problems.declined) });

/** Keeping the place of a recording. It has no screen: what it asks of the server tells, and the page's own record. */
export const stage: Stage = {
  ...inViewer,
  name: 'progress',
  models: modelsOf('progress', ({ cases }) => ({
    cases: { ...cases, ...refused('saveProgress'), ...refused('saveLast') },
  })),
  headings: unheaded,
  prepares: (world) => ownCopy(world, 'audio'),
  arrives: async (world) => {
    await expect(world.page.locator('[data-flow="tracks"]')).toHaveAttribute('data-state', '{"attached":"paused"}');
    // The recorder comes when somebody presses something.
    await world.page.keyboard.press('Shift');
    await expect.poll(() => recordedState(world.page)).toBe('saved');
    await stopTime(world);
  },
  reacts: (_, __, to) => (to === 'parent' ? elsewhere : null),
  shows: async (world, { value }) => {
    const player = world.page.locator('[data-flow="tracks"]');
    if (value === elsewhere) return expect(player).toHaveCount(0);
    if (value === 'closing') await expect(player).toHaveAttribute('data-state', '"closing"');
    // While it is moved again, an earlier saving may still be under way.
    if (value !== 'moved') await expect.poll(() => world.waiting('saveProgress') > 0).toBe(value !== 'saved');
    await expect.poll(() => recordedState(world.page)).toBe(value);
  },
  ports: { saveProgress: savePort, saveLast: savePort },
  causes: {
    'position.moved': async ({ page }) => {
      const moves = await movesIn(page);
      await page.locator('[data-event="skip.pressed"][data-value="30"]').click();
      // The recording takes its time to get there.
      await expect.poll(() => movesIn(page)).toBe(moves + 1);
    },
    'page.hidden': hideWindow,
    close: ({ page }) => page.locator('[data-event="close.pressed"]').click(),
  },
};
