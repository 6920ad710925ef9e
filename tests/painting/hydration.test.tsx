import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { backgrounds } from '../../machines/model/appearance.ts';
import { locales } from '../../machines/model/language.ts';
import { flows } from '../../src/flows/registry.ts';
import { buildWhatIsStale } from '../../tools/start/build.mjs';
import { startShop, type RunningShop } from '../../tools/shop/running-shop.ts';
import { StillObserver } from '../support/views/list.ts';
import { hydrate } from './support/hydrate.tsx';

vi.stubGlobal('ResizeObserver', StillObserver);

/** In the demo store, every kind of screen that may come painted. */
const paths = [
  '/',
  '/all',
  '/all/new',
  '/all/free',
  '/ebook',
  '/audio',
  '/video',
  '/all?sort=price',
  '/all?search=harbour',
  '/all?search=nothing-of-that-name',
  '/id:1001',
  '/id:1001?utm_source=letter&fbclid=x',
  '/id:1011',
  '/id:9999',
  '/about',
  '/terms',
  '/privacy',
  '/pages/public/help',
  '/campaign/evening-reads',
  '/campaign/harbour-day',
  '/subscription',
  '/404',
  '/500',
  '/nowhere',
  '/all?utm_source=letter&sort=price',
];

let shop: RunningShop;

beforeAll(async () => {
  await buildWhatIsStale();
  shop = await startShop({ env: { PAINT: 'always' } });
}, 240_000);
afterAll(() => shop.remove());

const pageAt = async (path: string, language: string, look: string): Promise<string> => {
  const response = await fetch(shop.url + path, { headers: { accept: 'text/html', cookie: `lang=${language}; look=${look}` } });
  return response.text();
};

/** A grid is measured once it is in a page. */
const withoutMeasures = (html: string): string => html.replaceAll(/(<ul\b[^>]*) style="[^"]*"/g, '$1');

/** By which of the layout themes the turns begin; `all` takes every page under all of them (`tools/test/parts.ts`). */
const { THEMES: turn = '0' } = process.env;

/** Each path in each language, each of them under each of the layout themes: those of a path and of a language take turns. */
const visits = paths.flatMap((path, row) =>
  locales.flatMap((language, column) => {
    const own = (row + column + Number(turn)) % backgrounds.length;
    return backgrounds
      .filter((_, at) => turn === 'all' || at === own)
      .map((background) => ({ path, language, background, look: `ink.sand.${background}` }));
  }),
);

test.each(visits)('$path in $language on $background is taken over as it was painted', async ({ path, language, look }) => {
  const page = await pageAt(path, language, look);
  const { keys, html, complaints, asked } = await hydrate(page, { origin: shop.url, path, language, look });
  expect({ keys, complaints, asked }).toEqual({ keys: { painted: keys.own, own: keys.own }, complaints: [], asked: [] });
  expect(withoutMeasures(html.hydrated)).toBe(withoutMeasures(html.painted));
});

test.each(['/', '/all', '/id:1001'])(
  '%s is taken over where browsers reach the shop by an address that it does not know',
  async (path) => {
    const visit = { origin: 'https://books.example', path, language: 'en' as const, look: '' };
    const page = await pageAt(path, visit.language, visit.look);
    const { keys, html, complaints, asked } = await hydrate(page, visit);
    expect({ keys, complaints, asked }).toEqual({ keys: { painted: keys.own, own: keys.own }, complaints: [], asked: [] });
    expect(html.painted).not.toContain(shop.url);
  },
);

test.each(['/', '/all', '/id:1001'])(
  'the largest picture of %s is asked for in its head, the program behind the screen',
  async (path) => {
    const page = await pageAt(path, 'en', '');
    const [head = '', body = ''] = page.split('</head>');
    const [, behind = ''] = body.split('<template id="whole">');
    const asked = /<link rel="preload" as="image"|<link rel="modulepreload"|<script type="module"/g;
    expect([head, behind].map((part) => [...new Set(part.match(asked))])).toEqual([
      ['<link rel="preload" as="image"'],
      ['<script type="module"', '<link rel="modulepreload"'],
    ]);
    expect(page.match(/<script type="module"/g)).toHaveLength(1);
  },
);

test('what a server paints that the machines do not say is complained of', async () => {
  const visit = { origin: shop.url, path: '/about', language: 'en' as const, look: '' };
  const page = await pageAt(visit.path, visit.language, visit.look);
  const lie = page.replace(/(<h1\b[^>]*>)[^<]*/, '$1A lie');
  expect(lie).not.toBe(page);
  expect((await hydrate(lie, visit)).complaints.join('\n')).toContain('Hydration failed');
});

test('three turns, or all of them at once, have every page in every language under every layout theme', () => {
  const pages = paths.length * locales.length;
  expect(visits).toHaveLength(turn === 'all' ? backgrounds.length * pages : pages);
  expect(new Set(visits.map(({ background }) => background)).size).toBe(backgrounds.length);
});

test('every flow that may come painted is among them', () => {
  const named = flows.filter((flow) => 'painted' in flow).map(({ name }) => name);
  expect(named).toEqual(['landing', 'catalogue', 'title', 'subscription', 'campaign', 'page', 'information', 'notFound']);
});
