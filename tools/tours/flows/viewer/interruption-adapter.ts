import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { interruptionMachine } from '../../../../machines/reading/interruption.ts';
import { pauseClock } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { dispatchOnline, blockNextChapter, blockChapters, unblockChapters } from './book-page.ts';
import { inViewer, changeModels, buyCopy } from './adapter-helpers.ts';

const noHeadings: Headings<typeof interruptionMachine> = { none: null, waiting: null, trying: null };

/** The book's reaction to "Continue": the chapter loads, unless the walk's event says otherwise. */
const toContinuation = (because: AnyEventObject | null): AnyEventObject =>
  because?.['comes'] === false ? { type: 'interrupted', problem: { kind: 'offline' } } : { type: 'continued' };

/** A closed message has no buttons. */
const isOnPage = ({ context }: AnyMachineSnapshot, { type }: AnyEventObject): boolean =>
  !(context as { isHidden: boolean }).isHidden || (type !== 'continue.pressed' && type !== 'interruption.dismissed');

const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean =>
  event.type !== 'continued' && (event.type !== 'interrupted' || snapshot.value === 'none') && isOnPage(snapshot, event);

/** The message of a book whose next chapter fails to load. */
export const adapter: BrowserAdapter = {
  ...inViewer,
  name: 'interruption',
  models: changeModels('interruption', () => ({
    cases: { interrupted: [{ problem: { kind: 'offline' } }], 'continue.pressed': [{ comes: true }, { comes: false }] },
  })),
  headings: noHeadings,
  prepares: (world) => buyCopy(world, 'epub'),
  arrives: async (world) => {
    await expect(world.page.locator('[data-flow="book"] footer')).toContainText('%');
    await pauseClock(world);
  },
  reacts: (_, __, to, because) => (to === 'parent' ? toContinuation(because) : null),
  isPossible,
  ports: {},
  causes: {
    interrupted: async (world) => {
      await blockNextChapter(world);
      await unblockChapters(world);
    },
    'connection.returned': dispatchOnline,
    'continue.pressed': async (world, { comes }) => {
      if (comes === false) await blockChapters(world);
      const failed = comes === false ? world.page.waitForEvent('requestfailed') : null;
      await world.page.locator('[data-event="continue.pressed"]').click();
      await failed;
      await unblockChapters(world);
    },
  },
};
