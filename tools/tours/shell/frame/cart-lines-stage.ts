import { expect } from '@playwright/test';
import type { SnapshotFrom } from 'xstate';
import { isInCart, type cartLinesMachine } from '../../../../machines/app/cart.ts';
import type { CartLine } from '../../../../machines/model/buying/cart.ts';
import { cartChangesElsewhere, frameArrives, inOtherTabSession } from '../../causes.ts';
import type { Stage } from '../../stage.ts';
import { cartWire, saysSame } from '../../flows/cart/wires.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';

type Context = SnapshotFrom<typeof cartLinesMachine>['context'];

const entriesOf = (lines: CartLine[]) => lines.map((line) => ({ ...line, name: 'A title', isOwned: false, title: null }));

const answer = (lines: CartLine[]) => cartWire(entriesOf(lines));
const says = (lines: CartLine[], body: string): boolean => saysSame(entriesOf(lines), body);

/** The cart has no element of its own: here it is the page of a title, and the number in the top bar. */
export const stage: Stage = {
  name: 'cartLines',
  // What the browser keeps comes at once; stories fill the cart as visitors do.
  models: models.filter(({ name, input }) => name === 'cartLines' && (input as { signedIn: boolean }).signedIn),
  address: () => '/id:1001',
  arrives: frameArrives,
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
  // The page has the button for what can be done, and no other; an answer that lacks what was added is a refusal.
  isPossible: (snapshot, { type, output }) => {
    const { signedIn, sending } = snapshot.context as Context;
    if (!signedIn) return type === 'session.changed';
    if (type === 'title.added' || type === 'title.removed')
      return isInCart(snapshot.context as Context, '1001') === (type === 'title.removed');
    return type !== 'xstate.done.actor.changeCart' || (sending[0]?.isSaved ?? false) === (output as CartLine[]).length > 0;
  },
  causes: {
    'session.changed': (world, event) => inOtherTabSession(world, event),
    'cart.changed': cartChangesElsewhere,
    // Some of the minute has passed with the call that failed: more than what is left of it would end the next call, too.
    'xstate.after.readAgain.cartLines.unread': ({ page, waiting }) =>
      expect(async () => {
        await page.clock.runFor(1_000);
        expect(waiting('readCart')).toBeGreaterThan(0);
      }).toPass({ intervals: [50] }),
  },
};
