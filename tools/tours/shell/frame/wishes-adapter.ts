import { expect } from '@playwright/test';
import type { wishesMachine } from '../../../../machines/app/wish-list.ts';
import { isWished } from '../../../../machines/app/wish-list.ts';
import type { SnapshotFrom } from 'xstate';
import type { Wish } from '../../../../machines/model/buying/wish-list.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { wakeAndWaitForFrame, changeOtherTabSession, changeWishesElsewhere } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';

type Context = SnapshotFrom<typeof wishesMachine>['context'];

/**
 * The wish list has no element: every appearance of a title shows it by a heart; a walk checks the
 * one on the title's page.
 */
export const adapter: BrowserAdapter = {
  name: 'wishes',
  // A visitor's list loads at once from the storage, so no walk covers it; it has e2e tests.
  models: models.filter(({ name, input }) => name === 'wishes' && (input as { signedIn: boolean }).signedIn),
  getStartPath: () => '/id:1001',
  openScreen: wakeAndWaitForFrame,
  checkState: async ({ page }, snapshot) => {
    const context = snapshot.context as Context;
    const heart = page.locator('[data-flow="title"] [data-event="wish.toggled"][data-value="1001"]');
    await expect(heart).toHaveAttribute('aria-pressed', String(isWished(context, '1001')));
    await expect(page.getByText('We couldn’t change your wish list.')).toHaveCount(context.failure === null ? 0 : 1);
  },
  ports: {
    readWishes: {
      matches: ({ pathname }, method) => pathname.endsWith('/user/wishlist') && method === 'GET',
      toResponse: (titles: Wish[]) => toJsonResponse({ titles }),
      isEquivalent: (titles: Wish[], body) => titles.length > 0 === body.includes('"titleId"'),
    },
    changeWishes: {
      matches: ({ pathname }, method) => pathname.endsWith('/user/wishlist') && method === 'POST',
      toResponse: (titles: Wish[]) => toJsonResponse({ titles }),
      isEquivalent: (titles: Wish[], body) => titles.length > 0 === body.includes('"titleId"'),
    },
  },
  // A response that lacks the saved title would be a refusal.
  isPossible: (snapshot, { type, output }) => {
    const { signedIn, sending } = snapshot.context as Context;
    if (!signedIn) return type === 'session.changed';
    return type !== 'xstate.done.actor.changeWishes' || (sending[0]?.isSaved ?? false) === (output as Wish[]).length > 0;
  },
  causes: {
    'session.changed': (walk, event) => changeOtherTabSession(walk, event),
    'wishes.changed': changeWishesElsewhere,
    // Part of the minute has passed during the failed call: the clock advances in small steps, so
    // that it does not also pass the timeout of the next call.
    'xstate.after.readAgain.wishes.unread': ({ page, countHeldRequests }) =>
      expect(async () => {
        await page.clock.runFor(1_000);
        expect(countHeldRequests('readWishes')).toBeGreaterThan(0);
      }).toPass({ intervals: [50] }),
  },
};
