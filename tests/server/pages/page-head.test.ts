import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../../machines/model/store/language-names.ts';
import type { NewTitle } from '../../../server/setup/save-title.ts';
import { openPages, type Head } from '../support/pages.ts';
import { makeStore } from '../support/stores.ts';

const HOST = 'books.example';
const HOSTILE_TEXT = '</title></script><script>alert(1)</script>$& "\'<!--';

type Pages = Awaited<ReturnType<typeof openPages>>;

let pages: Pages;
const store = 'heads';
const readHead = (path: string): Promise<Head> => pages.fetchHead(HOST, path);
const titles: NewTitle[] = [
  ...(makeStore('x').titles ?? []),
  { id: 'bad', medium: 'epub', name: HOSTILE_TEXT, authors: [HOSTILE_TEXT], description: `<p>${HOSTILE_TEXT}</p>`, prices: [] },
  { id: 'plain', medium: 'interactive', name: 'No Words', prices: [] },
];

const createBooksStore = async ({ shop }: Pages): Promise<void> => {
  const defaultStore = makeStore('x');
  await shop.store({
    id: store,
    host: HOST,
    titles,
    categories: [
      ...(defaultStore.categories ?? []),
      { id: 'summer', name: 'Summer <Reading>', kind: 'titleset' },
      { id: 'printed', name: 'Printed', kind: 'catalog' },
    ],
    properties: {
      ...defaultStore.properties,
      ShelfName: 'Salt & Co',
      EbooksDisplayText: 'Books to read',
      About: '<h2>About us</h2><style>p{}</style><p>A shop&nbsp;of &lt;salt&gt;.</p><script>alert(1)</script>',
    },
    campaigns: [{ id: 'spring', name: 'Spring', html: '<p>Two for one.</p>', titles: [{ id: 'book' }] }],
  });
};

beforeAll(async () => {
  pages = await openPages();
  await createBooksStore(pages);
  await pages.shop.store({ host: 'quiet.example', properties: { ShowTitlePrice: false, EnableSubscription: false } });
});
afterAll(() => pages.close());

test('a title’s page has name, description, cover, price, and a URL in every language', async () => {
  const url = `http://${HOST}/id:book/The-Salt-%3CRoad%3E-%26-Other-%22Ways%22`;
  const cover = `http://${HOST}/media/covers/${store}/book/cover.jpg`;
  const { status, title, meta, links, jsonLd, lang } = await readHead('/id:book/whatever?utm=1');
  expect([status, title, lang]).toEqual([200, 'The Salt <Road> & Other "Ways" · Salt & Co', 'en']);
  expect(links).toMatchObject({
    canonical: url,
    'x-default': url,
    ...Object.fromEntries(languages.map((code) => [code, `${url}?lang=${code}`])),
  });
  expect(meta).toEqual({
    description: ['Walking, & salt.'],
    'og:url': [url],
    'og:type': ['book'],
    'og:site_name': ['Salt & Co'],
    'og:title': ['The Salt <Road> & Other "Ways"'],
    'og:description': ['Walking, & salt.'],
    'og:locale': ['en_GB'],
    'og:image': [cover],
    'og:image:width': ['600'],
    'og:image:height': ['900'],
    'book:author': ['Ada O’Hara', "Ben d'Arc"],
    'book:isbn': ['9780306406157'],
    'twitter:card': ['summary_large_image'],
  });
  const offer = { '@type': 'Offer', url, availability: 'https://schema.org/InStock' };
  expect(jsonLd).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Book',
    '@id': url,
    url,
    name: 'The Salt <Road> & Other "Ways"',
    alternativeHeadline: 'A walk',
    description: 'Walking, & salt.',
    image: cover,
    author: [
      { '@type': 'Person', name: 'Ada O’Hara' },
      { '@type': 'Person', name: "Ben d'Arc" },
    ],
    publisher: { '@type': 'Organization', name: 'Quay & Co' },
    provider: { '@type': 'Organization', name: 'Salt & Co' },
    datePublished: '2024-05',
    inLanguage: 'en',
    isbn: '9780306406157',
    bookFormat: 'https://schema.org/EBook',
    numberOfPages: 120,
    offers: [
      { ...offer, price: '9.90', priceCurrency: 'EUR' },
      { ...offer, price: '1500', priceCurrency: 'JPY' },
    ],
  });
});

test('an audiobook has narrators and a duration, and a film is not a book', async () => {
  expect((await readHead('/id:sound')).jsonLd).toMatchObject({
    '@type': 'Audiobook',
    readBy: [{ '@type': 'Person', name: 'Noor Bell' }],
    duration: 'PT0H20M35S',
  });
  const film = await readHead('/id:film');
  expect(film.jsonLd).toMatchObject({ '@type': 'VideoObject', name: '雨の映画' });
  expect(film.meta).not.toHaveProperty('book:author');
});

