import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Access } from '../../../../machines/model/buying/purchase.ts';
import type { Title } from '../../../../machines/model/catalogue/title.ts';
import type { titleMachine } from '../../../../machines/browsing/title.ts';
import type { Shelf } from '../../../../machines/browsing/title-setup.ts';
import { models } from '../../../../machines/path-models/flows/title/paths.ts';
import { commentsHost } from '../../comments-host.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import type { Headings, Stage } from '../../stage.ts';
import { chooseLanguages, nextOf } from '../../causes.ts';
import { withStoreOf } from '../../store.ts';
import { json, titlesWire, titleWire } from '../../wires.ts';

/** What was pressed before sign-in is taken up after it. */
const resumes = ({ input }: PathModel): boolean => (input as FlowInput).resume !== null;

const headings: Headings<typeof titleMachine> = {
  loading: null,
  shown: /The Keeper.s Third Log/,
  translating: /The Keeper.s Third Log/,
  notFound: 'We don’t have that title',
  failed: 'We couldn’t load this title',
};

export const stage: Stage = {
  name: 'title',
  models: models.filter(({ name }) => name === 'title'),
  sharesPage: true,
  address: ({ route: { params } }: FlowInput) =>
    params['isbn'] === undefined ? `/id:${params['titleId']}` : `/isbn:${params['isbn']}`,
  startsSignedIn: (model) => (model.input as FlowInput).signedIn && !resumes(model),
  prepares: async (world, model) => {
    const { input } = model;
    const { page } = world;
    await withStoreOf(page, input as FlowInput);
    const access = nextOf(world, 'ownership')?.['output'] as Access | undefined;
    if (access?.instanceId && !access.withSubscription) await (await world.customer()).buys('1001');
    // What waits to be scrolled to must not stand in the window from the start.
    await page.setViewportSize({ width: 1366, height: 480 });
    return resumes(model) ? '/signin?return=%2Fid%3A1001&action=get' : undefined;
  },
  arrives: async ({ page, flow, customer }) => {
    if (new URL(page.url()).pathname === '/signin') await new ShopPage(page).signIn((await customer()).email, password);
    await flow.waitFor();
  },
  headings,
  ports: {
    title: {
      asks: ({ pathname }) => /\/api\/titles\/(?:isbn\/)?[^/]+$/.test(pathname),
      answer: (output: Title) => titleWire(output),
      says: ({ forSale, hasSample, free }: Title, body) =>
        body.includes(`<Free>${free}<`) && body.includes(`<ForSale>${forSale}<`) && body.includes(`<HasSample>${hasSample}<`),
    },
    related: {
      asks: ({ pathname }) => pathname.endsWith('/related'),
      answer: (shelves: Shelf[]) => titlesWire({ titles: shelves.flatMap(({ titles }) => titles) }),
      says: (shelves: Shelf[], body) => shelves.length > 0 === body.includes('<Title>'),
    },
    ownership: {
      asks: ({ pathname }) => pathname.endsWith('/user/has-title'),
      answer: ({ instanceId, withSubscription }: Access) =>
        json({ hasTitle: instanceId !== null && !withSubscription, titleId: '1001', instanceId, withSubscription }),
      says: ({ instanceId, withSubscription }: Access, body) =>
        !withSubscription && (instanceId === null) === body.includes('"hasTitle":false'),
    },
    grant: {
      asks: ({ pathname }) => pathname.endsWith('/purchase/free'),
      answer: (instanceId: string) => json({ transId: instanceId, titleId: '1001', instanceId, status: 'paid' }),
    },
    comments: {
      asks: ({ origin, pathname }) => origin === commentsHost && pathname === '/assets/js/embed.js',
      answer: () => ({ status: 200, contentType: 'text/javascript', body: 'window.Coral = { createStreamEmbed() {} }' }),
    },
  },
  causes: {
    'language.changed': async (world) => {
      await chooseLanguages(world);
      // The choice is in the foot of the page, near what waits to be scrolled to.
      await world.page.evaluate(() => scrollTo(0, 0));
    },
    'related.near': ({ page }) => page.locator('[data-in-view="related"]').scrollIntoViewIfNeeded(),
    'comments.near': ({ page }) => page.locator('[data-in-view="comments"]').scrollIntoViewIfNeeded(),
  },
};
