import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Access } from '../../../../machines/model/buying/purchase.ts';
import type { Title } from '../../../../machines/model/catalogue/title.ts';
import type { titleMachine } from '../../../../machines/browsing/title.ts';
import type { RelatedShelf } from '../../../../machines/browsing/title-setup.ts';
import { models } from '../../../../machines/path-models/flows/title/paths.ts';
import { commentsHost } from '../../comments-host.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { chooseLanguages, getNextSettlement } from '../../causes.ts';
import { stubStore } from '../../store.ts';
import { toJsonResponse, toTitlesXml, toTitleXml } from '../../wires.ts';
import { hasResumedAction, startsSignedInUnlessResumed } from '../../resumed-action.ts';

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
  getStartPath: ({ route: { params } }: FlowInput) =>
    params['isbn'] === undefined ? `/id:${params['titleId']}` : `/isbn:${params['isbn']}`,
  startsSignedIn: startsSignedInUnlessResumed,
  prepare: async (walk, model) => {
    const { input } = model;
    const { page } = walk;
    await stubStore(page, input as FlowInput);
    const access = getNextSettlement(walk, 'ownership')?.['output'] as Access | undefined;
    if (access?.instanceId && !access.withSubscription) await (await walk.getCustomer()).buy('1001');
    // At first, content that loads on scrolling must be outside the window.
    await page.setViewportSize({ width: 1366, height: 480 });
    return hasResumedAction(model) ? '/signin?return=%2Fid%3A1001&action=get' : undefined;
  },
  openScreen: async ({ page, flow, getCustomer }) => {
    if (new URL(page.url()).pathname === '/signin') await new ShopPage(page).signIn((await getCustomer()).email, password);
    await flow.waitFor();
  },
  headings,
  ports: {
    title: {
      matches: ({ pathname }) => /\/api\/titles\/(?:isbn\/)?[^/]+$/.test(pathname),
      toResponse: (title: Title) => toTitleXml(title),
      isEquivalent: ({ forSale, hasSample, free }: Title, body) =>
        body.includes(`<Free>${free}<`) && body.includes(`<ForSale>${forSale}<`) && body.includes(`<HasSample>${hasSample}<`),
    },
    related: {
      matches: ({ pathname }) => pathname.endsWith('/related'),
      toResponse: (shelves: RelatedShelf[]) => toTitlesXml({ titles: shelves.flatMap(({ titles }) => titles) }),
      isEquivalent: (shelves: RelatedShelf[], body) => shelves.length > 0 === body.includes('<Title>'),
    },
    ownership: {
      matches: ({ pathname }) => pathname.endsWith('/user/has-title'),
      toResponse: ({ instanceId, withSubscription }: Access) =>
        toJsonResponse({ hasTitle: instanceId !== null && !withSubscription, titleId: '1001', instanceId, withSubscription }),
      isEquivalent: ({ instanceId, withSubscription }: Access, body) =>
        !withSubscription && (instanceId === null) === body.includes('"hasTitle":false'),
    },
    grant: {
      matches: ({ pathname }) => pathname.endsWith('/purchase/free'),
      toResponse: (instanceId: string) => toJsonResponse({ transId: instanceId, titleId: '1001', instanceId, status: 'paid' }),
    },
    comments: {
      matches: ({ origin, pathname }) => origin === commentsHost && pathname === '/assets/js/embed.js',
      toResponse: () => ({ status: 200, contentType: 'text/javascript', body: 'window.Coral = { createStreamEmbed() {} }' }),
    },
  },
  causes: {
    'language.changed': async (walk) => {
      await chooseLanguages(walk);
      // The language select is in the footer, near the content that loads on scrolling.
      await walk.page.evaluate(() => scrollTo(0, 0));
    },
    'related.nearViewport': ({ page }) => page.locator('[data-in-view="related"]').scrollIntoViewIfNeeded(),
    'comments.nearViewport': ({ page }) => page.locator('[data-in-view="comments"]').scrollIntoViewIfNeeded(),
  },
};
