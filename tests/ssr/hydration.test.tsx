import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { backgrounds } from '../../machines/model/store/appearance.ts';
import { languages } from '../../machines/model/store/language-names.ts';
import { flows } from '../../machines/flows/registry.ts';
import { buildIfStale } from '../../tools/start/build.mjs';
import { startShop, type RunningShop } from '../../tools/shop/running-shop.ts';
import { demoAddresses } from '../../tools/shop/demo-addresses.ts';
import { parsePath } from '../../machines/path-models/route-at.ts';
import { InertObserver } from '../support/views/list.ts';
import { hydratePage, type HydrationResult, type PageVisit } from './support/hydrate.tsx';
import { setWindowWidth, widths } from './support/window-width.ts';

vi.stubGlobal('ResizeObserver', InertObserver);

const renderedFlows = flows.filter((flow) => 'serverRendered' in flow);
const renderedExamples = demoAddresses
  .filter(({ flow }) => renderedFlows.some(({ name }) => name === flow))
  .map(({ path }) => path);

/**
 * Paths that are not server-rendered, because they redirect: to another path, to sign-in, or to a
 * title.
 */
const notRenderedPaths: readonly string[] = [
  '/subscription.aspx?code=c&planid=p',
  '/pages/private/customers-notes',
  '/audio/Four-Walks-Before-Breakfast',
  '/audio/x/1020',
];

/**
 * Paths that the registry's examples do not contain: queries, a free title, a running and an ended
 * campaign, another content page, and addresses that do not exist.
 */
const extraPaths: readonly string[] = [
  '/all?sort=price',
  '/all?search=harbour',
  '/all?search=nothing-of-that-name',
  '/all?utm_source=letter&sort=price',
  '/id:1001?utm_source=letter&fbclid=x',
  '/id:1011',
  '/id:9999',
  '/pages/public/help',
  '/campaign/evening-reads',
  '/campaign/harbour-day',
  '/nowhere',
];

/**
 * Every public path of the demo store that may be server-rendered; a new route's examples are
 * included automatically.
 */
const paths = [...renderedExamples.filter((path) => !notRenderedPaths.includes(path)), ...extraPaths];

let shop: RunningShop;

beforeAll(async () => {
  await buildIfStale();
  shop = await startShop({ env: { SSR_MODE: 'always' } });
}, 240_000);
afterAll(() => shop.remove());

const createVisit = (path: string, options: Partial<PageVisit> = {}): PageVisit => ({
  origin: shop.url,
  path,
  language: 'en',
  look: '',
  width: widths[0],
  ...options,
});

const fetchPage = async ({ path, language, look }: PageVisit): Promise<string> => {
  const response = await fetch(shop.url + path, { headers: { accept: 'text/html', cookie: `lang=${language}; look=${look}` } });
  return response.text();
};

/** Drops the inline size that a grid gets once it is measured in a page. */
const stripListStyles = (html: string): string => html.replaceAll(/(<ul\b[^>]*) style="[^"]*"/g, '$1');

/** Expects that React has hydrated the page unchanged, and renders the same markup by itself. */
const expectHydratedUnchanged = ({ keys, html, comparable, complaints, requestedUrls }: HydrationResult): void => {
  const { own } = keys;
  expect({ keys, complaints, requestedUrls }).toEqual({
    keys: { rendered: own, own, drawn: own },
    complaints: [],
    requestedUrls: [],
  });
  expect(stripListStyles(html.hydrated)).toBe(stripListStyles(html.rendered));
  expect(comparable.fresh).toBe(comparable.rendered);
};

/** The items that a turn tests: one item, whose index depends on offset and turn, or all items. */
const pickByTurn = <Item,>(items: readonly Item[], offset: number, turn: string): readonly Item[] =>
  turn === 'all' ? items : items.filter((_, index) => index === (offset + Number(turn)) % items.length);

/**
 * Each path in each language, with one layout theme and one width per turn: three turns show each
 * path with every theme and every width; `all` runs every combination.
 */
const listVisits = (turn: string) =>
  paths.flatMap((path, row) =>
    languages.flatMap((language, column) =>
      pickByTurn(backgrounds, row + column, turn).flatMap((background) =>
        pickByTurn(widths, row + 2 * column, turn).map((width) => ({ path, language, background, width })),
      ),
    ),
  );

/** Fetches items in order, each one while its predecessor is being tested. */
const prefetchNext = <Item, Answer>(items: readonly Item[], fetchItem: (item: Item) => Promise<Answer>) => {
  const requests = new Map<Item | undefined, Promise<Answer>>();
  return async (item: Item): Promise<Answer> => {
    const answer = await (requests.get(item) ?? fetchItem(item));
    requests.clear();
    const next = items[items.indexOf(item) + 1];
    if (next !== undefined) requests.set(next, fetchItem(next));
    // Prevents an unhandled rejection: the caller that awaits the promise gets the error.
    requests.get(next)?.catch(() => {});
    return answer;
  };
};

/** The turn of this run (`tools/test/shards.ts`). */
const { THEMES: turn = '0' } = process.env;

const visits = listVisits(turn);