test('a store that hides prices has none in the head', async () => {
  expect((await pages.fetchHead('quiet.example', '/id:book')).jsonLd).not.toHaveProperty('offers');
});

test('a title’s texts cannot inject markup', async () => {
  const { html, title, meta, jsonLd, status } = await readHead('/id:bad');
  expect(status).toBe(200);
  expect(html).not.toMatch(/<script>|<!--/);
  expect(html.match(/<\/title>/g)).toHaveLength(1);
  expect(title).toBe(`${HOSTILE_TEXT} · Salt & Co`);
  expect(jsonLd).toMatchObject({ name: HOSTILE_TEXT });
  expect(meta['og:title']).toEqual([HOSTILE_TEXT]);
  // One script each for the structured data, the program and the store's data.
  expect(html.match(/<script /g)).toHaveLength(3);
});

describe('the language of a page', () => {
  test.each([
    ['fr', 'fr', 'fr_FR', 'No Words, chez Salt & Co.', 'Conditions · Salt & Co'],
    ['ZH', 'zh', 'zh_CN', '《No Words》，尽在Salt & Co。', '条款 · Salt & Co'],
    ['es', 'es', 'es_ES', 'No Words, en Salt & Co.', 'Condiciones · Salt & Co'],
    ['it', 'it', 'it_IT', 'No Words, da Salt & Co.', 'Condizioni · Salt & Co'],
  ])('the language %s in the URL sets the language of the page', async (requestedLanguage, code, locale, description, terms) => {
    const { lang, links, meta } = await readHead(`/id:plain?lang=${requestedLanguage}`);
    expect([lang, meta['description'], meta['og:locale']]).toEqual([code, [description], [locale]]);
    expect(links['canonical']).toBe(`http://${HOST}/id:plain/No-Words?lang=${code}`);
    expect(links['x-default']).toBe(`http://${HOST}/id:plain/No-Words`);
    expect((await readHead(`/terms?lang=${requestedLanguage}`)).title).toBe(terms);
  });

  test.each(['tlh', '', '%00', 'fr-CA"><script>', 'x'.repeat(10_000)])(
    'a page is in English for the language %j in its URL',
    async (requestedLanguage) => {
      const { lang, links, meta } = await readHead(`/id:plain?lang=${requestedLanguage}`);
      expect([lang, meta['description']]).toEqual(['en', ['No Words, at Salt & Co.']]);
      expect(links['canonical']).toBe(`http://${HOST}/id:plain/No-Words`);
    },
  );
});

test.each([
  ['/', 'Salt & Co', '/', 'A shop of <salt>.'],
  ['/all?sort=price&search=x', 'Titles · Salt & Co', '/all', 'Titles at Salt & Co'],
  ['/all/popular?language=fr', 'Popular titles · Salt & Co', '/all/popular', 'Popular titles at Salt & Co'],
  ['/all/free/', 'Free titles · Salt & Co', '/all/free', 'Free titles at Salt & Co'],
  ['/all?author=Ada&series=Tides', 'Titles · Salt & Co', '/all', 'Titles at Salt & Co'],
  ['/ebook/', 'Books to read · Salt & Co', '/ebook', 'Books to read at Salt & Co'],
  ['/all/novels', 'Novels · Salt & Co', '/all/novels/novels', 'Novels at Salt & Co'],
  ['/ebook/x/tag-novels', 'Novels · Salt & Co', '/ebook/novels/novels', 'Novels at Salt & Co'],
  ['/all/fiction-&-more', 'Fiction & more · Salt & Co', '/all/fiction-%26-more/fiction', 'Fiction & more at Salt & Co'],
  ['/all/fiction/x/novels/novels', 'Novels · Salt & Co', '/all/novels/novels', 'Novels at Salt & Co'],
  ['/audio/%C3%89clair-of-Winter', 'Éclair of Winter · Salt & Co', '/id:sound/%C3%89clair-of-Winter', 'Éclair of Winter by'],
  ['/audio/x/sound', 'Éclair of Winter · Salt & Co', '/id:sound/%C3%89clair-of-Winter', 'Éclair of Winter by'],
  [
    '/isbn:0-306-40615-2/x',
    'The Salt <Road> & Other "Ways" · Salt & Co',
    '/id:book/The-Salt-%3CRoad%3E-%26-Other-%22Ways%22',
    'Walking',
  ],
  ['/titleset/titles/summer', 'Summer <Reading> · Salt & Co', '/titleset/titles/summer', 'Summer <Reading> at'],
  ['/catalog/titles/printed', 'Printed · Salt & Co', '/catalog/titles/printed', 'Printed at Salt & Co'],
  ['/about', 'About · Salt & Co', '/about', 'A shop of <salt>.'],
  ['/pages/public/about', 'About · Salt & Co', '/pages/public/about', 'About & so on'],
  ['/subscription', 'Subscriptions · Salt & Co', '/subscription', 'Find titles'],
])('the page %s has the title %s and one canonical URL', async (path, title, canonical, description) => {
  const head = await readHead(path);
  expect([head.status, head.title]).toEqual([200, title]);
  expect(head.links['canonical']).toBe(`http://${HOST}${canonical}`);
  expect(head.meta['description']?.[0]).toContain(description);
  expect(head.meta).not.toHaveProperty('robots');
});

