import { expect, type Page } from '@playwright/test';
import type { progressMachine } from '../../../machines/reading/progress.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { elsewhere, hasLeft } from '../../e2e/tours/in-shop.ts';
import { problems, rejections } from '../../support/path-model.ts';
import type { Headings, Stage } from '../../e2e/tours/stage.ts';
import { hideWindow, stopTime } from '../../e2e/tours/causes.ts';
import { inViewer, modelsOf, ownCopy, reactionsOf, recordedState, savePort } from './stage-helpers.ts';

const unheaded: Headings<typeof progressMachine> = {
  saved: null,
  moved: null,
  saving: null,
  unsaved: null,
  delayed: null,
  closing: null,
  closed: null,
};

const movesIn = async (page: Page): Promise<number> =>
  (await reactionsOf(page, 'progress')).filter(({ on }) => on === 'position.moved').length;

/** A save that the server refuses at once: it fails without any time passing on the stopped clock. */
const refused = (port: string, ...list: Problem[]) => ({ [`xstate.error.actor.${port}`]: rejections(...list) });

/** Keeping the place of a recording. It has no screen: what it asks of the server tells, and the page's own record. */
export const stage: Stage = {
  ...inViewer,
  name: 'progress',
  models: modelsOf('progress', ({ cases }) => ({
    cases: {
      ...cases,
      ...refused('saveProgress', problems.declined, problems.rateLimited),
      ...refused('saveLast', problems.declined),
    },
  })),
  headings: unheaded,
  prepares: (world) => ownCopy(world, 'audio'),
  arrives: async (world) => {
    await expect(world.page.locator('[data-flow="tracks"]')).toHaveAttribute('data-state', '{"attached":"paused"}');
    // The recorder comes when somebody presses something.
    await world.page.keyboard.press('Shift');
    await expect.poll(() => recordedState(world.page, 'progress')).toBe('saved');
    await stopTime(world);
  },
  reacts: (_, __, to) => (to === 'parent' ? elsewhere : null),
  shows: async (world, snapshot) => {
    const player = world.page.locator('[data-flow="tracks"]');
    if (hasLeft(snapshot)) return expect(player).toHaveCount(0);
    const { value } = snapshot;
    if (value === 'closing') await expect(player).toHaveAttribute('data-state', '"closing"');
    // While it is moved again, an earlier saving may still be under way.
    const isSending = value === 'saving' || value === 'closing';
    if (value !== 'moved') await expect.poll(() => world.waiting('saveProgress') > 0).toBe(isSending);
    await expect.poll(() => recordedState(world.page, 'progress')).toBe(value);
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
