import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewCampaign } from '../../../server/setup/save-campaign.ts';
import { openPages } from '../support/pages.ts';

/** A program that paints what the shop's own calls are answered, and how often it has painted. */
const painter = `
  const calls = {
    '/': ['titles'],
    '/all': ['titles'],
    '/id:book': ['titles/book'],
    '/pages/public/about': ['pages/about'],
    '/campaign/spring': ['campaign/titles'],
  };
  let times = 0;
  export async function paint({ config, pathname, search }, call) {
    times += 1;
    const asked = ['store/properties', ...calls[pathname]].map(
      (path) => '/api/' + path + '?shelfid=' + config.storeId + (path.startsWith('campaign') ? '&campaignId=spring' : ''),
    );
    const answers = await Promise.all(asked.map((path) => call({ path, language: 'en' })));
    const shown = '<p>' + times + ' ' + pathname + search + '</p>' + answers.map(({ text }) => encodeURI(text)).join('');
    const html = '<div id="root" data-painted="k">' + shown + '</div>';
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
  pages = await openPages({ painting: 'always' }, painter);
  store = await pages.shop.store({ host: 'painted.example', campaigns: [campaign] });
});
afterAll(() => pages.close());

/** What was painted for an address, and the number of that page among all that were painted. */
const paintedAt = async (path: string): Promise<{ nth: string | undefined; what: string | undefined; shown: string }> => {
  const { html } = await pages.head('painted.example', path);
  const [, nth, what, shown = ''] = /data-painted="k"><p>(\d+) ([^<]*)<\/p>([^<]*)</.exec(html) ?? [];
  return { nth, what, shown: decodeURI(shown) };
};

test('a page is painted once for all who come, whatever others have put into their links', async () => {
  const first = await paintedAt('/id:book');
  expect(first.what).toBe('/id:book');
  for (const more of ['?utm_source=letter', '?fbclid=x&gclid=y', '?a', '?utm_source=post']) {
    expect(await paintedAt(`/id:book${more}`)).toEqual(first);
  }
  const sorted = await paintedAt('/all?utm_source=letter&sort=price');
  expect(sorted.what).toBe('/all?sort=price');
  expect(await paintedAt('/all?sort=price&x=1')).toEqual(sorted);
  expect((await paintedAt('/all?sort=title')).nth).not.toBe(sorted.nth);
});

test('what hardly anybody else will ask for pushes no other page out', async () => {
  for (const path of ['/all?search=sea', '/all?after=abc'])
    expect((await paintedAt(path)).nth).not.toBe((await paintedAt(path)).nth);
});

test('a language that the shop does not speak is as none', async () => {
  const first = await paintedAt('/all?sort=newest');
  for (const other of ['xx', 'english', '', '%E0%A4%A']) expect(await paintedAt(`/all?lang=${other}&sort=newest`)).toEqual(first);
  expect((await paintedAt('/all?lang=fr&sort=newest')).nth).not.toBe(first.nth);
});

test.each([
  ['/all?lang=xx&lang=fr&sort=oldest', '/all?lang=fr&sort=oldest', '/all?lang=fr'],
  ['/all??lang=fr', '/all', '/all'],
])('whoever asks for %s does not spoil the head of %s', async (odd, usual, canonical) => {
  const canonicalAt = async (url: string): Promise<string | undefined> => {
    const headers = { host: 'painted.example', accept: 'text/html', 'accept-language': 'fr' };
    const { body } = await pages.shop.app.inject({ url, headers });
    expect(body).toContain('data-painted="k"');
    return /<link rel="canonical" href="([^"]*)"/.exec(body)?.[1];
  };
  await canonicalAt(odd);
  expect(await canonicalAt(usual)).toBe(`http://painted.example${canonical}`);
});

/** The number of the page that such a visitor gets. */
const numberFor = async (url: string, headers: Record<string, string>): Promise<string | undefined> => {
  const { body } = await pages.shop.app.inject({ url, headers: { host: 'painted.example', accept: 'text/html', ...headers } });
  return /data-painted="k"><p>(\d+) /.exec(body)?.[1];
};

