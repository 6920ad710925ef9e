import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { Locator } from '../../../../machines/model/reading/reading.ts';
import type { Stage, World } from '../../stage.ts';
import { followLink, followLinkBehind, leaveOutChapter, pageIframe, placeOf, touch } from './book-page.ts';
import { inViewer, modelsOf, ownCopy } from './stage-helpers.ts';

type Context = { locator: Locator | null; wayBack: Locator | null };
type Value = { wayBack: 'none' | 'looking' | 'reading'; skipped: 'none' | 'told' };

const isLooking = ({ value }: AnyMachineSnapshot): boolean => (value as Value).wayBack === 'looking';

const isBack = ({ context }: AnyMachineSnapshot, { locator }: AnyEventObject): boolean =>
  (locator as Locator).href === (context as Context).wayBack?.href;

/** A link can be followed when there is a page; whoever turns back to it has read the message. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if (event.type !== 'book.moved') return (snapshot.context as Context).locator !== null;
  return !(isLooking(snapshot) && isBack(snapshot, event) && (snapshot.value as Value).skipped === 'told');
};

const turn = async (world: World, direction: 'next' | 'previous'): Promise<void> => {
  const before = await placeOf(world);
  await world.page.locator(`[data-event="turn.pressed"][data-value="${direction}"]`).click();
  await expect.poll(() => placeOf(world)).not.toBe(before);
};

/** Back to the very page that the way back leads to, by turning back from the chapter behind it. */
const turnBack = async (world: World): Promise<void> => {
  const button = world.page.locator('[data-event="back.pressed"]');
  const chapter = (await button.getAttribute('data-value')) ?? '';
  await followLinkBehind(world, chapter);
  await expect(async () => {
    if (await button.isVisible()) await turn(world, 'previous');
    expect(await button.isVisible()).toBe(false);
  }).toPass();
  expect(pageIframe(world)?.url()).toContain(`/${chapter}`);
};

export const stage: Stage = {
  ...inViewer,
  name: 'notices',
  timeGoesOn: true,
  models: modelsOf('notices', () => ({})),
  prepares: (world) => ownCopy(world, 'epub'),
  arrives: ({ page }) => expect(page.locator('[data-flow="book"] footer')).toContainText('%'),
  reacts: () => null,
  isPossible,
  ports: {},
  causes: {
    'book.moved': async (world, event, from) => {
      if (isLooking(from) && isBack(from, event)) await turnBack(world);
    },
    'book.linkPressed': followLink,
    'book.skipped': leaveOutChapter,
    'book.turnRequested': async (world, { direction }) => {
      if (direction === 'next') return touch(world, 0.95);
      await pageIframe(world)?.evaluate(() => focus());
      return world.page.keyboard.press('ArrowLeft');
    },
    'entry.chosen': async ({ page }) => {
      await page.locator('[data-event="contents.pressed"]').click();
      await page.locator('[data-event="entry.chosen"]').first().click();
    },
    'fraction.chosen': ({ page }) => page.locator('[data-event="fraction.chosen"]').press('Home'),
  },
};
