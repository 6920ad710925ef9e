import { expect, type Page } from '@playwright/test';
import type { ProgressInput } from '../../../../machines/model/reading/reading.ts';
import type { progressMachine } from '../../../../machines/reading/progress.ts';
import type { Problem } from '../../../../machines/model/problem.ts';
import { elsewhere, hasLeft } from '../../in-shop.ts';
import { problems, rejections, type PathModel } from '../../../../machines/path-models/path-model.ts';
import type { Headings, Stage, World } from '../../stage.ts';
import { hideWindow, stopTime } from '../../causes.ts';
import { connectionReturns } from './book-page.ts';
import {
  demoTitle,
  inViewer,
  keepsPlace,
  laptop,
  modelsOf,
  ownCopy,
  reactionsOf,
  recordedState,
  savePort,
  tablet,
} from './stage-helpers.ts';

const unheaded: Headings<typeof progressMachine> = {
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

const movesIn = async (page: Page): Promise<number> =>
  (await reactionsOf(page, 'progress')).filter(({ on }) => on === 'position.moved').length;

/** A save that the server refuses at once: it fails while the stopped clock stays at its time. */
const refused = (port: string, ...list: Problem[]) => ({ [`xstate.error.actor.${port}`]: rejections(...list) });

const [here, there, before] = [
  // Where a player begins by itself, so that it does not move.
  { itemId: '1', seconds: 0, totalProgression: 0 },
  { itemId: '5', seconds: 40, totalProgression: 0.9 },
  { itemId: '3', seconds: 20, totalProgression: 0.4 },
];

/** After a refusal the page asks for the other device's place. */
const answerNewer = async ({ page }: World): Promise<void> => {
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

/** The customer's places: at the server, of other devices, and in this browser. */
const prepares = async (world: World, { input }: PathModel): Promise<string> => {
  const { offered, unsent, earlier } = input as ProgressInput;
  const address = await ownCopy(world, 'audio');
  await answerNewer(world);
  const customer = await world.customer();
  const key = { titleId: demoTitle.audio, contextKey: 'audio' };
  if (earlier.length > 0) await customer.hasReached(key.titleId, 'audio', before, tablet);
  if (unsent !== null) await customer.hasReached(key.titleId, 'audio', there, laptop);
  if (offered !== null) await customer.hasReached(key.titleId, 'audio', here, laptop);
  if (offered !== null) await keepsPlace(world, { ...key, position: there });
  if (unsent !== null) await keepsPlace(world, { ...key, position: here, known: { version: 2 }, isSent: false });
  return address;
};

/** Keeping the place of a recording. It has no screen: its calls and the page's own record tell. */
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
  prepares,
  arrives: async (world, model) => {
    await expect(world.page.locator('[data-flow="tracks"]')).toHaveAttribute('data-state', '{"attached":"paused"}');
    // The recorder is fetched at the first press.
    await world.page.keyboard.press('Shift');
    const { unsent } = model.input as ProgressInput;
    await expect.poll(() => recordedState(world.page, 'progress')).toBe(unsent === null ? 'saved' : 'saving');
    await stopTime(world);
  },
  reacts: (fact, _, to) => {
    if (to !== 'parent') return null;
    return fact.type === 'place.wanted' ? { type: 'position.moved', position: fact['place'] } : elsewhere;
  },
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
    'earlier.chosen': async ({ page }) => {
      const moves = await movesIn(page);
      await page.locator('[data-event="earlier.chosen"]').first().click();
      await expect.poll(() => movesIn(page)).toBeGreaterThan(moves);
    },
    'connection.returned': connectionReturns,
    'page.hidden': hideWindow,
    close: ({ page }) => page.locator('[data-event="close.pressed"]').click(),
  },
};
