import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { Locator } from '../../../../machines/model/reading/reading.ts';
import type { BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { followLink, followLinkToNextChapter, removeChapter, findPageIframe, readPosition, touchPage } from './book-page.ts';
import { viewerStart, changeModels, buyCopy } from './adapter-helpers.ts';

type Context = { locator: Locator | null; wayBack: Locator | null };
type Value = { wayBack: 'none' | 'looking' | 'reading'; skipped: 'none' | 'shown' };

const isLooking = ({ value }: AnyMachineSnapshot): boolean => (value as Value).wayBack === 'looking';

const isMoveBack = ({ context }: AnyMachineSnapshot, { locator }: AnyEventObject): boolean =>
  (locator as Locator).href === (context as Context).wayBack?.href;

/**
 * Whether an event is possible: all but moves need an open page. A move back to the link's page is
 * left out while a skipped chapter is reported: turning the page would dismiss that message.
 */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if (event.type !== 'book.moved') return (snapshot.context as Context).locator !== null;
  return !(isLooking(snapshot) && isMoveBack(snapshot, event) && (snapshot.value as Value).skipped === 'shown');
};

const turnPage = async (walk: WalkContext, direction: 'next' | 'previous'): Promise<void> => {
  const positionBefore = await readPosition(walk);
  await walk.page.locator(`[data-event="turn.pressed"][data-value="${direction}"]`).click();
  await expect.poll(() => readPosition(walk)).not.toBe(positionBefore);
};

/** Returns to the page of the way back, by turning pages back from the next chapter. */
const turnBack = async (walk: WalkContext): Promise<void> => {
  const button = walk.page.locator('[data-event="back.pressed"]');
  const chapter = (await button.getAttribute('data-value')) ?? '';
  await followLinkToNextChapter(walk, chapter);
  await expect(async () => {
    if (await button.isVisible()) await turnPage(walk, 'previous');
    expect(await button.isVisible()).toBe(false);
  }).toPass();
  expect(findPageIframe(walk)?.url()).toContain(`/${chapter}`);
};

export const adapter: BrowserAdapter = {
  ...viewerStart,
  name: 'notices',
  keepsClockRunning: true,
  models: changeModels('notices', () => ({})),
  prepare: (walk) => buyCopy(walk, 'epub'),
  openScreen: ({ page }) => expect(page.locator('[data-flow="book"] footer')).toContainText('%'),
  getReaction: () => null,
  isPossible,
  ports: {},
  causes: {
    'book.moved': async (walk, event, snapshot) => {
      if (isLooking(snapshot) && isMoveBack(snapshot, event)) await turnBack(walk);
    },
    'book.linkPressed': followLink,
    'book.skipped': removeChapter,
    'book.turnRequested': async (walk, { direction }) => {
      if (direction === 'next') return touchPage(walk, 0.95);
      await findPageIframe(walk)?.evaluate(() => focus());
      return walk.page.keyboard.press('ArrowLeft');
    },
    'entry.chosen': async ({ page }) => {
      await page.locator('[data-event="contents.pressed"]').click();
      await page.locator('[data-event="entry.chosen"]').first().click();
    },
    'fraction.chosen': ({ page }) => page.locator('[data-event="fraction.chosen"]').press('Home'),
  },
};
