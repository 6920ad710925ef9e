import { expect, type Page } from '@playwright/test';
import type { ProgressInput } from '../../../../machines/model/reading/reading.ts';
import type { progressMachine } from '../../../../machines/reading/progress.ts';
import type { Problem } from '../../../../machines/model/problem.ts';
import { ELSEWHERE, hasLeft } from '../../in-shop.ts';
import { problems, toRejectionCases, type PathModel } from '../../../../machines/path-models/path-model.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { hideWindow } from '../../causes.ts';
import { dispatchOnline } from './book-page.ts';
import {
  demoTitleIds,
  viewerStart,
  storePosition,
  laptop,
  changeModels,
  buyCopy,
  readReactions,
  readRecordedState,
  savePort,
  tablet,
} from './adapter-helpers.ts';
import { pauseClock } from '../../../browser/clock.ts';

const noHeadings: Headings<typeof progressMachine> = {
  arriving: null,
  saved: null,
  moved: null,
  saving: null,
  unsaved: null,
  delayed: null,
  conflict: null,
  closing: null,
  closed: null,
};

const countMoves = async (page: Page): Promise<number> =>
  (await readReactions(page, 'progress')).filter(({ on }) => on === 'position.moved').length;

/**
 * Creates cases of a save that the server refuses at once, so that it fails with a paused clock.
 */
const createRefusalCases = (port: string, ...refusals: Problem[]) => ({
  [`xstate.error.actor.${port}`]: toRejectionCases(...refusals),
});

const [firstPosition, lastPosition, earlierPosition] = [
  // A player starts at one of the first two positions, so that it does not move by itself.
  { itemId: '1', seconds: 0, totalProgression: 0 },
  { itemId: '5', seconds: 40, totalProgression: 0.9 },
  { itemId: '3', seconds: 20, totalProgression: 0.4 },
];

/** Makes the shop respond with another device's position after it has refused a save. */
const stubConflict = async ({ page }: WalkContext): Promise<void> => {
  let isRefused = false;
  page.on('response', (response) => {
    isRefused ||= response.status() === 409 && response.url().includes('/viewer/progress');
  });
  await page.route(
    ({ pathname }) => pathname.endsWith('/viewer/progress'),
    (route) =>
      route.request().method() === 'GET' && isRefused
        ? route.fulfill({
            json: { position: lastPosition, savedAt: '2026-01-02T10:00:00Z', version: 9, device: laptop, earlier: [] },
          })
        : route.fallback(),
  );
};

/** Stores the customer's positions: on the server, of other devices, and in this browser. */
const prepare = async (walk: WalkContext, { input }: PathModel): Promise<string> => {
  const { offered, unsent, earlier } = input as ProgressInput;
  const path = await buyCopy(walk, 'audio');
  await stubConflict(walk);
  const customer = await walk.getCustomer();
  const titleKey = { titleId: demoTitleIds.audio, contextKey: 'audio' };
  if (earlier.length > 0) await customer.saveProgress(titleKey.titleId, 'audio', earlierPosition, tablet);
  if (unsent !== null) await customer.saveProgress(titleKey.titleId, 'audio', lastPosition, laptop);
  if (offered !== null) await customer.saveProgress(titleKey.titleId, 'audio', firstPosition, laptop);
  if (offered !== null) await storePosition(walk, { ...titleKey, position: lastPosition });
  if (unsent !== null) await storePosition(walk, { ...titleKey, position: firstPosition, known: { version: 2 }, isSent: false });
  return path;
};

/**
 * Saving the position of a recording. The machine has no screen: its state is read from its calls
 * and the page's trace.
 */
export const adapter: BrowserAdapter = {
  ...viewerStart,
  name: 'progress',
  models: changeModels('progress', ({ cases }) => ({
    cases: {
      ...cases,
      ...createRefusalCases('saveProgress', problems.declined, problems.rateLimited),
      ...createRefusalCases('saveLast', problems.declined),
    },
  })),
  headings: noHeadings,
  prepare,
  openScreen: async (walk, model) => {
    await expect(walk.page.locator('[data-flow="tracks"]')).toHaveAttribute('data-state', '{"attached":"paused"}');
    // The recorder is loaded on the first user activity.
    await walk.page.keyboard.press('Shift');
    const { unsent } = model.input as ProgressInput;
    await expect.poll(() => readRecordedState(walk.page, 'progress')).toBe(unsent === null ? 'saved' : 'saving');
    await pauseClock(walk);
  },
  getReaction: (fact, _, target) => {
    if (target !== 'parent') return null;
    return fact.type === 'place.requested' ? { type: 'position.moved', position: fact['place'] } : ELSEWHERE;
  },
  checkState: async (walk, snapshot) => {
    const player = walk.page.locator('[data-flow="tracks"]');
    if (hasLeft(snapshot)) return expect(player).toHaveCount(0);
    const { value } = snapshot;
    if (value === 'closing') await expect(player).toHaveAttribute('data-state', '"closing"');
    // While the position changes again, an earlier save may still be in progress.
    const isSending = value === 'saving' || value === 'closing';
    if (value !== 'moved') await expect.poll(() => walk.countHeldRequests('saveProgress') > 0).toBe(isSending);
    await expect.poll(() => readRecordedState(walk.page, 'progress')).toBe(value);
  },
  ports: { saveProgress: savePort, saveLast: savePort },
  causes: {
    'position.moved': async ({ page }) => {
      const moveCount = await countMoves(page);
      await page.locator('[data-event="skip.pressed"][data-value="30"]').click();
      // The recording needs time to seek.
      await expect.poll(() => countMoves(page)).toBe(moveCount + 1);
    },
    'earlier.chosen': async ({ page }) => {
      const moveCount = await countMoves(page);
      await page.locator('[data-event="earlier.chosen"]').first().click();
      await expect.poll(() => countMoves(page)).toBeGreaterThan(moveCount);
    },
    'connection.returned': dispatchOnline,
    'page.hidden': hideWindow,
    close: ({ page }) => page.locator('[data-event="close.pressed"]').click(),
  },
};
