import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { bookMachine } from '../../../../machines/reading/book.ts';
import type { Locator } from '../../../../machines/model/reading/reading.ts';
import { elsewhere, type Reacts } from '../../in-shop.ts';
import type { Headings, Stage } from '../../stage.ts';
import { hideWindow, refuseStorage } from '../../causes.ts';
import {
  connectionReturns,
  continued,
  enlargeTable,
  followLink,
  leaveOutChapter,
  loseChapter,
  pageIframe,
  regainChapters,
  touch,
} from './book-page.ts';
import {
  close,
  copyForMinutes,
  expire,
  inViewer,
  mediaPort,
  modelsOf,
  readToTheEnd,
  renewInTime,
  renewalOf,
  renewals,
  savePort,
  settled,
} from './stage-helpers.ts';

const headings: Headings<typeof bookMachine> = {
  reading: /The Keeper.s Third Log/,
  failed: 'We couldn’t show this title',
  closing: /The Keeper.s Third Log/,
  closed: null,
};

type Parts = { page: string; panel: string; controls: string; enlarging: string };

const partsOf = ({ value }: AnyMachineSnapshot): Parts =>
  (value as { reading?: Parts }).reading ?? { page: '', panel: 'closed', controls: 'shown', enlarging: 'none' };
const hasMoved = ({ context }: AnyMachineSnapshot): boolean => (context as { locator: Locator | null }).locator !== null;

const innerHeading = (snapshot: AnyMachineSnapshot): string | undefined => {
  const { page, panel } = partsOf(snapshot);
  if (panel !== 'closed') return panel === 'contents' ? 'Contents' : 'Reading settings';
  return page === 'ended' ? 'The end' : undefined;
};

/** The one place that the model knows of. */
const [moved] = modelsOf('book', () => ({})).flatMap(({ cases }) => cases?.['book.moved'] ?? []);

/** What the viewer, the storage and the pages do with what the book tells them. */
const reacts: Reacts = (fact, snapshot, to, because) => {
  if (to === 'parent') return elsewhere;
  if (to === 'new rememberLook') {
    return { type: `xstate.${because?.['refused'] === true ? 'error' : 'done'}.actor.rememberLook` };
  }
  if (to === 'notices') return fact.type === 'book.moved' ? { type: 'place.read', ...moved } : null;
  if (to === 'addresses') {
    const items = [{ url: (snapshot.context as { url: string }).url }];
    return renewalOf({ ...because, items } as never, { type: 'book.opened', contents: [] });
  }
  if (fact.type === 'book.notRenewed') return { type: 'book.failed', problem: fact['problem'] };
  if (fact.type === 'book.continue') return [{ type: 'book.continued' }, { type: 'book.moved', ...moved }];
  const moves = ['book.turn', 'book.goTo', 'book.goToFraction', 'book.goToPlace'].includes(fact.type);
  return to === 'pages' && moves ? { type: 'book.moved', ...moved } : null;
};

/** An open panel veils the page and both bars; bars that are hidden cannot be pressed. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const { page, panel, controls, enlarging } = partsOf(snapshot);
  // The enlarged table lies over the page; the bars stay.
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

export const stage: Stage = {
  ...inViewer,
  name: 'book',
  timeGoesOn: true,
  models: modelsOf('book', ({ cases }) => ({
    kind: (snapshot) => [snapshot.value as unknown, hasMoved(snapshot)],
    cases: {
      ...cases,
      'book.expired': renewals,
      'book.failed': [{ problem: { kind: 'offline' } }],
      'turn.pressed': [{ direction: 'next' }, { direction: 'previous' }],
      'book.turnRequested': [{ direction: 'next' }, { direction: 'previous' }],
      'look.chosen': [false, true].map((refused) => ({ look: { fontScale: 1.1, theme: 'light' }, refused })),
    },
  })),
  prepares: (world) => copyForMinutes(world, 'epub'),
  headings,
  innerHeading,
  reacts,
  isPossible,
  ports: {
    pages: mediaPort(({ pathname }) => /^\/media\/.*book\.epub/.test(pathname)),
    saveProgress: savePort,
  },
  causes: {
    'book.opened': (world) => world.settle(settled('pages')),
    'book.moved': ({ flow }) => expect(flow.locator('footer')).toContainText('%'),
    'book.failed': async (world) => {
      await world.settle(settled('pages', { kind: 'offline' }));
      await expect(world.flow.getByRole('alert')).toBeVisible();
      world.hold('pages');
    },
    'book.expired': (world, { answer }) => expire(world, 'pages', answer),
    'book.enlargeRequested': enlargeTable,
    'book.reduceRequested': ({ page }) => page.locator('[data-event="book.reduceRequested"]').click(),
    'book.interrupted': async (world) => {
      await loseChapter(world);
      await regainChapters(world);
      await continued(world);
    },
    'continuation.wanted': async (world) => {
      await loseChapter(world);
      await regainChapters(world);
      await world.page.locator('[data-event="continue.pressed"]').click();
      await continued(world);
    },
    'connection.returned': connectionReturns,
    'addresses.renewed': renewInTime,
    'book.linkPressed': followLink,
    'book.skipped': leaveOutChapter,
    'place.wanted': async (world) => {
      await followLink(world);
      await world.page.locator('[data-event="back.pressed"]').click();
    },
    'book.turnRequested': async (world, { direction }) => {
      if (direction === 'next') return touch(world, 0.95);
      // The words at the end lie over the page, in which the focus still is.
      await pageIframe(world)?.evaluate(() => focus());
      return world.page.keyboard.press('ArrowLeft');
    },
    'book.controlsRequested': (world) => touch(world, 0.5),
    'book.ended': async ({ flow }) => readToTheEnd(flow),
    'look.chosen': async (world, { refused }) => {
      if (refused === true) await refuseStorage(world);
      await world.flow.locator('[data-event="look.chosen"][data-value="larger"]').click();
    },
    'page.hidden': hideWindow,
    'close.pressed': close,
    'xstate.done.actor.progress': (world) => world.settle(settled('saveProgress')),
  },
};
