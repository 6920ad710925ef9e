import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../../machines/model/store/language-names.ts';
import { saveStore } from '../../../server/setup/save-store.ts';
import { openPages } from '../support/pages.ts';
import { makeStore } from '../support/stores.ts';

const TOKEN = 'a token of the tests, long enough';
const HOST = 'many.example';

let pages: Awaited<ReturnType<typeof openPages>>;
let store: string;

const title = {
  id: 'wind',
  medium: 'epub' as const,
  name: 'Four Windows',
  description: { en: 'A narrow house by the canal.', fr: 'Une maison étroite au bord du canal.', zh: '运河边的一座窄房子。' },
  prices: [{ amount: 5, currency: 'EUR' }],
  categories: ['novels', 'summer'],
};

beforeAll(async () => {
  pages = await openPages({ adminToken: TOKEN });
  store = await pages.shop.store({
    ...makeStore('x'),
    id: undefined,
    host: HOST,
    properties: {
      ShelfName: { en: 'Quay Books', fr: 'Les Livres du quai' },
      SubscribeButtonText: { en: 'Subscribe', fr: 'S’abonner', zh: '订阅' },
      About: { en: '<h2>About us</h2><p>A small shop.</p>', fr: '<h2>Qui sommes-nous</h2><p>Une petite librairie.</p>' },
      Faq: { en: 'https://a.example/faq', fr: 'https://a.example/questions' },
      NewsletterSignupText: 'One letter a month',
    },
    pages: [
      {
        name: 'hours',
        title: { en: 'Hours', fr: 'Horaires' },
        html: { en: '<p>Ten to six.</p>', fr: '<p>De dix à dix-huit heures.</p>' },
      },
    ],
    categories: [
      { id: 'novels', name: { en: 'Novels', fr: 'Romans', zh: '长篇小说' }, tagId: 'nov' },
      { id: 'summer', kind: 'titleset', name: { en: 'For Summer', fr: 'Pour l’été' } },
    ],
    titles: [title],
  });
});
afterAll(() => pages.close());

const readResponse = async (operation: string, path: string, language?: string, query: Record<string, string> = {}) =>
  (
    await pages.shop.call(operation, path, {
      query: { shelfid: store, ...query },
      ...(language === undefined ? {} : { headers: { 'accept-language': language } }),
    })
  ).value as Record<string, never>;

/** The responses of the calls with texts of the store, requested in one language, as one text. */
const readTexts = async (language?: string) => {
  const properties = await readResponse('storeProperties', '/store/properties', language);
  const categories = await readResponse('categories', '/categories', language);
  const details = await readResponse('titleById', '/titles/wind', language);
  const list = await readResponse('titles', '/titles', language, { titlesetid: 'summer' });
  const page = await readResponse('page', '/pages/hours', language);
  return JSON.stringify([properties, categories, details, list, page]);
};

const frenchTexts = [
  'Les Livres du quai',
  'S’abonner',
  'Une petite librairie.',
  'Romans',
  'Une maison étroite',
  'Pour l’été',
  'Horaires',
  'De dix à',
  'One letter a month',
];
const englishTexts = [
  'Quay Books',
  '"Subscribe"',
  'A small shop.',
  'Novels',
  'A narrow house',
  'For Summer',
  'Hours',
  'Ten to six',
  'One letter a month',
];

test('the calls with texts respond in the requested language, or else in the store’s main one, also from the cache', async () => {
  for (const round of [1, 2]) {
    const responses = await Promise.all(['fr-CA,fr;q=0.9,en;q=0.8', 'en', undefined, 'tlh'].map(readTexts));
    const [frenchResponse = '', ...englishResponses] = responses;
    expect(
      frenchTexts.filter((text) => !frenchResponse.includes(text)),
      `round ${round}`,
    ).toEqual([]);
    for (const response of englishResponses)
      expect(
        englishTexts.filter((text) => !response.includes(text)),
        `round ${round}`,
      ).toEqual([]);
    expect(new Set(englishResponses).size).toBe(1);
  }
});

test('a missing translation falls back to the store’s main language, marked in HTML for screen readers', async () => {
  const properties = await readResponse('storeProperties', '/store/properties', 'it');
  expect(properties).toMatchObject({
    ShelfName: 'Quay Books',
    About: '<div lang="en"><h2>About us</h2><p>A small shop.</p></div>',
    Faq: 'https://a.example/faq',
    NewsletterSignupText: 'One letter a month',
  });
  expect(await readResponse('titleById', '/titles/wind', 'it')).toMatchObject({
    Description: '<div lang="en"><p>A narrow house by the canal.</p></div>',
  });
  expect(await readResponse('page', '/pages/hours', 'it')).toMatchObject({
    title: 'Hours',
    html: '<div lang="en"><p>Ten to six.</p></div>',
  });
});

