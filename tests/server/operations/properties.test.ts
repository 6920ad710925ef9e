import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseCountries, type KindName, kinds, propertyDefinitions } from '../../../server/stores/store-properties.ts';
import { reportProperties } from '../../../server/setup/report-properties.ts';
import { readTaxTerms } from '../../../server/tax/tax-order.ts';
import { openShop, type Shop } from '../support/shop.ts';

const TOKEN = 'a token of the tests, long enough';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: TOKEN } });
  store = await shop.store({
    properties: { EnableAudioTitle: null, EnableVideoTitle: null },
    titles: [],
    categories: [],
    pages: [],
  });
});
afterAll(() => shop.close());

const readServedProperties = async () =>
  (await shop.call('storeProperties', '/store/properties', { query: { shelfid: store } })).value as Record<string, unknown>;
const putProperties = (payload: unknown, headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }, id = store) =>
  shop.app.inject({ method: 'PUT', url: `/admin/stores/${id}/properties`, headers, payload: payload as object });
const saveProperties = async (properties: Record<string, unknown>) =>
  expect((await putProperties(properties)).statusCode).toBe(204);
/** Stores values unchecked, as an older shop may have done. */
const insertUnchecked = async (properties: Record<string, unknown>) => {
  const rows = Object.entries(properties).map(([name, value]) => ({
    store_id: store,
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
  await shop.db.insertInto('properties').values(rows).execute();
};

const SORTS = '[{"text":"Newest","value":"newest"},"title"]';
const LINKS = [{ Type: 'Apple', Url: 'https://apps.example/?a=1&b=<2>' }];

/** A value of each type, as it is set and returned. */
const examples: Record<KindName, unknown> = {
  words: 'Plum & <Lane>',
  html: '<h2>About</h2><!-- counted -->',
  boolean: true,
  colour: '#0f6b6b',
  credits: 2,
  countries: ['DE', 'FR'],
  address: '/terms',
  site: 'https://a.example',
  picture: '/media/store/x/logo.svg',
  email: 'help@a.example',
  apps: LINKS,
  titleSorts: SORTS,
  librarySorts: SORTS,
  receiptLink: 'library',
  shopify: 'plum.myshopify.com',
};

/**
 * The defaults from sections 3 and 9 of the specification; an unlisted property has the default of
 * its definition, if any.
 */
const specifiedDefaults: Record<string, unknown> = {
  ShelfName: 'Colophon',
  EbooksDisplayText: 'eBooks',
  AudioTitlesDisplayText: 'Audio Books',
  VideoTitlesDisplayText: 'Video Books',
  TitlesDisplayText: 'Titles',
  MyCatalogDisplayText: 'My Catalog',
  CreditsPerRenewal: 0,
  EnableSubscription: true,
  EnableEbook: true,
  EnableWebSubscriptionRedeem: true,
  EnableWebTitleRedeem: true,
  ShowBuyTitle: true,
  EnableWebReader: true,
  ShowTitlePrice: true,
  ShowPapertrellBrand: true,
  ShowRelatedTitles: true,
  EnableAudioTitle: false,
  EnableVideoTitle: false,
  ShowCookieConsent: false,
  EnableTax: false,
  EnableBuyWithCredits: false,
  ShowNewsletterControls: false,
  EnableMblurb: false,
  HideFilters: false,
  EnableGiftingTitle: false,
};

/** A row for each property that is sent to the page: its name, its default, and a value to set. */
const defaultRows = Object.entries(propertyDefinitions).flatMap(([name, { kind, isServerOnly, default: defaultText }]) => {
  if (isServerOnly) return [];
  const defaultValue: unknown =
    specifiedDefaults[name] ?? (defaultText === undefined || kind === 'words' ? defaultText : JSON.parse(defaultText));
  return [[name, defaultValue, kind === 'boolean' ? defaultValue !== true : examples[kind]] as const];
});

/** Properties that are not sent to the page. */
const serverProperties = ['SmsCountries'];

test('the properties of the specification are sent to the page, and only one property is not', () => {
  expect(defaultRows.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(specifiedDefaults)));
  expect(Object.keys(propertyDefinitions).filter((name) => defaultRows.every(([knownName]) => knownName !== name))).toEqual(
    serverProperties,
  );
});

test.each(serverProperties)('%s is stored and not sent to the page', async (name) => {
  await saveProperties({ [name]: ['GB'] });
  expect(Object.keys(await readServedProperties())).not.toContain(name);
  await saveProperties({ [name]: null });
});

test.each(defaultRows)('%s has the default %j [S9.on] [S9.off] [S9.credits-per-renewal]', async (name, defaultValue, value) => {
  expect((await readServedProperties())[name]).toEqual(defaultValue);
  await saveProperties({ [name]: value });
  expect((await readServedProperties())[name]).toEqual(value);
  await saveProperties({ [name]: null });
  expect((await readServedProperties())[name]).toEqual(defaultValue);
});

test.each([
  ['an invalid flag', { EnableEbook: 'perhaps', EnableTax: '<b>', ShowBuyTitle: '' }, { EnableEbook: true, EnableTax: false }],
  ['a flag in capital letters', { EnableEbook: ' FALSE ', EnableTax: 'True' }, { EnableEbook: false, EnableTax: true }],
  ['an invalid number', { CreditsPerRenewal: 'many' }, { CreditsPerRenewal: 0 }],
  ['a fraction of a credit', { CreditsPerRenewal: '2.5' }, { CreditsPerRenewal: 2 }],
  ['a name of spaces', { ShelfName: '  ', EbooksDisplayText: '' }, { ShelfName: 'Colophon', EbooksDisplayText: 'eBooks' }],
  ['an invalid list', { AppStoreUrls: '[{', PurchaseCountries: 'everywhere' }, {}],
  [
    'a list with invalid items',
    { AppStoreUrls: '[null,3,{"Type":"Else","Url":"x"}]', PurchaseCountries: '[7,"de","D"]' },
    { AppStoreUrls: [], PurchaseCountries: ['DE'] },
  ],
  [
    'HTML where text is expected',
    { SupportEmail: '</SupportEmail><ShelfId>x</ShelfId>' },
    { SupportEmail: '</SupportEmail><ShelfId>x</ShelfId>' },
  ],
])('for %s in the database, a safe value is returned', async (_name, invalidProperties, expected) => {
  await insertUnchecked(invalidProperties);
  expect(await readServedProperties()).toMatchObject({ ShelfId: store, ...expected });
  await saveProperties(Object.fromEntries(Object.keys(invalidProperties).map((name) => [name, null])));
});

const SORT_OPTION = '{"text": "Newest", "value": "newest"}';

/** For each type: a property, accepted values, and refused values. */
const typedValues: [kind: KindName, name: string, accepted: unknown[], refused: unknown[]][] = [
  ['words', 'SubscribeButtonText', ['Join', 7, { en: 'Join', fr: 'Rejoindre' }, ''], []],
  ['html', 'About', ['<p>Quay</p>', ''], []],
  ['boolean', 'EnableTax', [true, false, 'true', ' False '], ['maybe', 'yes', '', 1, 'on', ['true']]],
  ['colour', 'ShelfColor', ['#7a2e4d', '#FFF', '#7a2e4dcc', ''], ['red', '7a2e4d', '#7a2e4', '#7a2e4g', 'rgb(1,2,3)', 7]],
  ['credits', 'CreditsPerRenewal', [0, '12', 1_000_000], ['', 2.5, -1, 1_000_001, 'many', '1e3']],
  [
    'countries',
    'PurchaseCountries',
    [['gb', ' IE '], [], 'GB,IE', ' gb , ie ', '[GB, IE]', '["GB","IE"]', 'GB IE', 'FR', 'XK'],
    ['', 'GB;IE', '["GB"', '[GB', 'GB]', ',;', ['GB', 'Narnia'], ['GB', 7], 'EU', 'UK', 7, true, 'null'],
  ],
  [
    'address',
    'TermsOfServiceUrl',
    ['/terms', 'https://a.example/terms?x=1#y', '', { en: '/terms', fr: '/fr/terms' }],
    ['terms', '//a.example/terms', 'javascript:alert(1)', 'https://', 'https://a b.example', { en: '/terms', fr: 'conditions' }],
  ],
  [
    'site',
    'StoreUrl',
    ['https://a.example', 'http://a.example/x', ''],
    ['a.example', '/x', 'ftp://a.example', 'mailto:a@b.example'],
  ],
  [
    'picture',
    'ShelfLogo',
    ['/media/logo.svg', 'https://a.example/logo.png', 'data:image/png;base64,AAAA', ''],
    ['logo.svg', 'data:text/html,x', 'javascript:1'],
  ],
  ['email', 'SupportEmail', ['help@a.example', ''], ['help', 'help@', '<b>@a.example', 'mailto:help@a.example']],
  [
    'apps',
    'AppStoreUrls',
    [[{ Type: 'Apple', Url: 'https://a.example' }], [], '[{"Type":"GooglePlay","Url":"https://a.example"}]'],
    ['', 'https://a.example', [{ Type: 'Else', Url: 'https://a.example' }], [{ Type: 'Apple', Url: 'x' }], [null], '[{', '{}'],
  ],
  [
    'titleSorts',
    'AllTitlesSortOptions',
    [['newest', 'price-desc'], `[${SORT_OPTION}, "title"]`, '[]', '', { en: '["newest"]', fr: `[${SORT_OPTION}]` }],
    ['newest', ['-title'], [{ text: 'Z to A', value: 'zeta' }], [{ value: 'newest' }], '[{', { en: '["newest"]', fr: 'x' }],
  ],
  ['librarySorts', 'MyLibrarySortOptions', [['opened'], ''], [['price'], 'newest']],
  ['receiptLink', 'ActionAfterPurchaseConfirmation', ['library', 'Viewer', 'home', '/all', ''], ['shop', 'javascript:1', 'all']],
  [
    'shopify',
    'ShopifyShop',
    ['quay', 'quay.myshopify.com', 'https://quay.example', ''],
    ['javascript:1', 'my quay', 'https://', 'http://quay.example', 'quay.example'],
  ],
];

test('the cases cover each type of property', () => {
  expect(typedValues.map(([kind]) => kind)).toEqual(Object.keys(kinds));
  for (const [kind, name] of typedValues) expect(propertyDefinitions[name]?.kind, name).toBe(kind);
});

describe.each(typedValues)('a property of the type %s (%s)', (kind, name, acceptedValues, refusedValues) => {
  const readStoredValues = async () =>
    (await shop.db.selectFrom('properties').select('value').where('store_id', '=', store).where('name', '=', name).execute()).map(
      ({ value }) => value,
    );

  test.each(acceptedValues.map((value) => [value]))('the value %j is accepted', async (value) => {
    const response = await putProperties({ [name]: value });
    expect([response.statusCode, response.body]).toEqual([204, '']);
    await saveProperties({ [name]: null });
  });

  test.each(refusedValues.map((value) => [value]))('the value %j is refused, and the stored value stays', async (value) => {
    const valueBefore = acceptedValues.find((each) => typeof each === 'string' && each !== '') ?? acceptedValues[0];
    await saveProperties({ [name]: valueBefore });
    const storedValuesBefore = await readStoredValues();
    const response = await putProperties({ ShelfName: 'Never', [name]: value });
    const invalidValue = typeof value === 'object' && !Array.isArray(value) ? (value as { fr: string }).fr : value;
    const shownValue = typeof invalidValue === 'string' ? invalidValue : JSON.stringify(invalidValue);
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { error: `${name} is ${shownValue}: expected ${kinds[kind].expected}.` },
    ]);
    expect(await readStoredValues()).toEqual(storedValuesBefore);
    expect(await readServedProperties()).toMatchObject({ ShelfName: 'Colophon' });
    await saveProperties({ [name]: null });
  });
});

