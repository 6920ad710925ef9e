import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const fetchFrom = (host: string, url: string) => shop.app.inject({ url, headers: { host } });
const parseLocations = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1] ?? '');

test('a host without a store has a robots.txt that excludes all, and no sitemap', async () => {
  expect((await fetchFrom('any.example', '/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n');
  expect((await fetchFrom('any.example', '/sitemap.xml')).statusCode).toBe(404);
});

test('a small store has one sitemap: its pages, lists, categories and listed titles', async () => {
  await shop.store({ host: 'small.example' });
  const response = await fetchFrom('small.example', '/sitemap.xml');
  expect(response.headers['content-type']).toBe('application/xml; charset=utf-8');
  expect(parseLocations(response.body).map((url) => url.replace('http://small.example', ''))).toEqual([
    ...'/ /all/new /all/popular /all/free /all /ebook /audio /video /subscription /all/fiction-%26-more/fiction /all/novels/novels /all/essays/essays'.split(
      ' ',
    ),
    '/pages/public/about',
    '/id:book/The-Salt-%3CRoad%3E-%26-Other-%22Ways%22',
    '/id:film/%E9%9B%A8%E3%81%AE%E6%98%A0%E7%94%BB',
    '/id:gratis/A-Free-Sheet',
    '/id:not-for-sale/Not-for-Sale',
    '/id:sound/%C3%89clair-of-Winter',
  ]);
  const robots = (await fetchFrom('small.example', '/robots.txt')).body.split('\n');
  expect(robots).toContain('Sitemap: http://small.example/sitemap.xml');
  expect(robots).toContain('Disallow: /mylibrary');
  expect(robots).not.toContain('Disallow: /');
});

test('a large store has an index of sitemaps, with each title in one sitemap', async () => {
  const titles = Array.from({ length: 5001 }, (_, index) => ({
    id: `t${index}`,
    medium: 'epub' as const,
    name: `Title ${index}`,
  }));
  await shop.store({ host: 'large.example', titles, categories: [] });
  const sitemapUrls = parseLocations((await fetchFrom('large.example', '/sitemap.xml')).body);
  expect(sitemapUrls).toEqual([0, 1, 2].map((index) => `http://large.example/sitemap-${index}.xml`));
  const urls: string[] = [];
  for (const sitemapUrl of sitemapUrls)
    urls.push(...parseLocations((await fetchFrom('large.example', new URL(sitemapUrl).pathname)).body));
  expect(urls.filter((url) => url.includes('/id:'))).toHaveLength(5001);
  expect(new Set(urls).size).toBe(urls.length);
  for (const path of [
    '/sitemap-3.xml',
    '/sitemap-9999.xml',
    '/sitemap-x.xml',
    '/sitemap--1.xml',
    `/sitemap-${'9'.repeat(500)}.xml`,
  ])
    expect((await fetchFrom('large.example', path)).statusCode, path).toBe(404);
});
