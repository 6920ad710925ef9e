import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Access } from '../../../../machines/model/buying/purchase.ts';
import type { Title } from '../../../../machines/model/catalogue/title.ts';
import type { titleMachine } from '../../../../machines/browsing/title.ts';
import type { RelatedShelf } from '../../../../machines/browsing/title-setup.ts';
import { models } from '../../../../machines/path-models/flows/title/paths.ts';
import { commentsHost } from '../../comments-host.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { chooseLanguages, getNextSettlement } from '../../causes.ts';
import { stubStore } from '../../store.ts';
import { json, toTitlesXml, toTitleXml } from '../../wires.ts';

/** Whether an action from before sign-in is resumed after it. */
const hasResumedAction = ({ input }: PathModel): boolean => (input as FlowInput).resume !== null;

const headings: Headings<typeof titleMachine> = {
  loading: null,
  shown: /The Keeper.s Third Log/,
  translating: /The Keeper.s Third Log/,
  notFound: 'We don’t have that title',
  failed: 'We couldn’t load this title',
};

export const adapter: BrowserAdapter = {
  name: 'title',
  models: models.filter(({ name }) => name === 'title'),
  reusesPage: true,
  address: ({ route: { params } }: FlowInput) =>
    params['isbn'] === undefined ? `/id:${params['titleId']}` : `/isbn:${params['isbn']}`,
  startsSignedIn: (model) => (model.input as FlowInput).signedIn && !hasResumedAction(model),
  prepares: async (world, model) => {
    const { input } = model;
    const { page } = world;
    await stubStore(page, input as FlowInput);
    const access = getNextSettlement(world, 'ownership')?.['output'] as Access | undefined;
    if (access?.instanceId && !access.withSubscription) await (await world.customer()).buy('1001');
    // Content that loads when it is scrolled to must be outside the window at first.
    await page.setViewportSize({ width: 1366, height: 480 });
    return hasResumedAction(model) ? '/signin?return=%2Fid%3A1001&action=get' : undefined;
  },
  arrives: async ({ page, flow, customer }) => {
    if (new URL(page.url()).pathname === '/signin') await new ShopPage(page).signIn((await customer()).email, password);
    await flow.waitFor();
  },
  headings,
  ports: {
    title: {
      asks: ({ pathname }) => /\/api\/titles\/(?:isbn\/)?[^/]+$/.test(pathname),
      answer: (output: Title) => toTitleXml(output),
      says: ({ forSale, hasSample, free }: Title, body) =>
        body.includes(`<Free>${free}<`) && body.includes(`<ForSale>${forSale}<`) && body.includes(`<HasSample>${hasSample}<`),
    },
    related: {
      asks: ({ pathname }) => pathname.endsWith('/related'),
      answer: (shelves: RelatedShelf[]) => toTitlesXml({ titles: shelves.flatMap(({ titles }) => titles) }),
      says: (shelves: RelatedShelf[], body) => shelves.length > 0 === body.includes('<Title>'),
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
      // The language select is in the footer, near the content that loads when it is scrolled to.
      await world.page.evaluate(() => scrollTo(0, 0));
    },
    'related.near': ({ page }) => page.locator('[data-in-view="related"]').scrollIntoViewIfNeeded(),
    'comments.near': ({ page }) => page.locator('[data-in-view="comments"]').scrollIntoViewIfNeeded(),
  },
};
