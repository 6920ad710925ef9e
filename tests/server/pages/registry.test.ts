import { afterAll, beforeAll, expect, test } from 'vitest';
import { flows } from '../../../machines/flows/registry.ts';
import { openShop, type Shop } from '../support/shop.ts';

const routes = flows.flatMap((flow) => flow.routes);
const listedRoutes = routes.flatMap((route) => route.listed ?? []);
const switchNames = [...new Set(listedRoutes.flatMap(({ where }) => where ?? []))];

let shop: Shop;
const fetchText = async (host: string, url: string): Promise<string> => (await shop.app.inject({ url, headers: { host } })).body;

const readSitemapPaths = async (host: string): Promise<Set<string>> => {
  const matches = (await fetchText(host, '/sitemap.xml')).matchAll(/<loc>([^<]*)<\/loc>/g);
  return new Set([...matches].map(([, url = '']) => new URL(url).pathname));
};

beforeAll(async () => {
  shop = await openShop();
  const makeProperties = (value: string) => Object.fromEntries(switchNames.map((name) => [name, value]));
  await shop.store({ host: 'open.example', properties: makeProperties('true') });
  await shop.store({ host: 'closed.example', properties: makeProperties('false') });
});
afterAll(() => shop.close());

test('the sitemap has the paths that the flows list, where the store offers them', async () => {
  const [openPaths, closedPaths] = [await readSitemapPaths('open.example'), await readSitemapPaths('closed.example')];
  expect(listedRoutes.filter(({ path }) => !openPaths.has(path))).toEqual([]);
  for (const { path, where } of listedRoutes) expect(closedPaths.has(path), path).toBe(where === undefined);
});

test('robots.txt excludes pages for customers, pages with secrets, and pages that a flow excludes', async () => {
  const lines = (await fetchText('open.example', '/robots.txt')).split('\n');
  const disallowedPaths = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);
  for (const { access, crawled, pattern, examples } of routes) {
    const isExcluded = access === 'login' || crawled === false || pattern.includes('{secret}');
    for (const path of examples)
      expect(
        disallowedPaths.some((prefix) => path.startsWith(prefix)),
        path,
      ).toBe(isExcluded);
  }
});
