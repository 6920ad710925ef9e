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
import { toJsonResponse, typeEmail } from '../../wires.ts';
import { isPossible, models, getReaction, type Context } from './tour-model.ts';

/** Names of the flows' chunks, as alternatives of a pattern. */
const chunkNames = ['landing', 'catalogue', 'title', 'sign-in', 'purchase', 'library', 'not-found'].join('|');

/** Refuses a call of the current page because its session has ended. */
const endSession = async (walk: WalkContext, port: string): Promise<void> => {
  walk.recordInjection(`${port} refused in place of the server's answer`);
  await walk.settle({ type: `xstate.error.actor.${port}`, error: problems.unauthorized });
  walk.hold(port);
};

/** Simulates the storage event of another tab that signs in the same customer. */
const announceSameSession = async ({ page, recordInjection }: WalkContext): Promise<void> => {
  recordInjection('another tab that signs in the same customer');
  await page.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'id_token' })));
};

/** Starts the payment at the gateway, unless it is already at the gateway's page. */
const leaveForGateway = async (walk: WalkContext): Promise<void> => {
  if (await walk.page.locator('[data-flow="payment"][data-state=\'"actionRequired"\']').isVisible()) return;
  await walk.settle({ type: 'xstate.done.actor.startPayment', output: null });
  await new ShopPage(walk.page).waitForState('payment', 'actionRequired');
};

export const adapter: BrowserAdapter = {
  name: 'screen',
  models,
  getStartPath: () => '/',
  getReaction,
  isPossible,
  isLast: ({ event, from: { snapshot } }) =>
    ['page.returned', 'leave', 'action.ended'].includes(event.type) || snapshot.matches('unfetched'),
  prepare: async (walk) => {
    // Disables preloading, so that a chunk loads only when its flow is opened.
    await walk.page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
    await stubGateway(walk);
    return undefined;
  },
  checkState: async ({ page, flow }, snapshot) => {
    const { route } = snapshot.context as Context;
    await expect(flow).toHaveAttribute('data-state', JSON.stringify(snapshot.value));
    if (snapshot.matches('unfetched')) await expect(flow.getByRole('heading')).toHaveText(/^Loading failed!/);
    if (!snapshot.matches('showing')) return;
    await expect(page.locator(`[data-flow="${route.flow}"]`)).toBeAttached();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(route.path);
  },
  ports: {
    fetchFlow: {
      matches: ({ pathname }) => new RegExp(`/assets/(${chunkNames})-[^/]*\\.js$`).test(pathname),
      toResponse: () => 'lost',
      serverWillAnswer: ({ type }) => type.startsWith('xstate.done.'),
    },
    purchases: { matches: ({ pathname }) => pathname.endsWith('/user/purchases'), toResponse: () => toJsonResponse([]) },
    ownership: {
      // For the title of the page, not for the purchased one.
      matches: ({ pathname, searchParams }) => pathname.endsWith('/user/has-title') && searchParams.get('titleid') === '1001',
      toResponse: () => toJsonResponse(null),
    },
    startPayment: {
      matches: ({ pathname }) => pathname.endsWith('/payment/session'),
      toResponse: (session: unknown) => toJsonResponse(session),
      // The server's own response redirects to the gateway, whose stub keeps the page.
      isEquivalent: () => true,
    },
  },
  causes: {
    'language.changed': async (walk) => {
      if ((await walk.page.locator('footer select[name="background"]').count()) === 0) {
        await wakeFrameWithPausedClock(walk);
        // A chunk of the frame has a name like a flow's, so it is held with the flows' chunks.
        await walk.settle({ type: 'xstate.done.actor.fetchFlow', output: null });
        await waitForFrame(walk);
        walk.hold('fetchFlow');
      }
      await chooseLanguages(walk);
    },
    'location.changed': ({ page }, { route }) => goBackTo(page, (route as Route).path),
    'session.changed': async (walk, event, { context }) => {
      const { route, userId } = context as Context;
      if (userId !== null && event['userId'] === userId) return announceSameSession(walk);
      if (event['ended'] === true) return endSession(walk, route.flow === 'library' ? 'purchases' : 'ownership');
      return changeOtherTabSession(walk, event);
    },
    go: async ({ page }) => void (await page.locator('[data-event="sort.chosen"]').selectOption('title')),
    'signIn.needed': ({ page }) => new ShopPage(page).control('pay.pressed').click(),
    'email.typed': typeEmail,
    'action.started': (walk) => pay(walk, 'submitting'),
    'action.ended': (walk) => walk.settle({ type: 'xstate.error.actor.startPayment', error: problems.declined }),
    leave: leaveForGateway,
    'page.returned': async (walk) => {
      await leaveForGateway(walk);
      await returnToPage(walk);
    },
    'page.hidden': hideWindow,
    // The press reloads the page, so the trace must be written first.
    'retry.pressed': async (walk) => {
      await waitForRecorder(walk);
      await new ShopPage(walk.page).control('retry.pressed').click();
    },
    'session.started': async ({ page, getCustomer }) => new ShopPage(page).signIn((await getCustomer()).email, password),
  },
};
