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
  let renderCount = 0;
  export async function render({ config, pathname, search }, call) {
    renderCount += 1;
    const paths = ['store/properties', ...calls[pathname]].map(
      (path) => '/api/' + path + '?shelfid=' + config.storeId + (path.startsWith('campaign') ? '&campaignId=spring' : ''),
    );
    const answers = await Promise.all(paths.map((path) => call({ path, language: 'en' })));
    const content = '<p>' + renderCount + ' ' + pathname + search + '</p>' + answers.map(({ text }) => encodeURI(text)).join('');
    const html = '<div id="root" data-rendered="k">' + content + '</div>';
    const pageAnswers = answers.map((answer, index) => ({ call: paths[index], ...answer }));
    const campaign = answers.find(({ text }) => text.includes('<Campaign'))?.text ?? '';
    const changesAt = ['StartsAt', 'EndsAt'].flatMap((name) => campaign.split('<' + name + '>')[1]?.split('<')[0] ?? []);
    const preloads = [{ src: '/first.jpg', srcSet: '/first.jpg 240w, /first.jpg?a&b 480w', sizes: '44vw' }];
    return { html, preloads, styles: [], answers: pageAnswers, changesAt, firstTitle: null, next: null };
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

/** @returns number, URL and content of a page's render, of which a plain page has none */
const readRendered = async (
  path: string,
): Promise<{ renderNumber: string | undefined; url: string | undefined; content: string }> => {
  const { html } = await pages.fetchHead('painted.example', path);
  const [, renderNumber, url, content = ''] = /data-rendered="k"><p>(\d+) ([^<]*)<\/p>([^<]*)</.exec(html) ?? [];
  return { renderNumber, url, content: decodeURI(content) };
};

test('a page is rendered once for all visitors, regardless of other parameters in their links', async () => {
  const firstPage = await readRendered('/id:book');
  expect(firstPage.url).toBe('/id:book');
  for (const extraParameters of ['?utm_source=letter', '?fbclid=x&gclid=y', '?a', '?utm_source=post']) {
    expect(await readRendered(`/id:book${extraParameters}`)).toEqual(firstPage);
  }
  const sortedPage = await readRendered('/all?utm_source=letter&sort=price');
  expect(sortedPage.url).toBe('/all?sort=price');
  expect(await readRendered('/all?sort=price&x=1')).toEqual(sortedPage);
  expect((await readRendered('/all?sort=title')).renderNumber).not.toBe(sortedPage.renderNumber);
});

// Otherwise they would evict other pages from the cache.
test('pages of searches and cursors are not cached', async () => {
  for (const path of ['/all?search=sea', '/all?after=abc'])
    expect((await readRendered(path)).renderNumber).not.toBe((await readRendered(path)).renderNumber);
});

test('an unknown language in a URL is ignored', async () => {
  const firstPage = await readRendered('/all?sort=newest');
  for (const unknownLanguage of ['xx', 'english', '', '%E0%A4%A'])
    expect(await readRendered(`/all?lang=${unknownLanguage}&sort=newest`)).toEqual(firstPage);
  expect((await readRendered('/all?lang=fr&sort=newest')).renderNumber).not.toBe(firstPage.renderNumber);
});

test.each([
  ['/all?lang=xx&lang=fr&sort=oldest', '/all?lang=fr&sort=oldest', '/all?lang=fr'],
  ['/all??lang=fr', '/all', '/all'],
])('a request for %s does not change the cached head of %s', async (oddUrl, usualUrl, canonical) => {
  const readCanonical = async (url: string): Promise<string | undefined> => {
    const headers = { host: 'painted.example', accept: 'text/html', 'accept-language': 'fr' };
    const { body } = await pages.shop.app.inject({ url, headers });
    expect(body).toContain('data-rendered="k"');
    return /<link rel="canonical" href="([^"]*)"/.exec(body)?.[1];
  };
  await readCanonical(oddUrl);
  expect(await readCanonical(usualUrl)).toBe(`http://painted.example${canonical}`);
});