test('who comes with another language or look gets a page of their own, and the same one again', async () => {
  const visitors: Record<string, string>[] = [
    { 'accept-language': 'en' },
    { 'accept-language': 'fr' },
    { 'accept-language': 'en', cookie: 'lang=fr; look=ink.store.night' },
    { 'accept-language': 'en', cookie: 'look=ink.store.night' },
  ];
  const numberOf = (headers: Record<string, string>) => numberFor('/all?sort=popular', headers);
  const numbers: (string | undefined)[] = [];
  for (const headers of visitors) numbers.push(await numberOf(headers));
  expect(new Set(numbers).size).toBe(visitors.length);
  for (let time = 0; time < 2; time++) expect(await Promise.all(visitors.map(numberOf))).toEqual(numbers);
});

test('a look that there is none of is the usual one', async () => {
  const numberOf = (look: string) => numberFor('/all?sort=price', { cookie: `look=${look}` });
  const usual = await numberFor('/all?sort=price', {});
  expect(usual).toBeDefined();
  for (const look of ['', 'a', 'b', '.store.paper', 'pink.store.a', '..']) expect(await numberOf(look)).toBe(usual);
  // A bar of paper that a customer has chosen is not the bar of the store's theme.
  const paper = await numberOf('paper.store.paper');
  expect(paper).not.toBe(usual);
  expect(await numberOf('paper')).toBe(paper);
  expect(await numberOf('paper.store.night')).not.toBe(usual);
});

test('a browser is asked to draw nothing of a painted page before the whole screen has come; a plain one is not', async () => {
  const painted = await pages.head('painted.example', '/all');
  expect(painted.links).toMatchObject({ expect: '#whole' });
  expect(painted.html).toMatch(/<\/div><script>[^<]*<\/script><template id="whole"><\/template><(?:script|link)/);
  expect((await pages.head('painted.example', '/signin')).links).not.toHaveProperty('expect');
});

test('the largest picture of a painted page is asked for before its program', async () => {
  const { html } = await pages.head('painted.example', '/');
  const preload =
    '<link rel="preload" as="image" imagesrcset="/first.jpg 240w, /first.jpg?a&amp;b 480w" imagesizes="44vw" fetchpriority="high" />';
  expect(html.indexOf(preload)).toBeGreaterThan(0);
  expect(html.indexOf(preload)).toBeLessThan(html.indexOf('</head>'));
  expect(html.indexOf('</head>')).toBeLessThan(html.indexOf('src="/program.js"'));
});

test('what a customer alone may know is not painted', async () => {
  expect((await paintedAt('/all?code=SECRET')).nth).toBeUndefined();
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
])('a change of %s is seen in the next painted page', async (_what, path, change, shown) => {
  const before = await paintedAt(path);
  expect(before.shown).not.toContain(shown);
  expect(await paintedAt(path)).toEqual(before);
  await change().execute();
  const after = await paintedAt(path);
  expect(after.shown).toContain(shown);
  expect(after.nth).not.toBe(before.nth);
});

test('a campaign that ends, or begins, is painted anew from that moment on', async () => {
  /** The page before a moment of the campaign; on a slow machine that moment is farther off. */
  const paintedBefore = async (moment: 'ends_at' | 'starts_at', farOff = 1_000): ReturnType<typeof paintedAt> => {
    const at = new Date(Date.now() + farOff);
    const moments = { ends_at: null, starts_at: null, [moment]: at };
    await pages.shop.db.updateTable('campaigns').set(moments).where('id', '=', 'spring').where('store_id', '=', store).execute();
    const [before, again] = [await paintedAt('/campaign/spring'), await paintedAt('/campaign/spring')];
    if (Date.now() >= at.getTime()) return paintedBefore(moment, 2 * farOff);
    expect(again).toEqual(before);
    return before;
  };
  for (const moment of ['ends_at', 'starts_at'] as const) {
    const before = await paintedBefore(moment);
    const nthNow = async () => (await paintedAt('/campaign/spring')).nth;
    await expect.poll(nthNow, { timeout: 30_000, interval: 100 }).not.toBe(before.nth);
    const after = await paintedAt('/campaign/spring');
    expect(await paintedAt('/campaign/spring')).toEqual(after);
  }
});
