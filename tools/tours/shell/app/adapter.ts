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
import { json, toProblemResponse, xml } from '../../wires.ts';
import { isPossible, models, reacts, type Context } from './tour-model.ts';

const findFirst = ({ ahead }: WalkContext, type: string) => ahead.map(({ event }) => event).find((event) => event.type === type);

/** Answers a request of the title page with a refusal that concerns the whole shop. */
const rejectCall = async (world: WalkContext, port: string, kind: 'unauthorized' | 'invalidStore'): Promise<void> => {
  await world.settle({ type: `xstate.error.actor.${port}`, error: { kind } });
  world.hold(port);
};

export const adapter: BrowserAdapter = {
  name: 'app',
  models,
  address: () => '/',
  reacts,
  isPossible,
  isLast: ({ event }) => event.type === 'page.returned' || event.type === 'leave' || event.type === 'store.refused',
  prepares: async (world) => {
    await forcePropertiesRequest(world.page);
    await stubGateway(world);
    const restored = findFirst(world, 'session.changed');
    if (typeof restored?.['userId'] === 'string') await (await world.customer()).signInBrowser(world.context);
    return (findFirst(world, 'location.changed') as unknown as { route: Route }).route.path;
  },
  shows: async ({ page, flow }, snapshot) => {
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
      asks: ({ pathname }) => pathname.endsWith('/store/properties'),
      answer: ({ store }: { store: { shelfId: string } | null }) =>
        store === null
          ? toProblemResponse({ kind: 'invalidStore' })
          : xml(renderElement('StoreProperties', [renderFields({ ShelfId: store.shelfId })])),
      says: ({ store }: { store: unknown }, body) => store !== null && body.includes('<ShelfId>'),
    },
    fetchFrame: {
      asks: ({ pathname }) => /\/assets\/frame-[^/]*\.js$/.test(pathname),
      answer: () => 'lost',
      serverWillAnswer: ({ type }) => type.startsWith('xstate.done.'),
    },
    ownership: {
      // For the title of the page, not for the purchased one.
      asks: ({ pathname, searchParams }) => pathname.endsWith('/user/has-title') && searchParams.get('titleid') === '1001',
      answer: () => json(null),
    },
  },
  causes: {
    // The server's categories load as soon as the shop is open.
    'categories.came': async ({ page }, _, { context }) => {
      if ((context as Context).route?.hides.includes('sidebar') === true) return;
      await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first()).toBeVisible();
    },
    'location.changed': async ({ page }, { route }, { value }) => {
      // The first address is that of the page load.
      if (value !== 'opening') await goBackTo(page, (route as Route).path);
    },
    'session.changed': async (world, event, { value }) => {
      if (value !== 'opening') await changeOtherTabSession(world, event);
    },
    'language.changed': (world, { words }) =>
      chooseLanguages(world, async () => {
        await world.settle({ type: 'xstate.done.actor.boot', output: words });
        world.hold('boot');
      }),
    'look.changed': async ({ page }, { appearance }) => {
      const { background } = appearance as { background: string };
      await chooseLook(page, 'background', background);
    },
    'xstate.done.actor.fetchFrame': async (world, event) => {
      await wakeFrameWithPausedClock(world);
      await world.settle(event);
      await waitForFrame(world);
    },
    go: async ({ page }, { to }) =>
      page
        .getByRole('navigation', { name: 'Explore' })
        .locator(`[href="${String(to)}"]`)
        .click(),
    leave: (world) => pay(world, 'actionRequired'),
    'page.returned': async (world) => {
      await pay(world, 'actionRequired');
      await returnToPage(world);
    },
    'page.hidden': hideWindow,
    'session.refused': (world) => rejectCall(world, 'ownership', 'unauthorized'),
    'store.refused': async (world) => {
      world.injected('a title that belongs to no store');
      const { status, body, contentType } = toProblemResponse({ kind: 'invalidStore' }) as Exclude<StubResponse, string>;
      await world.page.route('**/api/titles/1002*', (route) => route.fulfill({ status, body, contentType }));
      await goBackTo(world.page, '/id:1002');
    },
    'session.started': async ({ page, customer }) => new ShopPage(page).signIn((await customer()).email, password),
    'signOut.pressed': async ({ page }) => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.locator('[data-event="signOut.pressed"]').click();
    },
  },
};
