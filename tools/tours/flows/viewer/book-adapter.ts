import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { bookMachine } from '../../../../machines/reading/book.ts';
import type { Locator } from '../../../../machines/model/reading/reading.ts';
import { ELSEWHERE, type GetReaction } from '../../in-shop.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { hideWindow, blockStorage } from '../../causes.ts';
import {
  dispatchOnline,
  waitForContinuation,
  enlargeTable,
  followLink,
  removeChapter,
  blockNextChapter,
  findPageIframe,
  unblockChapters,
  touchPage,
} from './book-page.ts';
import {
  closeViewer,
  buyShortLivedCopy,
  expireMediaUrls,
  viewerStart,
  createMediaPort,
  changeModels,
  readToTheEnd,
  renewMediaUrls,
  toRenewalEvents,
  renewalCases,
  savePort,
  toSettlement,
} from './adapter-helpers.ts';

const headings: Headings<typeof bookMachine> = {
  reading: /The Keeper.s Third Log/,
  failed: 'We couldn’t show this title',
  closing: /The Keeper.s Third Log/,
  closed: null,
};

type ReadingState = { page: string; panel: string; controls: string; enlarging: string };

const getReadingState = ({ value }: AnyMachineSnapshot): ReadingState =>
  (value as { reading?: ReadingState }).reading ?? { page: '', panel: 'closed', controls: 'shown', enlarging: 'none' };
const hasMoved = ({ context }: AnyMachineSnapshot): boolean => (context as { locator: Locator | null }).locator !== null;

const getNestedHeading = (snapshot: AnyMachineSnapshot): string | undefined => {
  const { page, panel } = getReadingState(snapshot);
  if (panel !== 'closed') return panel === 'contents' ? 'Contents' : 'Reading settings';
  return page === 'ended' ? 'The end' : undefined;
};

/** The only case of a moved position in the model. */
const [movedCase] = changeModels('book', () => ({})).flatMap(({ cases }) => cases?.['book.moved'] ?? []);

/** Returns the reactions of the viewer, the storage and the pages to the events of the book. */
const getReaction: GetReaction = (fact, snapshot, target, cause) => {
  if (target === 'parent') return ELSEWHERE;
  if (target === 'new saveLook') {
    return { type: `xstate.${cause?.['refused'] === true ? 'error' : 'done'}.actor.saveLook` };
  }
  if (target === 'notices') return fact.type === 'book.moved' ? { type: 'place.changed', ...movedCase } : null;
  if (target === 'addresses') {
    const items = [{ url: (snapshot.context as { url: string }).url }];
    return toRenewalEvents({ ...cause, items } as never, { type: 'book.opened', contents: [] });
  }
  if (fact.type === 'book.notRenewed') return { type: 'book.failed', problem: fact['problem'] };
  if (fact.type === 'book.continue') return [{ type: 'book.continued' }, { type: 'book.moved', ...movedCase }];
  const movesBook = ['book.turn', 'book.goTo', 'book.goToFraction', 'book.goToPlace'].includes(fact.type);
  return target === 'pages' && movesBook ? { type: 'book.moved', ...movedCase } : null;
};

