import { expect } from '@playwright/test';
import type { Route } from '../../../../machines/flows/route.ts';
import { problems } from '../../../../machines/path-models/path-model.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import {
  backTo,
  chooseLanguages,
  frameStands,
  hideWindow,
  inOtherTabSession,
  isRecorded,
  pay,
  returnToPage,
  stubGateway,
  wakeFrameInStoppedTime,
} from '../../causes.ts';
import type { Stage, World } from '../../stage.ts';
import { json, typeEmail } from '../../wires.ts';
import { isPossible, models, reacts, type Context } from './tour-model.ts';

const chunks = ['landing', 'catalogue', 'title', 'sign-in', 'purchase', 'library', 'not-found'].join('|');

/** A call of the page that is shown hears that its session has ended. */
const endSession = async (world: World, port: string): Promise<void> => {
  world.injected(`${port} refused in place of the server's answer`);
  await world.settle({ type: `xstate.error.actor.${port}`, error: problems.unauthorized });
  world.hold(port);
};

/** The browser tells of a storage that is as it was. */
const sayAgain = async ({ page, injected }: World): Promise<void> => {
  injected('another tab that signs the same customer in');
  await page.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'id_token' })));
};

/** Lets the payment that has begun have its page at the gateway, unless it has it already. */
const leave = async (world: World): Promise<void> => {
  if (await world.page.locator('[data-flow="payment"][data-state=\'"actionRequired"\']').isVisible()) return;
  await world.settle({ type: 'xstate.done.actor.startPayment', output: null });
  await new ShopPage(world.page).isIn('payment', 'actionRequired');
};

export const stage: Stage = {
  name: 'screen',
  models,
  address: () => '/',
  reacts,
  isPossible,
  isLast: ({ event, from: { snapshot } }) =>
    ['page.returned', 'leave', 'action.ended'].includes(event.type) || snapshot.matches('unfetched'),
  prepares: async (world) => {
    // Parts of the program come when the tour lets them, not before.
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
      serverGives: ({ type }) => type.startsWith('xstate.done.'),
    },
    purchases: { asks: ({ pathname }) => pathname.endsWith('/user/purchases'), answer: () => json([]) },
    ownership: {
      // Of the title whose page is shown, not of the one that is bought.
      asks: ({ pathname, searchParams }) => pathname.endsWith('/user/has-title') && searchParams.get('titleid') === '1001',
      answer: () => json(null),
    },
    startPayment: {
      asks: ({ pathname }) => pathname.endsWith('/payment/session'),
      answer: (session: unknown) => json(session),
      // The server's own answer leads to the gateway, which keeps the page where it is.
      says: () => true,
    },
  },
  causes: {
    'language.changed': async (world) => {
      if ((await world.page.locator('footer select[name="background"]').count()) === 0) {
        await wakeFrameInStoppedTime(world);
        // One of the frame's own parts is called as a flow's is, and waits with these.
        await world.settle({ type: 'xstate.done.actor.fetchFlow', output: null });
        await frameStands(world);
        world.hold('fetchFlow');
      }
      await chooseLanguages(world);
    },
    'location.changed': ({ page }, { route }) => backTo(page, (route as Route).path),
    'session.changed': async (world, event, { context }) => {
      const { route, userId } = context as Context;
      if (userId !== null && event['userId'] === userId) return sayAgain(world);
      if (event['ended'] === true) return endSession(world, route.flow === 'library' ? 'purchases' : 'ownership');
      return inOtherTabSession(world, event);
    },
    go: async ({ page }) => void (await page.locator('[data-event="sort.chosen"]').selectOption('title')),
    'signIn.needed': ({ page }) => new ShopPage(page).press('pay.pressed').click(),
    'email.typed': typeEmail,
    'action.begun': (world) => pay(world, 'submitting'),
    'action.ended': (world) => world.settle({ type: 'xstate.error.actor.startPayment', error: problems.declined }),
    leave,
    'page.returned': async (world) => {
      await leave(world);
      await returnToPage(world);
    },
    'page.hidden': hideWindow,
    // The page is loaded again.
    'retry.pressed': async (world) => {
      await isRecorded(world);
      await new ShopPage(world.page).press('retry.pressed').click();
    },
    'session.started': async ({ page, customer }) => new ShopPage(page).signIn((await customer()).email, password),
  },
};
