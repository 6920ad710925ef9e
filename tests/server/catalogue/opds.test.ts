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

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  shop.app.inject({ method, url: url.replace(/^https?:\/\/[^/]+/, ''), headers: { host: HOST, ...headers } });
const feed = async (url: string, headers: Record<string, string> = {}): Promise<OpdsFeed> => {
  const answer = await get(url, headers);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/opds+json; charset=utf-8']);
  return answer.json<OpdsFeed>();
};
const linkOf = (links: OpdsLink[], rel: string): OpdsLink | undefined => links.find((link) => link.rel === rel);
const ACQUISITION = 'http://opds-spec.org/acquisition';

/** What OPDS 2.0 asks of every link. */
function checkLink(link: OpdsLink): void {
  expect(link.href).toMatch(/^http:\/\/books\.example\//);
  expect(link.type).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
  if (link.templated === undefined) expect(URL.canParse(link.href)).toBe(true);
  const price = link.properties?.price;
  if (price) expect([price.value >= 0, /^[A-Z]{3}$/.test(price.currency)]).toEqual([true, true]);
}

/** A publication has metadata with a title, a link to itself, a way to get it, and a picture that every app draws. */
function checkPublication({ metadata, links, images }: OpdsPublication): void {
  expect(metadata.title).not.toBe('');
  expect(URL.canParse(metadata.identifier)).toBe(true);
  expect(metadata['@type']).toMatch(/^http:\/\/schema\.org\//);
  expect(linkOf(links, 'self')?.type).toBe('application/opds-publication+json');
  expect(links.some(({ rel }) => rel?.startsWith(ACQUISITION))).toBe(true);
  expect(images.some(({ type }) => ['image/jpeg', 'image/png', 'image/gif'].includes(type))).toBe(true);
  for (const link of [...links, ...images]) checkLink(link);
}

/** A feed has a title, a link to itself, and something in it; navigation is named. */
function checkFeed({ metadata, links, navigation, publications }: OpdsFeed): void {
  expect(metadata.title).not.toBe('');
  expect(linkOf(links, 'self')).toBeDefined();
  expect(navigation ?? publications).toBeDefined();
  for (const link of navigation ?? []) expect(link.title).toMatch(/\S/);
  for (const link of [...links, ...(navigation ?? [])]) checkLink(link);
  for (const publication of publications ?? []) checkPublication(publication);
}

test('a reading app finds its way from the start to every list, category and title', async () => {
  const seen = new Set<string>();
  const found = new Set<string>();
  const follow = async (url: string): Promise<void> => {
    if (seen.has(url)) return;
    seen.add(url);
    const whole = await feed(url);
    checkFeed(whole);
    expect(linkOf(whole.links, 'self')?.href).toBe(url);
    for (const { metadata, links } of whole.publications ?? []) {
      found.add(metadata.title);
      const own = linkOf(links, 'self')?.href ?? '';
      const entry = await get(own);
      expect(entry.headers['content-type']).toBe('application/opds-publication+json; charset=utf-8');
      checkPublication(entry.json<OpdsPublication>());
    }
    for (const { href } of whole.navigation ?? []) await follow(href);
  };
  await follow(`http://${HOST}/opds`);
  expect([...seen].map((url) => new URL(url).pathname).toSorted()).toEqual(
    ['', '/categories/essays', '/categories/fiction', '/categories/novels', '/free', '/new', '/popular'].map(
      (path) => `/opds${path}`,
    ),
  );
  expect(found).toEqual(new Set(['The Salt <Road> & Other "Ways"', 'Éclair of Winter', 'A Free Sheet', '雨の映画']));
});

describe('a publication', () => {
  const entry = async (id: string) => (await get(`/opds/titles/${id}`)).json<OpdsPublication>();

  test('says what the title is, what it costs and where it is bought', async () => {
    const { metadata, links, images } = await entry('book');
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
    expect(linkOf(links, `${ACQUISITION}/buy`)).toEqual({
      href: `http://${HOST}/id:book/The-Salt-%3CRoad%3E-%26-Other-%22Ways%22`,
      type: 'text/html',
      rel: `${ACQUISITION}/buy`,
      properties: { price: { value: 9.9, currency: 'EUR' }, indirectAcquisition: [{ type: 'application/epub+zip' }] },
    });
    expect(linkOf(links, `${ACQUISITION}/sample`)?.href).toBe(`http://${HOST}/viewer?instanceid=book&sample=1`);
    expect(images).toContainEqual({
      href: `http://${HOST}/media/covers/${store}/book/cover.jpg?width=480`,
      type: 'image/jpeg',
      width: 480,
      height: 720,
    });
  });

  test('that is free is no open access: it is taken in the shop', async () => {
    const { links } = await entry('gratis');
    expect(linkOf(links, ACQUISITION)?.properties?.price).toEqual({ value: 0, currency: 'EUR' });
    expect(links.map(({ rel }) => rel)).not.toContain(`${ACQUISITION}/open-access`);
  });

  test('without a cover has a plain one that is there', async () => {
    const { images } = await entry('sound');
    expect(images).toHaveLength(1);
    const picture = await get(images[0]?.href ?? '');
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/jpeg']);
  });

  test.each(['not-for-sale', 'hidden', 'none', '..%2Fx', '%00'])('there is none for %s', async (id) => {
    expect((await get(`/opds/titles/${id}`)).statusCode).toBe(404);
  });

  test('of a store that does not show prices says none, and of one that does not sell leads to its page', async () => {
    await shop.store({ host: 'quiet.example', properties: { ShowTitlePrice: false, ShowBuyTitle: false } });
    const { publications = [] } = (await get('/opds/new', { host: 'quiet.example' })).json<OpdsFeed>();
    const links = publications.flatMap((each) => each.links).filter(({ rel }) => rel?.startsWith(ACQUISITION));
    expect(links.map(({ properties }) => properties?.price)).toEqual(links.map(() => undefined));
    expect(links.map(({ rel }) => rel)).not.toContain(`${ACQUISITION}/buy`);
  });
});

test('a long list comes in pages, each title once', async () => {
  const titles = Array.from({ length: 120 }, (_, place) => ({
    id: `t${place}`,
    medium: 'epub' as const,
    name: `Title ${place}`,
    prices: [{ amount: 1, currency: 'EUR' }],
  }));
  await shop.store({ host: 'long.example', titles, categories: [] });
  const found: string[] = [];
  const sizes: number[] = [];
  for (let url: string | undefined = '/opds/new'; url !== undefined;) {
    const page: OpdsFeed = (await get(url, { host: 'long.example' })).json();
    expect(page.metadata).toEqual({ title: 'New titles', numberOfItems: 120, itemsPerPage: 50 });
    found.push(...(page.publications ?? []).map(({ metadata }) => metadata.title));
    sizes.push(page.publications?.length ?? 0);
    url = linkOf(page.links, 'next')?.href;
  }
  expect(sizes).toEqual([50, 50, 20]);
  expect(new Set(found).size).toBe(120);
});

test('a search is asked for by its template, and forgives as the shop’s own', async () => {
  const template = linkOf((await feed('/opds')).links, 'search');
  expect(template).toMatchObject({ templated: true, type: 'application/opds+json', href: `http://${HOST}/opds/search{?query}` });
  const asked = async (words: string) => {
    const found = await feed(`/opds/search?query=${encodeURIComponent(words)}`);
    checkFeed(found);
    return found.publications?.map(({ metadata }) => metadata.title);
  };
  expect(await asked('salt')).toEqual(['The Salt <Road> & Other "Ways"']);
  expect(await asked('eclair wintr')).toEqual(['Éclair of Winter']);
  expect(await asked('"<script>&')).toEqual([]);
  expect((await get(`/opds/search?query=${'x'.repeat(300)}`)).statusCode).toBe(404);
});

test('each language has its own feed: as the address asks, else as the app does', async () => {
  const french = await feed('/opds?lang=fr');
  expect(french.navigation?.[0]).toMatchObject({ title: 'Nouveautés', href: `http://${HOST}/opds/new?lang=fr` });
  expect(linkOf(french.links, 'search')?.href).toBe(`http://${HOST}/opds/search?lang=fr{&query}`);
  expect((await feed(french.navigation?.[0]?.href ?? '')).metadata.title).toBe('Nouveautés');
  expect((await feed('/opds', { 'accept-language': 'es-MX' })).navigation?.[0]?.title).toBe('Novedades');
  expect((await feed('/opds?lang=tlh')).navigation?.[0]?.title).toBe('New titles');
});

test('who has it already is told that nothing has changed, until something has', async () => {
  const first = await get('/opds/new');
  const etag = String(first.headers['etag']);
  expect(first.headers['cache-control']).toBe('no-cache');
  const same = await get('/opds/new', { 'if-none-match': etag });
  expect([same.statusCode, same.body]).toEqual([304, '']);
  await shop.db
    .updateTable('titles')
    .set({ name: 'Another name' })
    .where('store_id', '=', store)
    .where('id', '=', 'film')
    .execute();
  const after = await get('/opds/new', { 'if-none-match': etag });
  expect(after.statusCode).toBe(200);
  expect(after.body).toContain('Another name');
  expect((await get('/opds/new', {}, 'HEAD')).statusCode).toBe(200);
});

test('stores are told apart by their hosts, and pages say where the feed is', async () => {
  await shop.store({ host: 'other.example', titles: [], categories: [] });
  expect((await get('/opds/new', { host: 'other.example' })).json<OpdsFeed>().publications).toEqual([]);
  expect((await get('/opds', { host: 'nobody.example' })).statusCode).toBe(404);
  const { html } = await pages.head(HOST, '/?lang=fr');
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
])('%s is nothing', async (url) => {
  expect((await get(url)).statusCode).toBe(404);
});