const toVisit = ({ path, language, background, width }: (typeof visits)[number]): PageVisit =>
  createVisit(path, { language, width, look: `ink.sand.${background}` });

const fetchNextPage = prefetchNext(visits, (visit) => fetchPage(toVisit(visit)));

test.each(visits)('$path in $language on $background hydrates unchanged, $width pixels wide', async (visit) => {
  expectHydratedUnchanged(await hydratePage(await fetchNextPage(visit), toVisit(visit)));
});

test.each(notRenderedPaths)('%s is not server-rendered', async (path) => {
  expect(renderedExamples).toContain(path);
  expect(await fetchPage(createVisit(path))).not.toContain('data-rendered=');
});

test.each(['/', '/all', '/id:1001'])(
  '%s hydrates when browsers reach the shop by an origin that the shop does not know',
  async (path) => {
    const visit = createVisit(path, { origin: 'https://books.example' });
    const hydrated = await hydratePage(await fetchPage(visit), visit);
    expectHydratedUnchanged(hydrated);
    expect(hydrated.html.rendered).not.toContain(shop.url);
  },
);

test.each(['/', '/all', '/id:1001'])(
  'the largest picture of %s is preloaded in the head, with the scripts after the screen',
  async (path) => {
    const page = await fetchPage(createVisit(path));
    const [head = '', body = ''] = page.split('</head>');
    const [, afterScreen = ''] = body.split('<template id="whole">');
    const preloadsAndScripts = /<link rel="preload" as="image"|<link rel="modulepreload"|<script type="module"/g;
    expect([head, afterScreen].map((markup) => [...new Set(markup.match(preloadsAndScripts))])).toEqual([
      ['<link rel="preload" as="image"'],
      ['<script type="module"', '<link rel="modulepreload"'],
    ]);
    expect(page.match(/<script type="module"/g)).toHaveLength(1);
  },
);

describe('a hydration mismatch is detected', () => {
  const hydrateFalsified = async (visit: PageVisit, pattern: RegExp): Promise<HydrationResult> => {
    const page = await fetchPage(visit);
    const falsifiedPage = page.replace(pattern, '$1lie');
    expect(falsifiedPage).not.toBe(page);
    return hydratePage(falsifiedPage, visit);
  };

  test.each([
    ['another text', /(<h1\b[^>]*>)[^<]*/],
    ['another address', /(<a\b[^>]* href=")[^"]*/],
    ['another class', /(<h1\b[^>]* class=")[^"]*/],
    ['another style', /(<svg\b[^>]* style="flex:)[^"]*/],
    ['another accessible name', /(<button\b[^>]* aria-label=")[^"]*/],
    ['another theme', /(<style>:root\{color-scheme:)\w+/],
  ])('a hydration mismatch by %s is detected', async (_, pattern) => {
    const hydrated = await hydrateFalsified(createVisit('/about'), pattern);
    expect(() => expectHydratedUnchanged(hydrated)).toThrow();
    expect(hydrated.complaints).not.toEqual([]);
    expect(hydrated.comparable.fresh).not.toBe(hydrated.comparable.rendered);
  });

  test('a hydration mismatch by another store’s text is detected', async () => {
    const hydrated = await hydrateFalsified(createVisit('/pages/public/help'), /(<p\b[^>]*>)[^<]*(?=<)/);
    expect(() => expectHydratedUnchanged(hydrated)).toThrow();
  });

  test('a hydration mismatch by another state hash is detected', async () => {
    const hydrated = await hydrateFalsified(createVisit('/about'), /(data-rendered=")[^"]*/);
    expect(hydrated.keys.rendered).toBe('lie');
    expect(() => expectHydratedUnchanged(hydrated)).toThrow();
  });
});

describe('the list of server-rendered pages', () => {
  const product = paths.length * languages.length * backgrounds.length * widths.length;
  const turns = ['0', '1', '2'].map(listVisits);

  test('the turn `all` has each page in every language with every layout theme in every width', () => {
    expect(new Set(listVisits('all').map((visit) => JSON.stringify(visit))).size).toBe(product);
  });

  test('each turn has each page in every language', () => {
    for (const visits of turns) {
      const pages = visits.map(({ path, language }) => `${path} ${language}`);
      expect([pages.length, new Set(pages).size]).toEqual([product / 9, product / 9]);
    }
  });

  test('three turns have each page with every layout theme in every width', () => {
    const combinations = turns.flat().map(({ path, background, width }) => `${path} ${background} ${width}`);
    expect(new Set(combinations).size).toBe(product / languages.length);
  });

  test('the list of pages has every route that may be server-rendered', () => {
    expect(renderedFlows.flatMap(({ routes }) => routes).filter(({ examples }) => examples.length === 0)).toEqual([]);
    expect(new Set(paths.map((path) => parsePath(path).flow))).toEqual(new Set(renderedFlows.map(({ name }) => name)));
  });
});

test('a window has the given width', () => {
  const measured = widths.map((width) => {
    setWindowWidth(width);
    return [innerWidth, matchMedia('(min-width: 48em)').matches, matchMedia('(max-width: 1000px)').matches];
  });
  expect(measured).toEqual([
    [390, false, true],
    [820, true, true],
    [1366, true, false],
  ]);
});
