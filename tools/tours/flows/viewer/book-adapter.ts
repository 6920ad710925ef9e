import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { bookMachine } from '../../../../machines/reading/book.ts';
import type { Locator } from '../../../../machines/model/reading/reading.ts';
import { ELSEWHERE, type Reacts } from '../../in-shop.ts';
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
  expireAddresses,
  inViewer,
  createMediaPort,
  changeModels,
  readToTheEnd,
  renewInTime,
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

type Parts = { page: string; panel: string; controls: string; enlarging: string };

const getParts = ({ value }: AnyMachineSnapshot): Parts =>
  (value as { reading?: Parts }).reading ?? { page: '', panel: 'closed', controls: 'shown', enlarging: 'none' };
const hasMoved = ({ context }: AnyMachineSnapshot): boolean => (context as { locator: Locator | null }).locator !== null;

const innerHeading = (snapshot: AnyMachineSnapshot): string | undefined => {
  const { page, panel } = getParts(snapshot);
  if (panel !== 'closed') return panel === 'contents' ? 'Contents' : 'Reading settings';
  return page === 'ended' ? 'The end' : undefined;
};

/** The only position in the model. */
const [moved] = changeModels('book', () => ({})).flatMap(({ cases }) => cases?.['book.moved'] ?? []);

/** The reactions of viewer, storage and pages to the events of the book. */
const reacts: Reacts = (fact, snapshot, to, because) => {
  if (to === 'parent') return ELSEWHERE;
  if (to === 'new rememberLook') {
    return { type: `xstate.${because?.['refused'] === true ? 'error' : 'done'}.actor.rememberLook` };
  }
  if (to === 'notices') return fact.type === 'book.moved' ? { type: 'place.read', ...moved } : null;
  if (to === 'addresses') {
    const items = [{ url: (snapshot.context as { url: string }).url }];
    return toRenewalEvents({ ...because, items } as never, { type: 'book.opened', contents: [] });
  }
  if (fact.type === 'book.notRenewed') return { type: 'book.failed', problem: fact['problem'] };
  if (fact.type === 'book.continue') return [{ type: 'book.continued' }, { type: 'book.moved', ...moved }];
  const moves = ['book.turn', 'book.goTo', 'book.goToFraction', 'book.goToPlace'].includes(fact.type);
  return to === 'pages' && moves ? { type: 'book.moved', ...moved } : null;
};

/** An open panel covers the page and both bars; hidden bars cannot be pressed. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const { page, panel, controls, enlarging } = getParts(snapshot);
  // The enlarged table covers the page; the bars remain.
  if (enlarging === 'enlarged')
    return ['book.reduceRequested', 'turn.pressed'].includes(event.type) && event['direction'] !== 'previous';
  const isBare = panel === 'closed';
  const hasBars = isBare && controls === 'shown';
  const hasPage = hasBars && page === 'open' && hasMoved(snapshot);
  const onwards = event['direction'] === (page === 'ended' ? 'previous' : 'next');
  const possible: Record<string, boolean> = {
    'contents.pressed': hasBars,
    'settings.pressed': hasBars,
    'turn.pressed': hasBars && onwards,
    'book.turnRequested': isBare && onwards,
    'entry.chosen': panel === 'contents' && page !== 'opening',
    'fraction.chosen': hasBars && page === 'open',
    'look.chosen': panel === 'settings' && page !== 'ended',
    'book.controlsRequested': isBare && page === 'open',
    'book.moved': page === 'open' && !hasMoved(snapshot),
    'book.ended': hasBars && hasMoved(snapshot),
    'book.failed': page === 'opening',
    'book.expired': page === 'opening',
    'book.linkPressed': isBare && page === 'open' && hasMoved(snapshot),
    'place.wanted': isBare && page === 'open' && hasMoved(snapshot),
    'book.skipped': hasPage,
    'place.read': false,
    'addresses.renewed': snapshot.value === 'failed',
    'addresses.refused': false,
    'book.enlargeRequested': hasPage,
    'book.reduceRequested': false,
    'book.interrupted': hasPage,
    'book.continued': false,
    'continuation.wanted': hasPage,
    'addresses.failed': false,
    'connection.returned': snapshot.value === 'failed',
    'close.pressed': hasBars && hasMoved(snapshot),
    'xstate.done.actor.progress': snapshot.value === 'closing',
    'xstate.done.actor.rememberLook': false,
    'xstate.error.actor.rememberLook': false,
  };
  return possible[event.type] ?? true;
};

export const adapter: BrowserAdapter = {
  ...inViewer,
  name: 'book',
  timeGoesOn: true,
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
  prepares: (world) => buyShortLivedCopy(world, 'epub'),
  headings,
  innerHeading,
  reacts,
  isPossible,
  ports: {
    pages: createMediaPort(({ pathname }) => /^\/media\/.*book\.epub/.test(pathname)),
    saveProgress: savePort,
  },
  causes: {
    'book.opened': (world) => world.settle(toSettlement('pages')),
    'book.moved': ({ flow }) => expect(flow.locator('footer')).toContainText('%'),
    'book.failed': async (world) => {
      await world.settle(toSettlement('pages', { kind: 'offline' }));
      await expect(world.flow.getByRole('alert')).toBeVisible();
      world.hold('pages');
    },
    'book.expired': (world, { answer }) => expireAddresses(world, 'pages', answer),
    'book.enlargeRequested': enlargeTable,
    'book.reduceRequested': ({ page }) => page.locator('[data-event="book.reduceRequested"]').click(),
    'book.interrupted': async (world) => {
      await blockNextChapter(world);
      await unblockChapters(world);
      await waitForContinuation(world);
    },
    'continuation.wanted': async (world) => {
      await blockNextChapter(world);
      await unblockChapters(world);
      await world.page.locator('[data-event="continue.pressed"]').click();
      await waitForContinuation(world);
    },
    'connection.returned': dispatchOnline,
    'addresses.renewed': renewInTime,
    'book.linkPressed': followLink,
    'book.skipped': removeChapter,
    'place.wanted': async (world) => {
      await followLink(world);
      await world.page.locator('[data-event="back.pressed"]').click();
    },
    'book.turnRequested': async (world, { direction }) => {
      if (direction === 'next') return touchPage(world, 0.95);
      // The end screen covers the page, which still has the focus.
      await findPageIframe(world)?.evaluate(() => focus());
      return world.page.keyboard.press('ArrowLeft');
    },
    'book.controlsRequested': (world) => touchPage(world, 0.5),
    'book.ended': async ({ flow }) => readToTheEnd(flow),
    'look.chosen': async (world, { refused }) => {
      if (refused === true) await blockStorage(world);
      await world.flow.locator('[data-event="look.chosen"][data-value="larger"]').click();
    },
    'page.hidden': hideWindow,
    'close.pressed': closeViewer,
    'xstate.done.actor.progress': (world) => world.settle(toSettlement('saveProgress')),
  },
};
