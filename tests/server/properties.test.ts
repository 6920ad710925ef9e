import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeProperties } from '../../server/catalogue/store-properties.ts';
import { openShop, type Shop } from './support/shop.ts';

const TOKEN = 'a token of the tests, long enough';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: TOKEN } });
  store = await shop.store({ properties: {}, titles: [], categories: [], pages: [] });
});
afterAll(() => shop.close());

const served = async () =>
  (await shop.ask('storeProperties', '/store/properties', { query: { shelfid: store } })).value as Record<string, unknown>;
const put = (payload: unknown, headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }, id = store) =>
  shop.app.inject({ method: 'PUT', url: `/admin/stores/${id}/properties`, headers, payload: payload as object });
const set = async (properties: Record<string, unknown>) => expect((await put(properties)).statusCode).toBe(204);

const SORTS = '[{"text":"Newest","value":"newest"},"title"]';
const LINKS = [{ Type: 'Apple', Url: 'https://apps.example/?a=1&b=<2>' }];

/** Each property of section 3, what is served when nothing is set, and a value that is set. */
const rows: [name: string, otherwise: unknown, set: unknown][] = [
  ['ShelfName', 'Colophon', 'Plum & <Lane>'],
  ['ShelfLogo', undefined, '/media/store/x/logo.svg'],
  ['ShelfColor', undefined, '#0f6b6b'],
  ['FavIcon', undefined, '/media/store/x/favicon.svg'],
  ['AppStoreUrls', undefined, LINKS],
  ['EnableSubscription', true, false],
  ['EnableEbook', true, false],
  ['EnableAudioTitle', false, true],
  ['EnableVideoTitle', false, true],
  ['EbooksDisplayText', 'eBooks', 'Books'],
  ['AudioTitlesDisplayText', 'Audio Books', 'Listen'],
  ['VideoTitlesDisplayText', 'Video Books', 'Films'],
  ['TitlesDisplayText', 'Titles', 'Everything'],
  ['MyCatalogDisplayText', 'My Catalog', 'Mine'],
  ['About', undefined, '<h2>About</h2>'],
  ['TermsOfService', undefined, '<p>Terms</p>'],
  ['TermsOfServiceUrl', undefined, 'https://a.example/terms'],
  ['PrivacyPolicy', undefined, '<p>Privacy</p>'],
  ['PrivacyPolicyUrl', undefined, 'https://a.example/privacy'],
  ['SupportEmail', undefined, 'help@a.example'],
  ['ActionAfterPurchaseConfirmation', undefined, 'library'],
  ['ActionAfterPurchaseConfirmationLinkText', undefined, 'Go on'],
  ['CookieConsentUrl', undefined, 'https://a.example/cookies'],
  ['ShowCookieConsent', false, true],
  ['EnableWebSubscriptionRedeem', true, false],
  ['EnableWebTitleRedeem', true, false],
  ['SubscriptionMessageHtml', undefined, '<p>All of it</p>'],
  ['ShowBuyTitle', true, false],
  ['EnableWebReader', true, false],
  ['Faq', undefined, '<p>Why?</p>'],
  ['EnableTax', false, true],
  ['ShowTitlePrice', true, false],
  ['CustomCode', undefined, '<!-- counted -->'],
  ['ShowPapertrellBrand', true, false],
  ['AllTitlesSortOptions', undefined, SORTS],
  ['MyLibrarySortOptions', undefined, SORTS],
  ['EnableBuyWithCredits', false, true],
  ['ShowNewsletterControls', false, true],
  ['NewsletterSignupText', undefined, 'One letter a month'],
  ['PurchaseCountries', undefined, ['DE', 'FR']],
  ['CreditsPerRenewal', 0, 2.5],
  ['CreditCurrency', undefined, 'Stars'],
  ['EnableMblurb', false, true],
  ['SubscribeButtonText', undefined, 'Join'],
  ['SubscribeButtonSubText', undefined, 'One price'],
  ['HideFilters', false, true],
  ['EnableGiftingTitle', false, true],
  ['ShowRelatedTitles', true, false],
  ['ShopifyShop', undefined, 'plum.myshopify.example'],
  ['StoreUrl', undefined, 'https://a.example'],
  ['StoreUrlAlt', undefined, 'https://b.example'],
];

/** Properties that the page is not told. */
const ofServer = ['SmsCountries'];

test('the table has every property, and the server knows no other', () => {
  expect([...rows.map(([name]) => name), ...ofServer]).toEqual(Object.keys(storeProperties));
});

test.each(ofServer)('%s is kept and not served', async (name) => {
  await set({ [name]: ['GB'] });
  expect(Object.keys(await served())).not.toContain(name);
  await set({ [name]: null });
});

