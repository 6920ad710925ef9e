import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewCampaign } from '../../../server/setup/save-campaign.ts';
import { openPages } from '../support/pages.ts';

/** A program that renders the responses of the shop's own calls and a count of its renders. */
const pageRenderer = `
  const calls = {
    '/': ['titles'],
    '/all': ['titles'],
    '/id:book': ['titles/book'],
    '/pages/public/about': ['pages/about'],
    '/campaign/spring': ['campaign/titles'],
  };
  let times = 0;
  export async function render({ config, pathname, search }, call) {
    times += 1;
    const asked = ['store/properties', ...calls[pathname]].map(
      (path) => '/api/' + path + '?shelfid=' + config.storeId + (path.startsWith('campaign') ? '&campaignId=spring' : ''),
    );
    const answers = await Promise.all(asked.map((path) => call({ path, language: 'en' })));
    const shown = '<p>' + times + ' ' + pathname + search + '</p>' + answers.map(({ text }) => encodeURI(text)).join('');
    const html = '<div id="root" data-rendered="k">' + shown + '</div>';
    const used = answers.map((answer, nth) => ({ call: asked[nth], ...answer }));
    const campaign = answers.find(({ text }) => text.includes('<Campaign'))?.text ?? '';
    const changesAt = ['StartsAt', 'EndsAt'].flatMap((name) => campaign.split('<' + name + '>')[1]?.split('<')[0] ?? []);
    const preloads = [{ src: '/first.jpg', srcSet: '/first.jpg 240w, /first.jpg?a&b 480w', sizes: '44vw' }];
    return { html, preloads, styles: [], answers: used, changesAt, firstTitle: null, next: null };
  }
`;

const campaign: NewCampaign = {
  id: 'spring',
  name: 'Spring',
  html: '',
  titles: [{ id: 'book', amount: 7.5, currency: 'EUR' }],
};

let pages: Awaited<ReturnType<typeof openPages>>;
let store: string;
beforeAll(async () => {
  pages = await openPages({ ssr: 'always' }, pageRenderer);
  store = await pages.shop.store({ host: 'painted.example', campaigns: [campaign] });
});
afterAll(() => pages.close());

/** The rendered content for an address, and the number of that render. */
const renderedAt = async (path: string): Promise<{ nth: string | undefined; what: string | undefined; shown: string }> => {
  const { html } = await pages.head('painted.example', path);
  const [, nth, what, shown = ''] = /data-rendered="k"><p>(\d+) ([^<]*)<\/p>([^<]*)</.exec(html) ?? [];
  return { nth, what, shown: decodeURI(shown) };
};

test('a page is rendered once for all visitors, regardless of other parameters in their links', async () => {
  const first = await renderedAt('/id:book');
  expect(first.what).toBe('/id:book');
  for (const more of ['?utm_source=letter', '?fbclid=x&gclid=y', '?a', '?utm_source=post']) {
    expect(await renderedAt(`/id:book${more}`)).toEqual(first);
  }
  const sorted = await renderedAt('/all?utm_source=letter&sort=price');
  expect(sorted.what).toBe('/all?sort=price');
  expect(await renderedAt('/all?sort=price&x=1')).toEqual(sorted);
  expect((await renderedAt('/all?sort=title')).nth).not.toBe(sorted.nth);
});

test('pages of searches and cursors are not cached, so that they evict no other page', async () => {
  for (const path of ['/all?search=sea', '/all?after=abc'])
    expect((await renderedAt(path)).nth).not.toBe((await renderedAt(path)).nth);
});

test('an unknown language is treated as none', async () => {
  const first = await renderedAt('/all?sort=newest');
  for (const other of ['xx', 'english', '', '%E0%A4%A'])
    expect(await renderedAt(`/all?lang=${other}&sort=newest`)).toEqual(first);
  expect((await renderedAt('/all?lang=fr&sort=newest')).nth).not.toBe(first.nth);
});

test.each([
  ['/all?lang=xx&lang=fr&sort=oldest', '/all?lang=fr&sort=oldest', '/all?lang=fr'],
  ['/all??lang=fr', '/all', '/all'],
])('a request for %s does not change the cached head of %s', async (odd, usual, canonical) => {
  const canonicalAt = async (url: string): Promise<string | undefined> => {
    const headers = { host: 'painted.example', accept: 'text/html', 'accept-language': 'fr' };
    const { body } = await pages.shop.app.inject({ url, headers });
    expect(body).toContain('data-rendered="k"');
    return /<link rel="canonical" href="([^"]*)"/.exec(body)?.[1];
  };
  await canonicalAt(odd);
  expect(await canonicalAt(usual)).toBe(`http://painted.example${canonical}`);
});

/** The number of the render that a visitor with these headers gets. */
const readVisitNumber = async (url: string, headers: Record<string, string>): Promise<string | undefined> => {
  const { body } = await pages.shop.app.inject({ url, headers: { host: 'painted.example', accept: 'text/html', ...headers } });
  return /data-rendered="k"><p>(\d+) /.exec(body)?.[1];
};