test.each(['GB,IE', '[GB, IE]', '["GB", "IE"]', ' gb,ie '])('the countries %s are parsed alike everywhere', async (value) => {
  await insertUnchecked({ PurchaseCountries: value, SmsCountries: value });
  expect((await readServedProperties())['PurchaseCountries']).toEqual(['GB', 'IE']);
  expect((await readTaxTerms(shop.db, store)).countries).toEqual(['GB', 'IE']);
  const rows = shop.db.selectFrom('properties').select('value').where('store_id', '=', store).where('name', '=', 'SmsCountries');
  expect(parseCountries((await rows.executeTakeFirstOrThrow()).value)).toEqual(['GB', 'IE']);
  await saveProperties({ PurchaseCountries: null, SmsCountries: null });
});

test('stored values of a wrong type are logged, each with its store, property and the expected type', async () => {
  const otherStore = await shop.store({ properties: { EnableTax: true } });
  await insertUnchecked({ EnableTax: 'maybe', ShelfColor: 'red', StoreUrl: '', PurchaseCountries: 'GB,IE' });
  await shop.db
    .insertInto('properties')
    .values({
      store_id: otherStore,
      name: 'TermsOfServiceUrl',
      value: '/terms',
      translations: JSON.stringify({ fr: { value: 'conditions' } }),
    })
    .execute();
  const log = vi.spyOn(shop.services.log, 'warn');
  await reportProperties(shop.services);
  const toLogCall = (id: string, property: string, value: string, kind: KindName) => [
    { store: id, property, value, expected: kinds[kind].expected },
    'store.property.invalid',
  ];
  expect(log.mock.calls.toSorted(([a], [b]) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual(
    [
      toLogCall(store, 'EnableTax', 'maybe', 'boolean'),
      toLogCall(store, 'ShelfColor', 'red', 'colour'),
      toLogCall(otherStore, 'TermsOfServiceUrl', 'conditions', 'address'),
    ].toSorted(([a], [b]) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
  );
  log.mockRestore();
  await saveProperties({ EnableTax: null, ShelfColor: null, StoreUrl: null, PurchaseCountries: null });
});

describe('only the administrator can change properties', () => {
  test.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer something else' }],
    ['a prefix of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
  ])('a caller with %s cannot change properties', async (_name, headers: Record<string, string>) => {
    expect((await putProperties({ ShelfName: 'Stolen' }, headers)).statusCode).toBe(401);
    expect(await readServedProperties()).toMatchObject({ ShelfName: 'Colophon' });
  });

  test('a change with an unknown name, store or shape is refused as a whole', async () => {
    for (const body of [
      { ShelfName: 'x', ShelfId: 'y' },
      { Nothing: true },
      { ShelfName: { a: 1 } },
      [],
      { ShelfName: 'a\u0000' },
    ])
      expect((await putProperties(body)).statusCode, JSON.stringify(body)).toBe(400);
    expect((await putProperties({ ShelfName: 'x' }, undefined, 'nowhere')).statusCode).toBe(404);
    expect((await putProperties({ ShelfName: 'x' }, undefined, '%00')).statusCode).toBe(404);
    expect(await readServedProperties()).toMatchObject({ ShelfName: 'Colophon' });
  });

  test('a shop without an admin token answers 404 to a change of properties', async () => {
    const shopWithoutToken = await openShop();
    const response = await shopWithoutToken.app.inject({
      method: 'PUT',
      url: '/admin/stores/any/properties',
      headers: { authorization: 'Bearer ' },
      payload: {},
    });
    expect(response.statusCode).toBe(404);
    await shopWithoutToken.close();
  });
});