test('the table for people has the same properties and defaults', async () => {
  const text = await readFile(new URL('../../docs/store-properties.md', import.meta.url), 'utf8');
  const told = [...text.matchAll(/^\| (\w+) \| (\w+) \| `?([^`|]*?)`? \| \S.* \|$/gm)].map(([, ...cells]) => cells);
  const known = Object.entries(storeProperties)
    .filter(([, { isServers }]) => isServers !== true)
    .map(([name, { kind, default: otherwise }]) => [name, kind, otherwise ?? '']);
  expect(told.filter(([name]) => name !== 'Property')).toEqual(known);
});

test.each(rows)('%s is %j until it is set [S9.on] [S9.off] [S9.credits-per-renewal]', async (name, otherwise, value) => {
  expect((await served())[name]).toEqual(otherwise);
  await set({ [name]: value });
  expect((await served())[name]).toEqual(value);
  await set({ [name]: null });
  expect((await served())[name]).toEqual(otherwise);
});

test.each([
  [
    'a flag that is none',
    { EnableEbook: 'perhaps', EnableTax: '<b>', ShowBuyTitle: '' },
    { EnableEbook: true, EnableTax: false },
  ],
  ['a flag in other letters', { EnableEbook: ' FALSE ', EnableTax: 'True' }, { EnableEbook: false, EnableTax: true }],
  ['a number that is none', { CreditsPerRenewal: 'many' }, { CreditsPerRenewal: 0 }],
  ['a name of blanks', { ShelfName: '  ', EbooksDisplayText: '' }, { ShelfName: 'Colophon', EbooksDisplayText: 'eBooks' }],
  ['lists that are none', { AppStoreUrls: '[{', PurchaseCountries: 'DE,FR' }, {}],
  [
    'lists of other things',
    { AppStoreUrls: '[null,3,{"Type":"Else","Url":"x"}]', PurchaseCountries: '[7,"de","D"]' },
    { AppStoreUrls: [], PurchaseCountries: ['DE'] },
  ],
  [
    'HTML where text is expected',
    { SupportEmail: '</SupportEmail><ShelfId>x</ShelfId>' },
    { SupportEmail: '</SupportEmail><ShelfId>x</ShelfId>' },
  ],
])('%s harms nothing', async (_what, bad, expected) => {
  await set(bad);
  expect(await served()).toMatchObject({ ShelfId: store, ...expected });
  await set(Object.fromEntries(Object.keys(bad).map((name) => [name, null])));
});

describe('properties are changed by the administrator alone', () => {
  test.each([
    ['no token', {}],
    ['another one', { authorization: 'Bearer something else' }],
    ['its beginning', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
  ])('not with %s', async (_what, headers: Record<string, string>) => {
    expect((await put({ ShelfName: 'Stolen' }, headers)).statusCode).toBe(401);
    expect(await served()).toMatchObject({ ShelfName: 'Colophon' });
  });

  test('unknown names, stores and shapes are refused whole', async () => {
    for (const body of [
      { ShelfName: 'x', ShelfId: 'y' },
      { Nothing: true },
      { ShelfName: { a: 1 } },
      [],
      { ShelfName: 'a\u0000' },
    ])
      expect((await put(body)).statusCode, JSON.stringify(body)).toBe(400);
    expect((await put({ ShelfName: 'x' }, undefined, 'nowhere')).statusCode).toBe(404);
    expect((await put({ ShelfName: 'x' }, undefined, '%00')).statusCode).toBe(404);
    expect(await served()).toMatchObject({ ShelfName: 'Colophon' });
  });

  test.each(['GB,IE', 'GB', '', '["GB"', { GB: true }, ['GB', 'Narnia'], ['GB', 7], 7, true])(
    'SmsCountries that are no list of known countries are refused with their value: %j',
    async (value) => {
      await set({ SmsCountries: ['GB'] });
      const answer = await put({ SmsCountries: value });
      expect(answer.statusCode).toBe(400);
      if (typeof value === 'object' && !Array.isArray(value)) return;
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      expect(answer.json()).toEqual({
        error: `SmsCountries is ${shown}: expected a list of country codes (ISO 3166-1), such as ["GB", "IE"].`,
      });
      const kept = shop.db
        .selectFrom('properties')
        .select('value')
        .where('store_id', '=', store)
        .where('name', '=', 'SmsCountries');
      expect(await kept.execute()).toEqual([{ value: '["GB"]' }]);
      await set({ SmsCountries: null });
    },
  );

  test.each([['gb', ' IE '], [], '["GB"]'])('SmsCountries may be %j', async (value) => {
    expect((await put({ SmsCountries: value })).statusCode).toBe(204);
    await set({ SmsCountries: null });
  });

  test('without a token there is no such address', async () => {
    const closed = await openShop();
    const answer = await closed.app.inject({
      method: 'PUT',
      url: '/admin/stores/any/properties',
      headers: { authorization: 'Bearer ' },
      payload: {},
    });
    expect(answer.statusCode).toBe(404);
    await closed.close();
  });
});
