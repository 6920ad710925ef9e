import { expect } from '@playwright/test';
import type { Route } from '../../../../machines/flows/route.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { chooseLook } from '../../../browser/frame.ts';
import { askForProperties } from '../../../browser/wire.ts';
import {
  chooseLanguages,
  backTo,
  frameStands,
  hideWindow,
  inOtherTabSession,
  pay,
  returnToPage,
  stubGateway,
  wakeFrameInStoppedTime,
} from '../../causes.ts';
import type { Stage, Wire, World } from '../../stage.ts';
import { json, wireOfProblem, xml } from '../../wires.ts';
import { isPossible, models, reacts, type Context } from './tour-model.ts';

const firstOf = ({ ahead }: World, type: string) => ahead.map(({ event }) => event).find((event) => event.type === type);

/** What the page of a title asks for is answered with what concerns the whole shop. */
const refused = async (world: World, port: string, kind: 'unauthorized' | 'invalidStore'): Promise<void> => {
  await world.settle({ type: `xstate.error.actor.${port}`, error: { kind } });
  world.hold(port);
};

export const stage: Stage = {
  name: 'app',
  models,
  address: () => '/',
  reacts,
  isPossible,
  isLast: ({ event }) => event.type === 'page.returned' || event.type === 'leave' || event.type === 'store.refused',
  prepares: async (world) => {
    await askForProperties(world.page);
    await stubGateway(world);
    const restored = firstOf(world, 'session.changed');
    if (typeof restored?.['userId'] === 'string') await (await world.customer()).uses(world.context);
    return (firstOf(world, 'location.changed') as unknown as { route: Route }).route.path;
  },
  shows: async ({ page, flow }, snapshot) => {
    const { route, session } = snapshot.context as Context;
    // The browser knows its address and its session sooner than a step of the model can be looked at.
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
          ? wireOfProblem({ kind: 'invalidStore' })
          : xml(element('StoreProperties', [fields({ ShelfId: store.shelfId })])),
      says: ({ store }: { store: unknown }, body) => store !== null && body.includes('<ShelfId>'),
    },
    fetchFrame: {
      asks: ({ pathname }) => /\/assets\/frame-[^/]*\.js$/.test(pathname),
      answer: () => 'lost',
      serverGives: ({ type }) => type.startsWith('xstate.done.'),
    },
    ownership: {
      // Of the title whose page is shown, not of the one that is bought.
      asks: ({ pathname, searchParams }) => pathname.endsWith('/user/has-title') && searchParams.get('titleid') === '1001',
      answer: () => json(null),
    },
  },
  causes: {
    // The server's come as soon as the shop is open.
    'categories.came': async ({ page }, _, { context }) => {
      if ((context as Context).route?.hides.includes('sidebar') === true) return;
      await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first()).toBeVisible();
    },
    'location.changed': async ({ page }, { route }, { value }) => {
      // The first address is the one that the page was opened at.
      if (value !== 'opening') await backTo(page, (route as Route).path);
    },
    'session.changed': async (world, event, { value }) => {
      if (value !== 'opening') await inOtherTabSession(world, event);
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
      await wakeFrameInStoppedTime(world);
      await world.settle(event);
      await frameStands(world);
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
    'session.refused': (world) => refused(world, 'ownership', 'unauthorized'),
    'store.refused': async (world) => {
      world.injected('a title that belongs to no store');
      const { status, body, contentType } = wireOfProblem({ kind: 'invalidStore' }) as Exclude<Wire, string>;
      await world.page.route('**/api/titles/1002*', (route) => route.fulfill({ status, body, contentType }));
      await backTo(world.page, '/id:1002');
    },
    'session.started': async ({ page, customer }) => new ShopPage(page).signIn((await customer()).email, password),
    'signOut.pressed': async ({ page }) => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.locator('[data-event="signOut.pressed"]').click();
    },
  },
};