test.each(
  [
    ['/signin', '/signup', '/forgotpassword', '/resetpassword/a-secret-token', '/redeem/SECRET', '/account', '/mylibrary/audio'],
    ['/viewer?instanceid=1', '/pdfviewer', '/title/purchase?titleid=book', '/checkout/complete', '/cart/checkout', '/purchase'],
    ['/title/purchase/success', '/cart/purchase/success', '/subscription/purchase/success', '/pages/private/members'],
    ['/pages/public/members', '/id:hidden/x', '/invalid'],
  ].flat(),
)('the page %s is served but not indexed, and has no canonical URL', async (path) => {
  const { status, html, meta, links } = await readHead(path);
  expect([status, meta]).toEqual([200, { robots: ['noindex'] }]);
  expect(links).not.toHaveProperty('canonical');
  expect(html).not.toMatch(/secret|Members/i);
});

test('a list page after the first is not indexed', async () => {
  const { status, title, meta, links } = await readHead('/all?sort=price&after=abc');
  expect([status, title, meta]).toEqual([200, 'Titles · Salt & Co', { robots: ['noindex'] }]);
  expect(links).not.toHaveProperty('canonical');
  expect((await readHead('/all?sort=price')).meta).not.toHaveProperty('robots');
});

test('the subscription page of a store without subscriptions is not indexed', async () => {
  expect((await pages.fetchHead('quiet.example', '/subscription')).meta).toEqual({ robots: ['noindex'] });
});

test.each(
  [
    [
      '/id:nothing',
      '/isbn:9783161484100',
      '/isbn:hello',
      '/audio/the-salt-road',
      '/all/nowhere',
      '/all/a/b/c/d/e',
      '/video/x/sound/y',
    ],
    ['/catalog/titles/summer', '/titleset/titles/none', '/pages/public/none', '/campaign/none', '/no/such/page', '/404'],
    ['/id:%E0%A4%A', '/audio/%ED%A0%80', '/id:%', '/%?lang=fr&%=%', '/id:%00', '/id:a%20b'],
    ['/audio/%00', "/all/'; drop table titles; --", '/pages/public/..%2f..%2fetc', '//evil.example/', '/all//x'],
  ]
    .flat()
    .map((path): [string, string] => [path, path])
    .concat([
      ['with an id of 10,000 characters', `/id:${'x'.repeat(10_000)}`],
      ['with a category of 10,000 characters', `/all/${'x'.repeat(10_000)}`],
    ]),
)('the path %s is answered 404 with the shop’s page', async (_label, path) => {
  const { status, meta, html } = await readHead(path);
  expect([status, meta]).toEqual([404, { robots: ['noindex'] }]);
  expect(html).toContain('id="store"');
});

describe('server-rendered pages', () => {
  let ssr: Pages;
  beforeAll(async () => {
    const screenFields = { changesAt: [], firstTitle: null, next: null };
    const screen = { html: '<div id="root" data-rendered="k"></div>', preloads: [], styles: [], answers: [], ...screenFields };
    ssr = await openPages({ ssr: 'always' }, `export const render = async () => (${JSON.stringify(screen)});`);
    await createBooksStore(ssr);
  });
  afterAll(() => ssr.close());

  test.each(
    [
      [
        '/',
        '/all?sort=price',
        '/all/popular',
        '/ebook',
        '/ebook/x/tag-novels',
        '/titleset/titles/summer',
        '/catalog/titles/printed',
      ],
      ['/id:book/x', '/id:sound', '/id:film', '/id:bad', '/id:plain', '/id:hidden/x', '/isbn:0-306-40615-2', '/audio/x/sound'],
      ['/about', '/terms', '/privacy', '/pages/public/about', '/campaign/spring', '/subscription'],
      ['/404', '/500', '/no/such/page', '/id:nothing', '/all/nowhere', '/campaign/none'],
    ].flat(),
  )('the head of the server-rendered page %s equals the head of the plain page', async (path) => {
    for (const language of ['', 'fr', 'xx']) {
      const url = language === '' ? path : `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;
      const { html: plainHtml, ...plainHead } = await readHead(url);
      const { html, links, ...renderedHead } = await ssr.fetchHead(HOST, url);
      expect([plainHtml.includes('data-rendered'), html.includes('data-rendered')]).toEqual([false, true]);
      const { expect: blockingTarget, ...otherLinks } = links;
      expect(blockingTarget).toBe('#whole');
      expect({ ...renderedHead, links: otherLinks }).toEqual(plainHead);
    }
  });
});
