import { expect } from '@playwright/test';
import type { Route } from '../../../../machines/flows/route.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { chooseLook } from '../../../browser/frame.ts';
import { forcePropertiesRequest } from '../../../browser/wire.ts';
import {
  chooseLanguages,
  goBackTo,
  waitForFrame,
  hideWindow,
  changeOtherTabSession,
  pay,
  returnToPage,
  stubGateway,
  wakeFrameWithPausedClock,
} from '../../causes.ts';
import type { BrowserAdapter, StubResponse, WalkContext } from '../../browser-adapter.ts';
import { toJsonResponse, toProblemResponse, toXmlResponse } from '../../wires.ts';
import { isPossible, models, getReaction, type Context } from './tour-model.ts';

/** Returns the walk's first event of a type, or undefined. */
const findFirstEvent = ({ remainingSteps }: WalkContext, type: string) =>
  remainingSteps.map(({ event }) => event).find((event) => event.type === type);

/** Refuses a request of the title page with a problem that concerns the whole shop. */
const rejectCall = async (walk: WalkContext, port: string, kind: 'unauthorized' | 'invalidStore'): Promise<void> => {
  await walk.settle({ type: `xstate.error.actor.${port}`, error: { kind } });
  walk.hold(port);
};

export const adapter: BrowserAdapter = {
  name: 'app',
  models,
  getStartPath: () => '/',
  getReaction,
  isPossible,
  isLast: ({ event }) => event.type === 'page.returned' || event.type === 'leave' || event.type === 'store.refused',
  prepare: async (walk) => {
    await forcePropertiesRequest(walk.page);
    await stubGateway(walk);
    const sessionEvent = findFirstEvent(walk, 'session.changed');
    if (typeof sessionEvent?.['userId'] === 'string') await (await walk.getCustomer()).signInBrowser(walk.context);
    return (findFirstEvent(walk, 'location.changed') as unknown as { route: Route }).route.path;
  },
  checkState: async ({ page, flow }, snapshot) => {
    const { route, session } = snapshot.context as Context;
    // The browser knows its address and its session before the model's step can be observed.
    if (route === null || session === null) return;
    await expect(flow).toHaveAttribute('data-state', JSON.stringify(snapshot.value));
    if (snapshot.matches('invalid')) await expect(flow.getByRole('heading')).toHaveText('Oops! You seem to be lost');
    if (!snapshot.matches('open')) return;
    await expect(page.locator(`[data-flow="${route.flow}"]`)).toBeAttached();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(route.path);
  },
  ports: {
    boot: {
      matches: ({ pathname }) => pathname.endsWith('/store/properties'),
      toResponse: ({ store }: { store: { shelfId: string } | null }) =>
        store === null
          ? toProblemResponse({ kind: 'invalidStore' })
          : toXmlResponse(renderElement('StoreProperties', [renderFields({ ShelfId: store.shelfId })])),
      isEquivalent: ({ store }: { store: unknown }, body) => store !== null && body.includes('<ShelfId>'),
    },
    fetchFrame: {
      matches: ({ pathname }) => /\/assets\/frame-[^/]*\.js$/.test(pathname),
      toResponse: () => 'lost',
      serverWillAnswer: ({ type }) => type.startsWith('xstate.done.'),
    },
    ownership: {
      // For the title of the page, not for the purchased one.
      matches: ({ pathname, searchParams }) => pathname.endsWith('/user/has-title') && searchParams.get('titleid') === '1001',
      toResponse: () => toJsonResponse(null),
    },
  },
  causes: {
    // The server's categories load as soon as the shop is open.
    'categories.loaded': async ({ page }, _, { context }) => {
      if ((context as Context).route?.hides.includes('sidebar') === true) return;
      await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first()).toBeVisible();
    },
    'location.changed': async ({ page }, { route }, { value }) => {
      // The page load itself opens the first path.
      if (value !== 'opening') await goBackTo(page, (route as Route).path);
    },
    'session.changed': async (walk, event, { value }) => {
      if (value !== 'opening') await changeOtherTabSession(walk, event);
    },
    'language.changed': (walk, { words }) =>
      chooseLanguages(walk, async () => {
        await walk.settle({ type: 'xstate.done.actor.boot', output: words });
        walk.hold('boot');
      }),
    'look.changed': async ({ page }, { appearance }) => {
      const { background } = appearance as { background: string };
      await chooseLook(page, 'background', background);
    },
    'xstate.done.actor.fetchFrame': async (walk, event) => {
      await wakeFrameWithPausedClock(walk);
      await walk.settle(event);
      await waitForFrame(walk);
    },
    go: async ({ page }, { to }) =>
      page
        .getByRole('navigation', { name: 'Explore' })
        .locator(`[href="${String(to)}"]`)
        .click(),
    leave: (walk) => pay(walk, 'actionRequired'),
    'page.returned': async (walk) => {
      await pay(walk, 'actionRequired');
      await returnToPage(walk);
    },
    'page.hidden': hideWindow,
    'session.refused': (walk) => rejectCall(walk, 'ownership', 'unauthorized'),
    'store.refused': async (walk) => {
      walk.recordInjection('a title that belongs to no store');
      const { status, body, contentType } = toProblemResponse({ kind: 'invalidStore' }) as Exclude<StubResponse, string>;
      await walk.page.route('**/api/titles/1002*', (route) => route.fulfill({ status, body, contentType }));
      await goBackTo(walk.page, '/id:1002');
    },
    'session.started': async ({ page, getCustomer }) => new ShopPage(page).signIn((await getCustomer()).email, password),
    'signOut.pressed': async ({ page }) => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.locator('[data-event="signOut.pressed"]').click();
    },
  },
};
