import { expect } from '@playwright/test';
import type { Route } from '../../../../machines/flows/route.ts';
import { problems } from '../../../../machines/path-models/path-model.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import {
  goBackTo,
  chooseLanguages,
  waitForFrame,
  hideWindow,
  changeOtherTabSession,
  waitForRecorder,
  pay,
  returnToPage,
  stubGateway,
  wakeFrameWithPausedClock,
} from '../../causes.ts';
import type { BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { json, typeEmail } from '../../wires.ts';
import { isPossible, models, reacts, type Context } from './tour-model.ts';

const chunks = ['landing', 'catalogue', 'title', 'sign-in', 'purchase', 'library', 'not-found'].join('|');

/** A call of the current page is refused because its session has ended. */
const endSession = async (world: WalkContext, port: string): Promise<void> => {
  world.injected(`${port} refused in place of the server's answer`);
  await world.settle({ type: `xstate.error.actor.${port}`, error: problems.unauthorized });
  world.hold(port);
};

/** The browser fires a storage event without a change. */
const announceSameSession = async ({ page, injected }: WalkContext): Promise<void> => {
  injected('another tab that signs in the same customer');
  await page.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'id_token' })));
};

/** Gives the started payment its page at the gateway, unless it already has one. */
const leave = async (world: WalkContext): Promise<void> => {
  if (await world.page.locator('[data-flow="payment"][data-state=\'"actionRequired"\']').isVisible()) return;
  await world.settle({ type: 'xstate.done.actor.startPayment', output: null });
  await new ShopPage(world.page).waitForState('payment', 'actionRequired');
};

export const adapter: BrowserAdapter = {
  name: 'screen',
  models,
  address: () => '/',
  reacts,
  isPossible,
  isLast: ({ event, from: { snapshot } }) =>
    ['page.returned', 'leave', 'action.ended'].includes(event.type) || snapshot.matches('unfetched'),
  prepares: async (world) => {
    // Disables preloading, so that chunks load only when the walk lets them.
    await world.page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
    await stubGateway(world);
    return undefined;
  },
  shows: async ({ page, flow }, snapshot) => {
    const { route } = snapshot.context as Context;
    await expect(flow).toHaveAttribute('data-state', JSON.stringify(snapshot.value));
    if (snapshot.matches('unfetched')) await expect(flow.getByRole('heading')).toHaveText(/^Loading failed!/);
    if (!snapshot.matches('showing')) return;
    await expect(page.locator(`[data-flow="${route.flow}"]`)).toBeAttached();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(route.path);
  },
  ports: {
    fetchFlow: {
      asks: ({ pathname }) => new RegExp(`/assets/(${chunks})-[^/]*\\.js$`).test(pathname),
      answer: () => 'lost',
      serverWillAnswer: ({ type }) => type.startsWith('xstate.done.'),
    },
    purchases: { asks: ({ pathname }) => pathname.endsWith('/user/purchases'), answer: () => json([]) },
    ownership: {
      // For the title of the page, not for the purchased one.
      asks: ({ pathname, searchParams }) => pathname.endsWith('/user/has-title') && searchParams.get('titleid') === '1001',
      answer: () => json(null),
    },
    startPayment: {
      asks: ({ pathname }) => pathname.endsWith('/payment/session'),
      answer: (session: unknown) => json(session),
      // The server's own response redirects to the gateway, whose stub keeps the page.
      says: () => true,
    },
  },
  causes: {
    'language.changed': async (world) => {
      if ((await world.page.locator('footer select[name="background"]').count()) === 0) {
        await wakeFrameWithPausedClock(world);
        // A chunk of the frame is named like a flow's, and is held with these.
        await world.settle({ type: 'xstate.done.actor.fetchFlow', output: null });
        await waitForFrame(world);
        world.hold('fetchFlow');
      }
      await chooseLanguages(world);
    },
    'location.changed': ({ page }, { route }) => goBackTo(page, (route as Route).path),
    'session.changed': async (world, event, { context }) => {
      const { route, userId } = context as Context;
      if (userId !== null && event['userId'] === userId) return announceSameSession(world);
      if (event['ended'] === true) return endSession(world, route.flow === 'library' ? 'purchases' : 'ownership');
      return changeOtherTabSession(world, event);
    },
    go: async ({ page }) => void (await page.locator('[data-event="sort.chosen"]').selectOption('title')),
    'signIn.needed': ({ page }) => new ShopPage(page).control('pay.pressed').click(),
    'email.typed': typeEmail,
    'action.begun': (world) => pay(world, 'submitting'),
    'action.ended': (world) => world.settle({ type: 'xstate.error.actor.startPayment', error: problems.declined }),
    leave,
    'page.returned': async (world) => {
      await leave(world);
      await returnToPage(world);
    },
    'page.hidden': hideWindow,
    // The page is reloaded.
    'retry.pressed': async (world) => {
      await waitForRecorder(world);
      await new ShopPage(world.page).control('retry.pressed').click();
    },
    'session.started': async ({ page, customer }) => new ShopPage(page).signIn((await customer()).email, password),
  },
};
