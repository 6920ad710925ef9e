import { afterAll, beforeAll, expect, test } from 'vitest';
import { flows } from '../../../machines/flows/registry.ts';
import { openShop, type Shop } from '../support/shop.ts';

const routes = flows.flatMap((flow) => flow.routes);
const listed = routes.flatMap((route) => route.listed ?? []);
const switches = [...new Set(listed.flatMap(({ where }) => where ?? []))];

let shop: Shop;
const read = async (host: string, url: string): Promise<string> => (await shop.app.inject({ url, headers: { host } })).body;

const listedAt = async (host: string): Promise<Set<string>> => {
  const places = (await read(host, '/sitemap.xml')).matchAll(/<loc>([^<]*)<\/loc>/g);
  return new Set([...places].map(([, place = '']) => new URL(place).pathname));
};

beforeAll(async () => {
  shop = await openShop();
  const all = (value: string) => Object.fromEntries(switches.map((name) => [name, value]));
  await shop.store({ host: 'open.example', properties: all('true') });
  await shop.store({ host: 'closed.example', properties: all('false') });
});
afterAll(() => shop.close());

test('the sitemap lists what the flows list, where the store has it', async () => {
  const [open, closed] = [await listedAt('open.example'), await listedAt('closed.example')];
  expect(listed.filter(({ path }) => !open.has(path))).toEqual([]);
  for (const { path, where } of listed) expect(closed.has(path), path).toBe(where === undefined);
});

test('robots.txt excludes pages for customers, secrets, and what a flow excludes', async () => {
  const lines = (await read('open.example', '/robots.txt')).split('\n');
  const closed = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);
  for (const { access, crawled, pattern, examples } of routes) {
    const keepsOut = access === 'login' || crawled === false || pattern.includes('{secret}');
    for (const path of examples)
      expect(
        closed.some((start) => path.startsWith(start)),
        path,
      ).toBe(keepsOut);
  }
});