/** Whether an event is possible: an open panel covers the page and both bars. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const { page, panel, controls, enlarging } = getReadingState(snapshot);
  // The enlarged table covers the page, but not the bars.
  if (enlarging === 'enlarged')
    return ['book.reduceRequested', 'turn.pressed'].includes(event.type) && event['direction'] !== 'previous';
  const isUncovered = panel === 'closed';
  const hasBars = isUncovered && controls === 'shown';
  const hasPage = hasBars && page === 'open' && hasMoved(snapshot);
  const isAllowedDirection = event['direction'] === (page === 'ended' ? 'previous' : 'next');
  const possibleByType: Record<string, boolean> = {
    'contents.pressed': hasBars,
    'settings.pressed': hasBars,
    'turn.pressed': hasBars && isAllowedDirection,
    'book.turnRequested': isUncovered && isAllowedDirection,
    'entry.chosen': panel === 'contents' && page !== 'opening',
    'fraction.chosen': hasBars && page === 'open',
    'look.chosen': panel === 'settings' && page !== 'ended',
    'book.controlsRequested': isUncovered && page === 'open',
    'book.moved': page === 'open' && !hasMoved(snapshot),
    'book.ended': hasBars && hasMoved(snapshot),
    'book.failed': page === 'opening',
    'book.expired': page === 'opening',
    'book.linkPressed': isUncovered && page === 'open' && hasMoved(snapshot),
    'place.requested': isUncovered && page === 'open' && hasMoved(snapshot),
    'book.skipped': hasPage,
    'place.changed': false,
    'addresses.renewed': snapshot.value === 'failed',
    'addresses.refused': false,
    'book.enlargeRequested': hasPage,
    'book.reduceRequested': false,
    'book.interrupted': hasPage,
    'book.continued': false,
    'continuation.requested': hasPage,
    'addresses.failed': false,
    'connection.returned': snapshot.value === 'failed',
    'close.pressed': hasBars && hasMoved(snapshot),
    'xstate.done.actor.progress': snapshot.value === 'closing',
    'xstate.done.actor.saveLook': false,
    'xstate.error.actor.saveLook': false,
  };
  return possibleByType[event.type] ?? true;
};

export const adapter: BrowserAdapter = {
  ...viewerStart,
  name: 'book',
  keepsClockRunning: true,
  models: changeModels('book', ({ cases }) => ({
    kind: (snapshot) => [snapshot.value as unknown, hasMoved(snapshot)],
    cases: {
      ...cases,
      'book.expired': renewalCases,
      'book.failed': [{ problem: { kind: 'offline' } }],
      'turn.pressed': [{ direction: 'next' }, { direction: 'previous' }],
      'book.turnRequested': [{ direction: 'next' }, { direction: 'previous' }],
      'look.chosen': [false, true].map((refused) => ({ look: { fontScale: 1.1, theme: 'light' }, refused })),
    },
  })),
  prepare: (walk) => buyShortLivedCopy(walk, 'epub'),
  headings,
  getNestedHeading,
  getReaction,
  isPossible,
  ports: {
    pages: createMediaPort(({ pathname }) => /^\/media\/.*book\.epub/.test(pathname)),
    saveProgress: savePort,
  },
  causes: {
    'book.opened': (walk) => walk.settle(toSettlement('pages')),
    'book.moved': ({ flow }) => expect(flow.locator('footer')).toContainText('%'),
    'book.failed': async (walk) => {
      await walk.settle(toSettlement('pages', { kind: 'offline' }));
      await expect(walk.flow.getByRole('alert')).toBeVisible();
      walk.hold('pages');
    },
    'book.expired': (walk, { answer }) => expireMediaUrls(walk, 'pages', answer),
    'book.enlargeRequested': enlargeTable,
    'book.reduceRequested': ({ page }) => page.locator('[data-event="book.reduceRequested"]').click(),
    'book.interrupted': async (walk) => {
      await blockNextChapter(walk);
      await unblockChapters(walk);
      await waitForContinuation(walk);
    },
    'continuation.requested': async (walk) => {
      await blockNextChapter(walk);
      await unblockChapters(walk);
      await walk.page.locator('[data-event="continue.pressed"]').click();
      await waitForContinuation(walk);
    },
    'connection.returned': dispatchOnline,
    'addresses.renewed': renewMediaUrls,
    'book.linkPressed': followLink,
    'book.skipped': removeChapter,
    'place.requested': async (walk) => {
      await followLink(walk);
      await walk.page.locator('[data-event="back.pressed"]').click();
    },
    'book.turnRequested': async (walk, { direction }) => {
      if (direction === 'next') return touchPage(walk, 0.95);
      // The end screen covers the page, which still has the focus.
      await findPageIframe(walk)?.evaluate(() => focus());
      return walk.page.keyboard.press('ArrowLeft');
    },
    'book.controlsRequested': (walk) => touchPage(walk, 0.5),
    'book.ended': async ({ flow }) => readToTheEnd(flow),
    'look.chosen': async (walk, { refused }) => {
      if (refused === true) await blockStorage(walk);
      await walk.flow.locator('[data-event="look.chosen"][data-value="larger"]').click();
    },
    'page.hidden': hideWindow,
    'close.pressed': closeViewer,
    'xstate.done.actor.progress': (walk) => walk.settle(toSettlement('saveProgress')),
  },
};