test('a visitor with another language or look gets a separately rendered page, from the cache the second time', async () => {
  const visitors: Record<string, string>[] = [
    { 'accept-language': 'en' },
    { 'accept-language': 'fr' },
    { 'accept-language': 'en', cookie: 'lang=fr; look=ink.store.night' },
    { 'accept-language': 'en', cookie: 'look=ink.store.night' },
  ];
  const numberOf = (headers: Record<string, string>) => readVisitNumber('/all?sort=popular', headers);
  const numbers: (string | undefined)[] = [];
  for (const headers of visitors) numbers.push(await numberOf(headers));
  expect(new Set(numbers).size).toBe(visitors.length);
  for (let time = 0; time < 2; time++) expect(await Promise.all(visitors.map(numberOf))).toEqual(numbers);
});

test('an unknown look is treated as the usual one', async () => {
  const numberOf = (look: string) => readVisitNumber('/all?sort=price', { cookie: `look=${look}` });
  const usual = await readVisitNumber('/all?sort=price', {});
  expect(usual).toBeDefined();
  for (const look of ['', 'a', 'b', '.store.paper', 'pink.store.a', '..']) expect(await numberOf(look)).toBe(usual);
  // A customer's choice of a paper bar differs from the bar of the store's theme.
  const paper = await numberOf('paper.store.paper');
  expect(paper).not.toBe(usual);
  expect(await numberOf('paper')).toBe(paper);
  expect(await numberOf('paper.store.night')).not.toBe(usual);
});

test('a server-rendered page blocks the first paint until the screen is complete; a plain page does not', async () => {
  const rendered = await pages.head('painted.example', '/all');
  expect(rendered.links).toMatchObject({ expect: '#whole' });
  expect(rendered.html).toMatch(/<\/div><script>[^<]*<\/script><template id="whole"><\/template><(?:script|link)/);
  expect((await pages.head('painted.example', '/signin')).links).not.toHaveProperty('expect');
});

test('the largest picture of a server-rendered page is preloaded before its program', async () => {
  const { html } = await pages.head('painted.example', '/');
  const preload =
    '<link rel="preload" as="image" imagesrcset="/first.jpg 240w, /first.jpg?a&amp;b 480w" imagesizes="44vw" fetchpriority="high" />';
  expect(html.indexOf(preload)).toBeGreaterThan(0);
  expect(html.indexOf(preload)).toBeLessThan(html.indexOf('</head>'));
  expect(html.indexOf('</head>')).toBeLessThan(html.indexOf('src="/program.js"'));
});

test('a page with a secret in its address is not server-rendered', async () => {
  expect((await renderedAt('/all?code=SECRET')).nth).toBeUndefined();
});

test.each([
  [
    'a property',
    '/',
    () => pages.shop.db.insertInto('properties').values({ store_id: store, name: 'NewsletterSignupText', value: 'Write to us' }),
    'Write to us',
  ],
  [
    'a title',
    '/id:book',
    () =>
      pages.shop.db.updateTable('titles').set({ name: 'Renamed Book' }).where('id', '=', 'book').where('store_id', '=', store),
    'Renamed Book',
  ],
  [
    'a price',
    '/all',
    () =>
      pages.shop.db
        .updateTable('prices')
        .set({ amount_minor: 4321 })
        .where('title_id', '=', 'book')
        .where('store_id', '=', store),
    '43.21',
  ],
  [
    'a page',
    '/pages/public/about',
    () => pages.shop.db.updateTable('pages').set({ html: 'Rewritten' }).where('name', '=', 'about').where('store_id', '=', store),
    'Rewritten',
  ],
  [
    'a campaign',
    '/campaign/spring',
    () => pages.shop.db.updateTable('campaigns').set({ name: 'Autumn' }).where('id', '=', 'spring').where('store_id', '=', store),
    'Autumn',
  ],
  [
    'a campaign’s price',
    '/campaign/spring',
    () =>
      pages.shop.db
        .updateTable('campaign_titles')
        .set({ amount_minor: 654 })
        .where('campaign_id', '=', 'spring')
        .where('store_id', '=', store),
    '6.54',
  ],
])('a change of %s appears in the next rendered page', async (_what, path, change, shown) => {
  const before = await renderedAt(path);
  expect(before.shown).not.toContain(shown);
  expect(await renderedAt(path)).toEqual(before);
  await change().execute();
  const after = await renderedAt(path);
  expect(after.shown).toContain(shown);
  expect(after.nth).not.toBe(before.nth);
});

test('a campaign’s page is rendered again from the moment that the campaign starts or ends', async () => {
  /** The page just before a moment of the campaign; on a slow machine that moment is later. */
  const renderedBefore = async (moment: 'ends_at' | 'starts_at', farOff = 1_000): ReturnType<typeof renderedAt> => {
    const at = new Date(Date.now() + farOff);
    const moments = { ends_at: null, starts_at: null, [moment]: at };
    await pages.shop.db.updateTable('campaigns').set(moments).where('id', '=', 'spring').where('store_id', '=', store).execute();
    const [before, again] = [await renderedAt('/campaign/spring'), await renderedAt('/campaign/spring')];
    if (Date.now() >= at.getTime()) return renderedBefore(moment, 2 * farOff);
    expect(again).toEqual(before);
    return before;
  };
  for (const moment of ['ends_at', 'starts_at'] as const) {
    const before = await renderedBefore(moment);
    const nthNow = async () => (await renderedAt('/campaign/spring')).nth;
    await expect.poll(nthNow, { timeout: 30_000, interval: 100 }).not.toBe(before.nth);
    const after = await renderedAt('/campaign/spring');
    expect(await renderedAt('/campaign/spring')).toEqual(after);
  }
});
