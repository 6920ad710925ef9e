import { expect, type Page } from '@playwright/test';
import type { ProgressInput } from '../../../../machines/model/reading/reading.ts';
import type { progressMachine } from '../../../../machines/reading/progress.ts';
import type { Problem } from '../../../../machines/model/problem.ts';
import { ELSEWHERE, hasLeft } from '../../in-shop.ts';
import { problems, toRejectionCases, type PathModel } from '../../../../machines/path-models/path-model.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { hideWindow, pauseClock } from '../../causes.ts';
import { dispatchOnline } from './book-page.ts';
import {
  demoTitle,
  inViewer,
  rememberPlace,
  laptop,
  changeModels,
  buyCopy,
  readReactions,
  readRecordedState,
  savePort,
  tablet,
} from './adapter-helpers.ts';

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

/** A save that the server refuses at once, so that it fails while the clock is paused. */
const createRefusalCases = (port: string, ...list: Problem[]) => ({ [`xstate.error.actor.${port}`]: toRejectionCases(...list) });

const [here, there, before] = [
  // Positions at which a player starts by itself, so that it does not move.
  { itemId: '1', seconds: 0, totalProgression: 0 },
  { itemId: '5', seconds: 40, totalProgression: 0.9 },
  { itemId: '3', seconds: 20, totalProgression: 0.4 },
];

/** After a refusal the page loads the other device's position. */
const answerConflict = async ({ page }: WalkContext): Promise<void> => {
  let isRefused = false;
  page.on('response', (response) => {
    isRefused ||= response.status() === 409 && response.url().includes('/viewer/progress');
  });
  await page.route(
    ({ pathname }) => pathname.endsWith('/viewer/progress'),
    (route) =>
      route.request().method() === 'GET' && isRefused
        ? route.fulfill({ json: { position: there, savedAt: '2026-01-02T10:00:00Z', version: 9, device: laptop, earlier: [] } })
        : route.fallback(),
  );
};

/** The customer's positions: on the server, of other devices, and in this browser. */
const prepares = async (world: WalkContext, { input }: PathModel): Promise<string> => {
  const { offered, unsent, earlier } = input as ProgressInput;
  const address = await buyCopy(world, 'audio');
  await answerConflict(world);
  const customer = await world.customer();
  const key = { titleId: demoTitle.audio, contextKey: 'audio' };
  if (earlier.length > 0) await customer.saveProgress(key.titleId, 'audio', before, tablet);
  if (unsent !== null) await customer.saveProgress(key.titleId, 'audio', there, laptop);
  if (offered !== null) await customer.saveProgress(key.titleId, 'audio', here, laptop);
  if (offered !== null) await rememberPlace(world, { ...key, position: there });
  if (unsent !== null) await rememberPlace(world, { ...key, position: here, known: { version: 2 }, isSent: false });
  return address;
};

/**
 * Saving the position of a recording. It has no screen: its calls and the page's own record show
 * it.
 */
export const adapter: BrowserAdapter = {
  ...inViewer,
  name: 'progress',
  models: changeModels('progress', ({ cases }) => ({
    cases: {
      ...cases,
      ...createRefusalCases('saveProgress', problems.declined, problems.rateLimited),
      ...createRefusalCases('saveLast', problems.declined),
    },
  })),
  headings: noHeadings,
  prepares,
  arrives: async (world, model) => {
    await expect(world.page.locator('[data-flow="tracks"]')).toHaveAttribute('data-state', '{"attached":"paused"}');
    // The recorder is loaded on the first user activity.
    await world.page.keyboard.press('Shift');
    const { unsent } = model.input as ProgressInput;
    await expect.poll(() => readRecordedState(world.page, 'progress')).toBe(unsent === null ? 'saved' : 'saving');
    await pauseClock(world);
  },
  reacts: (fact, _, to) => {
    if (to !== 'parent') return null;
    return fact.type === 'place.wanted' ? { type: 'position.moved', position: fact['place'] } : ELSEWHERE;
  },
  shows: async (world, snapshot) => {
    const player = world.page.locator('[data-flow="tracks"]');
    if (hasLeft(snapshot)) return expect(player).toHaveCount(0);
    const { value } = snapshot;
    if (value === 'closing') await expect(player).toHaveAttribute('data-state', '"closing"');
    // While the position changes again, an earlier save may still be in progress.
    const isSending = value === 'saving' || value === 'closing';
    if (value !== 'moved') await expect.poll(() => world.waiting('saveProgress') > 0).toBe(isSending);
    await expect.poll(() => readRecordedState(world.page, 'progress')).toBe(value);
  },
  ports: { saveProgress: savePort, saveLast: savePort },
  causes: {
    'position.moved': async ({ page }) => {
      const moves = await countMoves(page);
      await page.locator('[data-event="skip.pressed"][data-value="30"]').click();
      // The recording needs time to seek.
      await expect.poll(() => countMoves(page)).toBe(moves + 1);
    },
    'earlier.chosen': async ({ page }) => {
      const moves = await countMoves(page);
      await page.locator('[data-event="earlier.chosen"]').first().click();
      await expect.poll(() => countMoves(page)).toBeGreaterThan(moves);
    },
    'connection.returned': dispatchOnline,
    'page.hidden': hideWindow,
    close: ({ page }) => page.locator('[data-event="close.pressed"]').click(),
  },
};
