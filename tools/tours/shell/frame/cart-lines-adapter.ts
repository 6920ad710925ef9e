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

const answer = (lines: CartLine[]) => toCartXml(toEntries(lines));
const says = (lines: CartLine[], body: string): boolean => matchesCart(toEntries(lines), body);

/**
 * The cart has no element of its own: it is checked on a title page, and by the number in the top
 * bar.
 */
export const adapter: BrowserAdapter = {
  name: 'cartLines',
  // Data of the browser's storage loads at once; e2e tests fill a visitor's cart.
  models: models.filter(({ name, input }) => name === 'cartLines' && (input as { signedIn: boolean }).signedIn),
  address: () => '/id:1001',
  arrives: wakeAndWaitForFrame,
  shows: async ({ page }, snapshot) => {
    const context = snapshot.context as Context;
    const isThere = isInCart(context, '1001');
    await expect(page.locator('[data-flow="title"] [data-event="title.added"]')).toHaveCount(isThere ? 0 : 1);
    await expect(page.locator('header [data-count]')).toHaveAttribute('data-count', isThere ? '1' : '0');
    await expect(page.getByText('We couldn’t change your cart.')).toHaveCount(context.failure === null ? 0 : 1);
  },
  ports: {
    readCart: { asks: ({ pathname }) => pathname.endsWith('/cart/titles'), answer, says },
    changeCart: { asks: ({ pathname }) => /\/cart\/(add|remove)$/.test(pathname), answer, says },
  },
  // The page has only the button of the possible action; a response without the added title is a
  // refusal.
  isPossible: (snapshot, { type, output }) => {
    const { signedIn, sending } = snapshot.context as Context;
    if (!signedIn) return type === 'session.changed';
    if (type === 'title.added' || type === 'title.removed')
      return isInCart(snapshot.context as Context, '1001') === (type === 'title.removed');
    return type !== 'xstate.done.actor.changeCart' || (sending[0]?.isSaved ?? false) === (output as CartLine[]).length > 0;
  },
  causes: {
    'session.changed': (world, event) => changeOtherTabSession(world, event),
    'cart.changed': changeCartElsewhere,
    // Part of the minute has passed with the failed call: advancing by more than the rest would
    // time out the next call, too.
    'xstate.after.readAgain.cartLines.unread': ({ page, waiting }) =>
      expect(async () => {
        await page.clock.runFor(1_000);
        expect(waiting('readCart')).toBeGreaterThan(0);
      }).toPass({ intervals: [50] }),
  },
};