/** @returns the number of the render that a visitor with these headers gets */
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
  const readNumber = (headers: Record<string, string>) => readVisitNumber('/all?sort=popular', headers);
  const numbers: (string | undefined)[] = [];
  for (const headers of visitors) numbers.push(await readNumber(headers));
  expect(new Set(numbers).size).toBe(visitors.length);
  for (let time = 0; time < 2; time++) expect(await Promise.all(visitors.map(readNumber))).toEqual(numbers);
});

test('an unknown look is treated as the usual one', async () => {
  const readNumber = (look: string) => readVisitNumber('/all?sort=price', { cookie: `look=${look}` });
  const usualNumber = await readVisitNumber('/all?sort=price', {});
  expect(usualNumber).toBeDefined();
  for (const look of ['', 'a', 'b', '.store.paper', 'pink.store.a', '..']) expect(await readNumber(look)).toBe(usualNumber);
  // A customer's choice of a paper bar differs from the bar of the store's theme.
  const paperNumber = await readNumber('paper.store.paper');
  expect(paperNumber).not.toBe(usualNumber);
  expect(await readNumber('paper')).toBe(paperNumber);
  expect(await readNumber('paper.store.night')).not.toBe(usualNumber);
});

test('a server-rendered page blocks the first paint until the screen is complete, and a plain page does not', async () => {
  const renderedPage = await pages.fetchHead('painted.example', '/all');
  expect(renderedPage.links).toMatchObject({ expect: '#whole' });
  expect(renderedPage.html).toMatch(/<\/div><script>[^<]*<\/script><template id="whole"><\/template><(?:script|link)/);
  expect((await pages.fetchHead('painted.example', '/signin')).links).not.toHaveProperty('expect');
});

test('the largest picture of a server-rendered page is preloaded before its program', async () => {
  const { html } = await pages.fetchHead('painted.example', '/');
  const preload =
    '<link rel="preload" as="image" imagesrcset="/first.jpg 240w, /first.jpg?a&amp;b 480w" imagesizes="44vw" fetchpriority="high" />';
  expect(html.indexOf(preload)).toBeGreaterThan(0);
  expect(html.indexOf(preload)).toBeLessThan(html.indexOf('</head>'));
  expect(html.indexOf('</head>')).toBeLessThan(html.indexOf('src="/program.js"'));
});

test('a page with a secret in its URL is not server-rendered', async () => {
  expect((await readRendered('/all?code=SECRET')).renderNumber).toBeUndefined();
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
])('a change of %s appears in the next rendered page', async (_name, path, change, expectedText) => {
  const pageBefore = await readRendered(path);
  expect(pageBefore.content).not.toContain(expectedText);
  expect(await readRendered(path)).toEqual(pageBefore);
  await change().execute();
  const pageAfter = await readRendered(path);
  expect(pageAfter.content).toContain(expectedText);
  expect(pageAfter.renderNumber).not.toBe(pageBefore.renderNumber);
});

test('a campaign’s page is rendered again from the moment that the campaign starts or ends', async () => {
  /** @returns the page before the campaign's start or end, which is later on a slow computer */
  const readPageBefore = async (moment: 'ends_at' | 'starts_at', distanceMs = 1_000): ReturnType<typeof readRendered> => {
    const date = new Date(Date.now() + distanceMs);
    const moments = { ends_at: null, starts_at: null, [moment]: date };
    await pages.shop.db.updateTable('campaigns').set(moments).where('id', '=', 'spring').where('store_id', '=', store).execute();
    const [page, repeatedPage] = [await readRendered('/campaign/spring'), await readRendered('/campaign/spring')];
    if (Date.now() >= date.getTime()) return readPageBefore(moment, 2 * distanceMs);
    expect(repeatedPage).toEqual(page);
    return page;
  };
  for (const moment of ['ends_at', 'starts_at'] as const) {
    const pageBefore = await readPageBefore(moment);
    const readRenderNumber = async () => (await readRendered('/campaign/spring')).renderNumber;
    await expect.poll(readRenderNumber, { timeout: 30_000, interval: 100 }).not.toBe(pageBefore.renderNumber);
    const pageAfter = await readRendered('/campaign/spring');
    expect(await readRendered('/campaign/spring')).toEqual(pageAfter);
  }
});
