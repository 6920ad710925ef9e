import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { interruptionMachine } from '../../../../machines/reading/interruption.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { dispatchOnline, blockNextChapter, blockChapters, unblockChapters } from './book-page.ts';
import { viewerStart, changeModels, buyCopy } from './adapter-helpers.ts';
import { pauseClock } from '../../../browser/clock.ts';

const noHeadings: Headings<typeof interruptionMachine> = { none: null, waiting: null, trying: null };

/** Returns the book's reaction to “Continue”: the chapter loads, unless `loads` is false. */
const toContinuation = (cause: AnyEventObject | null): AnyEventObject =>
  cause?.['loads'] === false ? { type: 'interrupted', problem: { kind: 'offline' } } : { type: 'continued' };

/** False for the buttons of a message that is closed. */
const hasButton = ({ context }: AnyMachineSnapshot, { type }: AnyEventObject): boolean =>
  !(context as { isHidden: boolean }).isHidden || (type !== 'continue.pressed' && type !== 'interruption.dismissed');

const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean =>
  event.type !== 'continued' && (event.type !== 'interrupted' || snapshot.value === 'none') && hasButton(snapshot, event);

/** The message of a book whose next chapter fails to load. */
export const adapter: BrowserAdapter = {
  ...viewerStart,
  name: 'interruption',
  models: changeModels('interruption', () => ({
    cases: { interrupted: [{ problem: { kind: 'offline' } }], 'continue.pressed': [{ loads: true }, { loads: false }] },
  })),
  headings: noHeadings,
  prepare: (walk) => buyCopy(walk, 'epub'),
  openScreen: async (walk) => {
    await expect(walk.page.locator('[data-flow="book"] footer')).toContainText('%');
    await pauseClock(walk);
  },
  getReaction: (_, __, target, cause) => (target === 'parent' ? toContinuation(cause) : null),
  isPossible,
  ports: {},
  causes: {
    interrupted: async (walk) => {
      await blockNextChapter(walk);
      await unblockChapters(walk);
    },
    'connection.returned': dispatchOnline,
    'continue.pressed': async (walk, { loads }) => {
      if (loads === false) await blockChapters(walk);
      const failedRequest = loads === false ? walk.page.waitForEvent('requestfailed') : null;
      await walk.page.locator('[data-event="continue.pressed"]').click();
      await failedRequest;
      await unblockChapters(walk);
    },
  },
};