test('a store with a single text returns it unchanged for every language', async () => {
  const untranslatedStore = await pages.shop.store({ ...makeStore('y'), id: undefined });
  const readTitle = async (language: string) =>
    (
      await pages.shop.call('titleById', '/titles/book', {
        query: { shelfid: untranslatedStore },
        headers: { 'accept-language': language },
      })
    ).text;
  expect(await readTitle('fr')).toBe(await readTitle('en'));
  expect(await readTitle('fr')).toContain('&lt;p&gt;Walking, &amp;amp; salt.&lt;/p&gt;');
});

test('API responses vary by Accept-Language', async () => {
  const { headers } = await pages.shop.call('categories', '/categories', { query: { shelfid: store } });
  expect(headers['vary']).toContain('Accept-Language');
});

test.each([
  ['fr', 'étroite'],
  ['fr', 'maison'],
  ['zh', '窄房子'],
  ['en', 'narrow'],
])('searching in %s for %s finds the title by its description', async (language, search) => {
  const { text } = await pages.shop.call('titles', '/titles', {
    query: { shelfid: store, search },
    headers: { 'accept-language': language },
  });
  expect(text).toContain('<TitleId>wind</TitleId>');
});

test('suggestions name categories in the customer’s language', async () => {
  const suggest = async (search: string, language: string) =>
    (
      await pages.shop.call('suggestions', '/titles/suggestions', {
        query: { shelfid: store, search },
        headers: { 'accept-language': language },
      })
    ).text;
  expect(await suggest('roman', 'fr')).toContain('Romans');
  expect(await suggest('roman', 'en')).not.toContain('Romans');
});

describe('pages', () => {
  const readHead = async (path: string) => (await pages.fetchHead(HOST, path)).html;

  test('a page’s `<head>` is in the language of its URL', async () => {
    const [frenchHead, englishHead] = [await readHead('/id:wind?lang=fr'), await readHead('/id:wind')];
    expect(frenchHead).toContain('<meta name="description" content="Une maison étroite au bord du canal." />');
    expect(frenchHead).toContain('<meta property="og:description" content="Une maison étroite au bord du canal." />');
    expect(frenchHead).toContain('· Les Livres du quai</title>');
    expect(frenchHead).toContain('<meta property="og:site_name" content="Les Livres du quai" />');
    expect(englishHead).toContain('content="A narrow house by the canal."');
    expect(await readHead('/all/novels/nov?lang=fr')).toContain('<title>Romans · ');
    expect(await readHead('/titleset/titles/summer?lang=fr')).toContain('<title>Pour l’été · ');
    expect(await readHead('/pages/public/hours?lang=fr')).toContain('<title>Horaires · ');
    expect(await readHead('/about?lang=fr')).toContain('content="Une petite librairie."');
  });

  test('a category has one canonical path in every language, and is found by its name in any language', async () => {
    expect(await readHead('/all/novels/nov?lang=fr')).toContain('/all/novels/novels?lang=fr" />');
    expect(await readHead('/all/romans')).toContain('<title>Novels · ');
  });

  const readPageData = async (path: string, language?: string) => {
    const response = await pages.shop.app.inject({
      url: path,
      headers: { host: HOST, accept: 'text/html', ...(language === undefined ? {} : { 'accept-language': language }) },
    });
    const text = /<script type="application\/json" id="store">([^<]*)<\/script>/.exec(response.body)?.[1] ?? '';
    return { data: JSON.parse(text) as { language?: string; answers: { text: string }[] }, vary: response.headers['vary'] };
  };

  test('a page includes API responses in the language that the app will use, and names the language', async () => {
    const pageData = await Promise.all([
      readPageData('/', 'fr'),
      readPageData('/', 'zh-CN,zh;q=0.9'),
      readPageData('/', 'tlh'),
      readPageData('/?lang=fr', 'en'),
      readPageData('/', 'fr'),
    ]);
    expect(pageData.map(({ data }) => data.language)).toEqual(['fr', 'zh', 'en', 'fr', 'fr']);
    expect(pageData.map(({ data }) => /<SubscribeButtonText>(.*?)</.exec(data.answers[0]?.text ?? '')?.[1])).toEqual([
      'S’abonner',
      '订阅',
      'Subscribe',
      'S’abonner',
      'S’abonner',
    ]);
    expect(pageData[0]?.data.answers[1]?.text).toContain('Romans');
    expect(pageData[0]?.vary).toContain('Accept-Language');
  });

  test('a page of a store with texts in one language names no language', async () => {
    await pages.shop.store({ ...makeStore('z'), id: undefined, host: 'one.example' });
    const response = await pages.shop.app.inject({
      url: '/',
      headers: { host: 'one.example', accept: 'text/html', 'accept-language': 'fr' },
    });
    expect(response.body).toContain('id="store">{"config"');
    expect(response.body).not.toContain('"language":');
  });
});

