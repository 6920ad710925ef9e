import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpdsFeed, OpdsLink, OpdsPublication } from '../../../server/opds/opds.ts';
import { openPages } from '../support/pages.ts';
import type { Shop } from '../support/shop.ts';

let shop: Shop;
let pages: Awaited<ReturnType<typeof openPages>>;
let store: string;
const HOST = 'books.example';
beforeAll(async () => {
  pages = await openPages();
  shop = pages.shop;
  store = await shop.store({ host: HOST });
});
afterAll(() => pages.close());

const fetchOpds = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  shop.app.inject({ method, url: url.replace(/^https?:\/\/[^/]+/, ''), headers: { host: HOST, ...headers } });
const fetchFeed = async (url: string, headers: Record<string, string> = {}): Promise<OpdsFeed> => {
  const response = await fetchOpds(url, headers);
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/opds+json; charset=utf-8']);
  return response.json<OpdsFeed>();
};
const findLink = (links: OpdsLink[], rel: string): OpdsLink | undefined => links.find((link) => link.rel === rel);
const ACQUISITION = 'http://opds-spec.org/acquisition';

/** Expects what OPDS 2.0 requires of every link. */
function expectValidLink(link: OpdsLink): void {
  expect(link.href).toMatch(/^http:\/\/books\.example\//);
  expect(link.type).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
  if (link.templated === undefined) expect(URL.canParse(link.href)).toBe(true);
  const price = link.properties?.price;
  if (price) expect([price.value >= 0, /^[A-Z]{3}$/.test(price.currency)]).toEqual([true, true]);
}

/**
 * A publication has metadata with a title, a link to itself, an acquisition link, and a picture in
 * a format that every app supports.
 */
function expectValidPublication({ metadata, links, images }: OpdsPublication): void {
  expect(metadata.title).not.toBe('');
  expect(URL.canParse(metadata.identifier)).toBe(true);
  expect(metadata['@type']).toMatch(/^http:\/\/schema\.org\//);
  expect(findLink(links, 'self')?.type).toBe('application/opds-publication+json');
  expect(links.some(({ rel }) => rel?.startsWith(ACQUISITION))).toBe(true);
  expect(images.some(({ type }) => ['image/jpeg', 'image/png', 'image/gif'].includes(type))).toBe(true);
  for (const link of [...links, ...images]) expectValidLink(link);
}

/** A feed has a title, a link to itself, and content; navigation entries are named. */
function expectValidFeed({ metadata, links, navigation, publications }: OpdsFeed): void {
  expect(metadata.title).not.toBe('');
  expect(findLink(links, 'self')).toBeDefined();
  expect(navigation ?? publications).toBeDefined();
  for (const link of navigation ?? []) expect(link.title).toMatch(/\S/);
  for (const link of [...links, ...(navigation ?? [])]) expectValidLink(link);
  for (const publication of publications ?? []) expectValidPublication(publication);
}

test('a reading app reaches every list and category, and every title that is for sale or free, from the start feed', async () => {
  const visitedUrls = new Set<string>();
  const foundTitles = new Set<string>();
  const follow = async (url: string): Promise<void> => {
    if (visitedUrls.has(url)) return;
    visitedUrls.add(url);
    const feed = await fetchFeed(url);
    expectValidFeed(feed);
    expect(findLink(feed.links, 'self')?.href).toBe(url);
    for (const { metadata, links } of feed.publications ?? []) {
      foundTitles.add(metadata.title);
      const selfUrl = findLink(links, 'self')?.href ?? '';
      const response = await fetchOpds(selfUrl);
      expect(response.headers['content-type']).toBe('application/opds-publication+json; charset=utf-8');
      expectValidPublication(response.json<OpdsPublication>());
    }
    for (const { href } of feed.navigation ?? []) await follow(href);
  };
  await follow(`http://${HOST}/opds`);
  expect([...visitedUrls].map((url) => new URL(url).pathname).toSorted()).toEqual(
    ['', '/categories/essays', '/categories/fiction', '/categories/novels', '/free', '/new', '/popular'].map(
      (path) => `/opds${path}`,
    ),
  );
  expect(foundTitles).toEqual(new Set(['The Salt <Road> & Other "Ways"', 'Éclair of Winter', 'A Free Sheet', '雨の映画']));
});

describe('a publication', () => {
  const fetchPublication = async (id: string) => (await fetchOpds(`/opds/titles/${id}`)).json<OpdsPublication>();

  test('a publication has the title’s metadata, price and purchase link', async () => {
    const { metadata, links, images } = await fetchPublication('book');
    expect(metadata).toMatchObject({
      '@type': 'http://schema.org/Book',
      identifier: 'urn:isbn:9780306406157',
      title: 'The Salt <Road> & Other "Ways"',
      subtitle: 'A walk',
      author: [{ name: 'Ada O’Hara' }, { name: "Ben d'Arc" }],
      publisher: { name: 'Quay & Co' },
      language: 'en',
      published: '2024-05',
      description: 'Walking, & salt.',
      numberOfPages: 120,
    });
    expect(findLink(links, `${ACQUISITION}/buy`)).toEqual({
      href: `http://${HOST}/id:book/The-Salt-%3CRoad%3E-%26-Other-%22Ways%22`,
      type: 'text/html',
      rel: `${ACQUISITION}/buy`,
      properties: { price: { value: 9.9, currency: 'EUR' }, indirectAcquisition: [{ type: 'application/epub+zip' }] },
    });
    expect(findLink(links, `${ACQUISITION}/sample`)?.href).toBe(`http://${HOST}/viewer?instanceid=book&sample=1`);
    expect(images).toContainEqual({
      href: `http://${HOST}/media/covers/${store}/book/cover.jpg?width=480`,
      type: 'image/jpeg',
      width: 480,
      height: 720,
    });
  });

  test('a free publication is not open access: it is acquired in the shop', async () => {
    const { links } = await fetchPublication('gratis');
    expect(findLink(links, ACQUISITION)?.properties?.price).toEqual({ value: 0, currency: 'EUR' });
    expect(links.map(({ rel }) => rel)).not.toContain(`${ACQUISITION}/open-access`);
  });

  test('a publication without a cover has a placeholder picture', async () => {
    const { images } = await fetchPublication('sound');
    expect(images).toHaveLength(1);
    const picture = await fetchOpds(images[0]?.href ?? '');
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/jpeg']);
  });

  test.each(['not-for-sale', 'hidden', 'none', '..%2Fx', '%00'])('the publication of the title %s is not found', async (id) => {
    expect((await fetchOpds(`/opds/titles/${id}`)).statusCode).toBe(404);
  });

  test('a publication has no price where the store hides prices, and no purchase link where the store does not sell', async () => {
    await shop.store({ host: 'quiet.example', properties: { ShowTitlePrice: false, ShowBuyTitle: false } });
    const { publications = [] } = (await fetchOpds('/opds/new', { host: 'quiet.example' })).json<OpdsFeed>();
    const links = publications.flatMap((each) => each.links).filter(({ rel }) => rel?.startsWith(ACQUISITION));
    expect(links.map(({ properties }) => properties?.price)).toEqual(links.map(() => undefined));
    expect(links.map(({ rel }) => rel)).not.toContain(`${ACQUISITION}/buy`);
  });
});

test('a long list is paged, with each title once', async () => {
  const titles = Array.from({ length: 120 }, (_, index) => ({
    id: `t${index}`,
    medium: 'epub' as const,
    name: `Title ${index}`,
    prices: [{ amount: 1, currency: 'EUR' }],
  }));
  await shop.store({ host: 'long.example', titles, categories: [] });
  const foundTitles: string[] = [];
  const sizes: number[] = [];
  for (let url: string | undefined = '/opds/new'; url !== undefined;) {
    const page: OpdsFeed = (await fetchOpds(url, { host: 'long.example' })).json();
    expect(page.metadata).toEqual({ title: 'New titles', numberOfItems: 120, itemsPerPage: 50 });
    foundTitles.push(...(page.publications ?? []).map(({ metadata }) => metadata.title));
    sizes.push(page.publications?.length ?? 0);
    url = findLink(page.links, 'next')?.href;
  }
  expect(sizes).toEqual([50, 50, 20]);
  expect(new Set(foundTitles).size).toBe(120);
});

test('the start feed has a search template, and its search is as tolerant as the shop’s', async () => {
  const template = findLink((await fetchFeed('/opds')).links, 'search');
  expect(template).toMatchObject({ templated: true, type: 'application/opds+json', href: `http://${HOST}/opds/search{?query}` });
  const searchTitles = async (words: string) => {
    const feed = await fetchFeed(`/opds/search?query=${encodeURIComponent(words)}`);
    expectValidFeed(feed);
    return feed.publications?.map(({ metadata }) => metadata.title);
  };
  expect(await searchTitles('salt')).toEqual(['The Salt <Road> & Other "Ways"']);
  expect(await searchTitles('eclair wintr')).toEqual(['Éclair of Winter']);
  expect(await searchTitles('"<script>&')).toEqual([]);
  expect((await fetchOpds(`/opds/search?query=${'x'.repeat(300)}`)).statusCode).toBe(404);
});

test('the language of a feed is that of its URL, else of the app’s Accept-Language header', async () => {
  const french = await fetchFeed('/opds?lang=fr');
  expect(french.navigation?.[0]).toMatchObject({ title: 'Nouveautés', href: `http://${HOST}/opds/new?lang=fr` });
  expect(findLink(french.links, 'search')?.href).toBe(`http://${HOST}/opds/search?lang=fr{&query}`);
  expect((await fetchFeed(french.navigation?.[0]?.href ?? '')).metadata.title).toBe('Nouveautés');
  expect((await fetchFeed('/opds', { 'accept-language': 'es-MX' })).navigation?.[0]?.title).toBe('Novedades');
  expect((await fetchFeed('/opds?lang=tlh')).navigation?.[0]?.title).toBe('New titles');
});

test('a feed that the app has cached is answered by 304 until it changes', async () => {
  const first = await fetchOpds('/opds/new');
  const etag = String(first.headers['etag']);
  expect(first.headers['cache-control']).toBe('no-cache');
  const unchanged = await fetchOpds('/opds/new', { 'if-none-match': etag });
  expect([unchanged.statusCode, unchanged.body]).toEqual([304, '']);
  await shop.db
    .updateTable('titles')
    .set({ name: 'Another name' })
    .where('store_id', '=', store)
    .where('id', '=', 'film')
    .execute();
  const changed = await fetchOpds('/opds/new', { 'if-none-match': etag });
  expect(changed.statusCode).toBe(200);
  expect(changed.body).toContain('Another name');
  expect((await fetchOpds('/opds/new', {}, 'HEAD')).statusCode).toBe(200);
});

test('a feed is that of the store of its host, and the store’s pages link to it', async () => {
  await shop.store({ host: 'other.example', titles: [], categories: [] });
  expect((await fetchOpds('/opds/new', { host: 'other.example' })).json<OpdsFeed>().publications).toEqual([]);
  expect((await fetchOpds('/opds', { host: 'nobody.example' })).statusCode).toBe(404);
  const { html } = await pages.fetchHead(HOST, '/?lang=fr');
  expect(html).toContain(
    `<link rel="alternate" type="application/opds+json" title="Books &lt;of&gt; ${store}" href="http://${HOST}/opds?lang=fr" />`,
  );
});

test.each([
  '/opds/none',
  '/opds/constructor',
  '/opds/categories/none',
  '/opds/categories/%2e%2e',
  '/opds/new?cursor=x',
  `/opds/new?cursor=${'x'.repeat(3000)}`,
])('the feed %s is not found', async (url) => {
  expect((await fetchOpds(url)).statusCode).toBe(404);
});
