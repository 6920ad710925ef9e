import { expect } from '@playwright/test';
import type { SnapshotFrom } from 'xstate';
import { isInCart, type cartLinesMachine } from '../../../../machines/app/cart.ts';
import type { CartLine } from '../../../../machines/model/buying/cart.ts';
import { changeCartElsewhere, wakeAndWaitForFrame, changeOtherTabSession } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { toCartXml, matchesCart } from '../../flows/cart/wires.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';

type Context = SnapshotFrom<typeof cartLinesMachine>['context'];

const toEntries = (lines: CartLine[]) => lines.map((line) => ({ ...line, name: 'A title', isOwned: false, title: null }));

const toCartResponse = (lines: CartLine[]) => toCartXml(toEntries(lines));
const isEquivalentCart = (lines: CartLine[], body: string): boolean => matchesCart(toEntries(lines), body);

/**
 * The cart's lines have no element: their state shows on the page of a title, and in the number in
 * the top bar.
 */
export const adapter: BrowserAdapter = {
  name: 'cartLines',
  // A visitor's cart loads at once from the storage, so no walk covers it; it has e2e tests.
  models: models.filter(({ name, input }) => name === 'cartLines' && (input as { signedIn: boolean }).signedIn),
  getStartPath: () => '/id:1001',
  openScreen: wakeAndWaitForFrame,
  checkState: async ({ page }, snapshot) => {
    const context = snapshot.context as Context;
    const isSaved = isInCart(context, '1001');
    await expect(page.locator('[data-flow="title"] [data-event="title.added"]')).toHaveCount(isSaved ? 0 : 1);
    await expect(page.locator('header [data-count]')).toHaveAttribute('data-count', isSaved ? '1' : '0');
    await expect(page.getByText('We couldn’t change your cart.')).toHaveCount(context.failure === null ? 0 : 1);
  },
  ports: {
    readCart: {
      matches: ({ pathname }) => pathname.endsWith('/cart/titles'),
      toResponse: toCartResponse,
      isEquivalent: isEquivalentCart,
    },
    changeCart: {
      matches: ({ pathname }) => /\/cart\/(add|remove)$/.test(pathname),
      toResponse: toCartResponse,
      isEquivalent: isEquivalentCart,
    },
  },
  // The page has only the button of the possible action. A response that lacks the added title
  // would be a refusal.
  isPossible: (snapshot, { type, output }) => {
    const { signedIn, sending } = snapshot.context as Context;
    if (!signedIn) return type === 'session.changed';
    if (type === 'title.added' || type === 'title.removed')
      return isInCart(snapshot.context as Context, '1001') === (type === 'title.removed');
    return type !== 'xstate.done.actor.changeCart' || (sending[0]?.isSaved ?? false) === (output as CartLine[]).length > 0;
  },
  causes: {
    'session.changed': (walk, event) => changeOtherTabSession(walk, event),
    'cart.changed': changeCartElsewhere,
    // Part of the minute has passed during the failed call: the clock advances in small steps, so
    // that it does not also pass the timeout of the next call.
    'xstate.after.readAgain.cartLines.unread': ({ page, countHeldRequests }) =>
      expect(async () => {
        await page.clock.runFor(1_000);
        expect(countHeldRequests('readCart')).toBeGreaterThan(0);
      }).toPass({ intervals: [50] }),
  },
};
