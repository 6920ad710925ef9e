import { expect } from '@playwright/test';
import type { wishesMachine } from '../../../../machines/app/wish-list.ts';
import { isWished } from '../../../../machines/app/wish-list.ts';
import type { SnapshotFrom } from 'xstate';
import type { Wish } from '../../../../machines/model/buying/wish-list.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { wakeAndWaitForFrame, changeOtherTabSession, changeWishesElsewhere } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { json } from '../../wires.ts';

type Context = SnapshotFrom<typeof wishesMachine>['context'];

/**
 * The list has no element of its own: every appearance of a title has a heart, here on its page.
 */
export const adapter: BrowserAdapter = {
  name: 'wishes',
  // Data of the browser's storage loads at once; e2e tests save titles as visitors.
  models: models.filter(({ name, input }) => name === 'wishes' && (input as { signedIn: boolean }).signedIn),
  address: () => '/id:1001',
  arrives: wakeAndWaitForFrame,
  shows: async ({ page }, snapshot) => {
    const context = snapshot.context as Context;
    const heart = page.locator('[data-flow="title"] [data-event="wish.toggled"][data-value="1001"]');
    await expect(heart).toHaveAttribute('aria-pressed', String(isWished(context, '1001')));
    await expect(page.getByText('We couldn’t change your wish list.')).toHaveCount(context.failure === null ? 0 : 1);
  },
  ports: {
    readWishes: {
      asks: ({ pathname }, method) => pathname.endsWith('/user/wishlist') && method === 'GET',
      answer: (titles: Wish[]) => json({ titles }),
      says: (titles: Wish[], body) => titles.length > 0 === body.includes('"titleId"'),
    },
    changeWishes: {
      asks: ({ pathname }, method) => pathname.endsWith('/user/wishlist') && method === 'POST',
      answer: (titles: Wish[]) => json({ titles }),
      says: (titles: Wish[], body) => titles.length > 0 === body.includes('"titleId"'),
    },
  },
  // A response without the saved title is a refusal.
  isPossible: (snapshot, { type, output }) => {
    const { signedIn, sending } = snapshot.context as Context;
    if (!signedIn) return type === 'session.changed';
    return type !== 'xstate.done.actor.changeWishes' || (sending[0]?.isSaved ?? false) === (output as Wish[]).length > 0;
  },
  causes: {
    'session.changed': (world, event) => changeOtherTabSession(world, event),
    'wishes.changed': changeWishesElsewhere,
    // Part of the minute has passed with the failed call: advancing by more than the rest would
    // time out the next call, too.
    'xstate.after.readAgain.wishes.unread': ({ page, waiting }) =>
      expect(async () => {
        await page.clock.runFor(1_000);
        expect(waiting('readWishes')).toBeGreaterThan(0);
      }).toPass({ intervals: [50] }),
  },
};
