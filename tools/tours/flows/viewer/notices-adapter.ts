import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { Locator } from '../../../../machines/model/reading/reading.ts';
import type { BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { followLink, followLinkBehind, removeChapter, findPageIframe, readPlace, touchPage } from './book-page.ts';
import { inViewer, changeModels, buyCopy } from './adapter-helpers.ts';

type Context = { locator: Locator | null; wayBack: Locator | null };
type Value = { wayBack: 'none' | 'looking' | 'reading'; skipped: 'none' | 'told' };

const isLooking = ({ value }: AnyMachineSnapshot): boolean => (value as Value).wayBack === 'looking';

const isBack = ({ context }: AnyMachineSnapshot, { locator }: AnyEventObject): boolean =>
  (locator as Locator).href === (context as Context).wayBack?.href;

/** A link can be followed if there is a page; turning back to its page dismisses the message. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if (event.type !== 'book.moved') return (snapshot.context as Context).locator !== null;
  return !(isLooking(snapshot) && isBack(snapshot, event) && (snapshot.value as Value).skipped === 'told');
};

const turnPage = async (world: WalkContext, direction: 'next' | 'previous'): Promise<void> => {
  const before = await readPlace(world);
  await world.page.locator(`[data-event="turn.pressed"][data-value="${direction}"]`).click();
  await expect.poll(() => readPlace(world)).not.toBe(before);
};

/** Returns to the exact page of the way back, by turning back from the next chapter. */
const turnBack = async (world: WalkContext): Promise<void> => {
  const button = world.page.locator('[data-event="back.pressed"]');
  const chapter = (await button.getAttribute('data-value')) ?? '';
  await followLinkBehind(world, chapter);
  await expect(async () => {
    if (await button.isVisible()) await turnPage(world, 'previous');
    expect(await button.isVisible()).toBe(false);
  }).toPass();
  expect(findPageIframe(world)?.url()).toContain(`/${chapter}`);
};

export const adapter: BrowserAdapter = {
  ...inViewer,
  name: 'notices',
  timeGoesOn: true,
  models: changeModels('notices', () => ({})),
  prepares: (world) => buyCopy(world, 'epub'),
  arrives: ({ page }) => expect(page.locator('[data-flow="book"] footer')).toContainText('%'),
  reacts: () => null,
  isPossible,
  ports: {},
  causes: {
    'book.moved': async (world, event, from) => {
      if (isLooking(from) && isBack(from, event)) await turnBack(world);
    },
    'book.linkPressed': followLink,
    'book.skipped': removeChapter,
    'book.turnRequested': async (world, { direction }) => {
      if (direction === 'next') return touchPage(world, 0.95);
      await findPageIframe(world)?.evaluate(() => focus());
      return world.page.keyboard.press('ArrowLeft');
    },
    'entry.chosen': async ({ page }) => {
      await page.locator('[data-event="contents.pressed"]').click();
      await page.locator('[data-event="entry.chosen"]').first().click();
    },
    'fraction.chosen': ({ page }) => page.locator('[data-event="fraction.chosen"]').press('Home'),
  },
};