describe('the administrator', () => {
  const putProperties = (payload: object) =>
    pages.shop.app.inject({
      method: 'PUT',
      url: `/admin/stores/${store}/properties`,
      headers: { authorization: `Bearer ${TOKEN}` },
      payload,
    });

  test('the administrator sets texts by language, or a single text for all languages', async () => {
    const translations = { en: 'Join', fr: 'Rejoindre', it: 'Iscriviti' };
    const readButtonText = async (language: string) =>
      (await readResponse('storeProperties', '/store/properties', language))['SubscribeButtonSubText'] as unknown;
    expect((await putProperties({ SubscribeButtonSubText: translations })).statusCode).toBe(204);
    expect([await readButtonText('fr'), await readButtonText('it'), await readButtonText('zh')]).toEqual([
      'Rejoindre',
      'Iscriviti',
      'Join',
    ]);
    expect((await putProperties({ SubscribeButtonSubText: 'All of it' })).statusCode).toBe(204);
    expect([await readButtonText('fr'), await readButtonText('en')]).toEqual(['All of it', 'All of it']);
    expect((await putProperties({ SubscribeButtonSubText: null })).statusCode).toBe(204);
    expect(await readButtonText('fr')).toBeUndefined();
  });

  test.each([
    [{ ShelfName: { en: 'A', xx: 'B' } }, `ShelfName: "xx" is not a language of the shop: expected ${languages.join(', ')}.`],
    [{ ShelfName: { en: 'A', fr: 3 } }, 'ShelfName: the value for "fr" must be a text.'],
    [{ ShelfName: { fr: 'B' } }, 'ShelfName: the store’s main language, "en", is missing.'],
    [{ ShelfName: {} }, 'ShelfName: the store’s main language, "en", is missing.'],
    [{ ShelfColor: { en: '#000', fr: '#fff' } }, 'ShelfColor is the same in every language: give it one value.'],
  ])('the administrator’s properties %j are refused with the reason', async (texts, error) => {
    const response = await putProperties({ ...texts, NewsletterSignupText: 'changed' });
    expect([response.statusCode, response.json()]).toEqual([400, { error }]);
    expect(await readResponse('storeProperties', '/store/properties')).toMatchObject({
      NewsletterSignupText: 'One letter a month',
    });
  });
});

test.each([
  [{ categories: [{ id: 'c', name: { fr: 'Romans' } }] }, 'The name of category c: the store’s main language, "en", is missing.'],
  [{ pages: [{ name: 'p', title: 'P', html: { en: 'p', tlh: 'p' } }] }, 'The page p: "tlh" is not a language of the shop'],
  [
    { titles: [{ ...title, description: { zh: 'x' } }], categories: [] },
    'The description of title wind: the store’s main language',
  ],
])('a store whose content has %j is refused as a whole', async (contents, message) => {
  const savePromise = saveStore(pages.shop.db, { ...makeStore('bad'), id: 'bad-words', ...contents });
  await expect(savePromise).rejects.toThrow(message);
  expect(await pages.shop.db.selectFrom('stores').select('id').where('id', '=', 'bad-words').execute()).toEqual([]);
});

test('a store’s main language may be other than English', async () => {
  const frenchStore = await pages.shop.store({
    ...makeStore('w'),
    id: undefined,
    language: 'fr',
    categories: [{ id: 'novels', name: { fr: 'Romans', en: 'Novels' } }],
    titles: [],
  });
  const readCategories = async (language?: string) =>
    (
      await pages.shop.call('categories', '/categories', {
        query: { shelfid: frenchStore },
        ...(language === undefined ? {} : { headers: { 'accept-language': language } }),
      })
    ).text;
  expect(await readCategories()).toContain('Romans');
  expect(await readCategories('zh')).toContain('Romans');
  expect(await readCategories('en')).toContain('Novels');
});
