import { afterAll, beforeAll, expect, test } from 'vitest';
import { backgrounds } from '../../machines/model/appearance.ts';
import { locales } from '../../machines/model/language.ts';
import { flows } from '../../src/flows/registry.ts';
import { buildWhatIsStale } from '../../tools/start/build.mjs';
import { startShop, type RunningShop } from '../../tools/shop/running-shop.ts';
import { hydrate } from './support/hydrate.tsx';

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

const visits = paths.flatMap((path) => locales.map((language) => ({ path, language })));

test.each(visits)('$path in $language is taken over as it was painted', async ({ path, language }) => {
  for (const background of backgrounds) {
    const look = `ink.sand.${background}`;
    const page = await pageAt(path, language, look);
    const { keys, html, complaints, asked } = await hydrate(page, { origin: shop.url, path, language, look });
    expect({ keys, complaints, asked }).toEqual({ keys: { painted: keys.own, own: keys.own }, complaints: [], asked: [] });
    expect(html.hydrated).toBe(html.painted);
  }
});

test('every flow that may come painted is among them', () => {
  const named = flows.filter((flow) => 'painted' in flow).map(({ name }) => name);
  expect(named).toEqual(['landing', 'catalogue', 'title', 'subscription', 'campaign', 'page', 'information', 'notFound']);
});
