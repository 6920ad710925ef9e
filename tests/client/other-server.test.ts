// A store server other than ours: it implements the specification alone, and serialises answers as
// its own tools do.
import { describe, expect, test } from 'vitest';
import { validateToken } from '../../src/client/account/account.ts';
import { fetchCategories } from '../../src/client/catalogue/categories.ts';
import { toIsoDate } from '../../src/client/wire/date.ts';
import { fetchPurchaseRecords, fetchPurchases } from '../../src/client/library/library.ts';
import { fetchOwnCopyId } from '../../src/client/library/ownership.ts';
import { fetchStoreProperties } from '../../src/client/store.ts';
import { fetchSubscriptionStatus } from '../../src/client/subscription/subscription.ts';
import { fetchTitle } from '../../src/client/catalogue/title.ts';
import { saveStartedPayment } from '../../src/client/payment/started-payments.ts';
import { fetchRelatedTitles } from '../../src/client/catalogue/some-titles.ts';
import { fetchTitles } from '../../src/client/catalogue/titles.ts';
import { startTitlePayment } from '../../src/flows/purchase/calls/title.ts';
import { fetchSessionStatus } from '../../src/client/payment/payment-status.ts';
import { fetchReceipt } from '../../src/flows/receipt/calls.ts';
import { fetchSuggestions } from '../../src/shell/header/suggestions-call.ts';
import {
  html,
  streamInPieces,
  json,
  catchRejection,
  jsonText,
  createFakeServer,
  xml,
} from '../support/client/fake-environment.ts';

const allTitlesQuery = { type: 'all', categoryId: null, search: '', sort: '', cursor: null } as const;
const libraryQuery = { type: 'all', sort: '' } as const;
const minimalTitleXml = '<TitleId>1</TitleId><Name>Log</Name><TitleType>2</TitleType>';
const titleXml = (id: string) => `<Title>${minimalTitleXml.replace('>1<', `>${id}<`)}</Title>`;
const readIds = async (answer: Response) =>
  (await fetchTitles(createFakeServer([answer]).api, allTitlesQuery)).titles.map(({ id }) => id);
const readTitle = (innerXml: string) => fetchTitle(createFakeServer([xml(`<Title>${innerXml}</Title>`)]).api, '1');
const bytesResponse = (content: Uint8Array<ArrayBuffer>, type = 'application/xml') =>
  new Response(content, { headers: { 'content-type': type } });
const latin1 = (content: string) => Uint8Array.from(content, (character) => character.codePointAt(0) ?? 0);
const utf16 = (content: string) =>
  Uint8Array.from([
    0xff,
    0xfe,
    ...Array.from(content, (character) => [character.charCodeAt(0) & 255, character.charCodeAt(0) >> 8]).flat(),
  ]);

describe('a title', () => {
  test.each([
    ['1', 'epub'],
    ['2', 'audio'],
    ['3', 'interactive'],
    ['4', 'video'],
    ['Ebook', 'epub'],
  ])('a title of type %s without a medium is %s', async (type, medium) => {
    expect(await readTitle(minimalTitleXml.replace('>2<', `>${type}<`))).toMatchObject({ medium });
  });

  test.each([
    ['1,234.50', 'EUR', 1234.5],
    ['1.234,50', 'EUR', 1234.5],
    ['1 234,50 €', 'EUR', 1234.5],
    ['€4.99', 'EUR', 4.99],
    ['4,999', 'EUR', 4999],
    ['1.234.567', 'JPY', 1234567],
    ['1,250', 'JOD', 1.25],
    ['1.250', 'JOD', 1.25],
  ])('a price may be formatted for people: %s %s', async (text, currency, amount) => {
    const priceXml = `<TitlePrice>${text}</TitlePrice><Currency>${currency}</Currency>`;
    expect(await readTitle(minimalTitleXml + priceXml)).toMatchObject({
      prices: [{ amount, currency, symbol: '' }],
      forSale: true,
    });
  });

  test('a title without a type is an ebook', async () => {
    expect(await readTitle('<TitleId>1</TitleId><Name>Log</Name>')).toMatchObject({ type: 'ebook', medium: 'epub' });
  });

  test.each([
    ['an unknown medium', '<Medium>MP3</Medium>', { medium: 'audio' }],
    ['a medium that is more specific than the type', '<Medium>PDF</Medium>', { medium: 'pdf' }],
    ['pages that are no number', '<Pages>n/a</Pages>', { pages: null }],
    ['a time with colons', '<DurationSeconds>01:02:03.5</DurationSeconds>', { durationSeconds: 3723.5 }],
    ['flags as words', '<ForSale>False</ForSale><HasSample>1</HasSample>', { forSale: false, hasSample: true }],
    ['an invalid price', '<Prices><Price><Amount>ask us</Amount></Price></Prices>', { prices: [], forSale: false }],
    [
      'an invalid price beside a valid one',
      '<Prices><Price><Amount/></Price><Price><Amount>2</Amount></Price></Prices>',
      { prices: [{ amount: 2, currency: '', symbol: '' }] },
    ],
    [
      'a price with a comma',
      '<TitlePrice>12,50</TitlePrice><Currency>EUR</Currency>',
      { prices: [{ amount: 12.5, currency: 'EUR', symbol: '' }] },
    ],
    ['a category without a name', '<Categories><Category><Id>9</Id></Category></Categories>', { categories: [] }],
    ['authors as .NET lists them', '<Authors><string>Ada</string><string>Bo</string></Authors>', { authors: ['Ada', 'Bo'] }],
    ['authors as one text', '<Authors>Ada Lund</Authors>', { authors: ['Ada Lund'] }],
    ['an attribute of another vocabulary', '<Publisher xml:lang="en" x:language="en">Two Herons</Publisher>', { language: '' }],
    ['an unknown element', '<Shelf><Row>7</Row></Shelf>', { name: 'Log' }],
    ['a date with a space', '<PublishedDate>2024-05-06 10:00:00</PublishedDate>', { publishedDate: '2024-05-06T10:00:00' }],
    ['the first day of .NET', '<PublishedDate>0001-01-01T00:00:00</PublishedDate>', { publishedDate: '' }],
  ])('a title is read with %s', async (_, fieldsXml, expected) => {
    expect(await readTitle(minimalTitleXml + fieldsXml)).toMatchObject(expected);
  });

  test('the id of a title may be called Id', async () => {
    expect(await readTitle('<TitleType>2</TitleType><Id>1</Id><Name>Log</Name>')).toMatchObject({ id: '1', name: 'Log' });
  });
});

describe('a list of titles', () => {
  test.each([
    ['by another name', `<ArrayOfTitle>${titleXml('1')}${titleXml('2')}</ArrayOfTitle>`],
    ['inside an answer', `<Response><Total>2</Total><Titles>${titleXml('1')}${titleXml('2')}</Titles></Response>`],
    ['with prefixes', `<s:Titles xmlns:s="urn:s">${titleXml('1').replaceAll(/(<\/?)/g, '$1s:')}${titleXml('2')}</s:Titles>`],
    ['with an item that lacks its name', `<Titles>${titleXml('1')}<Title><TitleId>9</TitleId></Title>${titleXml('2')}</Titles>`],
    ['with an item of no known type', `<Titles>${titleXml('1')}${titleXml('9').replace('>2<', '>77<')}${titleXml('2')}</Titles>`],
    ['behind a byte order mark', `\uFEFF<?xml version="1.0"?><Titles>${titleXml('1')}${titleXml('2')}</Titles>`],
    [
      'with a wrong encoding declaration',
      `<?xml version="1.0" encoding="utf-16"?><Titles>${titleXml('1')}${titleXml('2')}</Titles>`,
    ],
  ])('a list of titles is read %s', async (_, answer) => {
    expect(await readIds(xml(answer))).toEqual(['1', '2']);
  });

  test.each([
    ['a list', [{ TitleId: 1, Name: 'Log', TitleType: 2 }]],
    ['an object', { titles: [{ titleId: '1', name: 'Log', titleType: 'audio', authors: ['Ada'] }], total: 1 }],
  ])('a list of titles is read from JSON, as %s', async (_, answer) => {
    expect(await readIds(json(answer))).toEqual(['1']);
  });

  test.each([
    ['an empty root', () => xml('<Titles/>')],
    ['a root without its list', () => xml('<Response><Total>0</Total></Response>')],
    ['no content', () => new Response(null, { status: 204 })],
    ['an empty JSON list', () => json([])],
  ])('a list of titles is empty: %s', async (_, answer) => {
    expect(await readIds(answer())).toEqual([]);
  });

  test.each([
    ['the page of a proxy', () => html('<html><head/><body>Welcome to this network</body></html>'), 'malformed'],
    ['a fault', () => xml('<soap:Fault xmlns:soap="s"><faultstring>No</faultstring></soap:Fault>'), 'malformed'],
    ['an error of a proxy', () => html('<!doctype html><title>502 Bad Gateway</title><hr>', 502), 'http'],
    ['an error in JSON under 200', () => json({ Error: 'Too bad' }), 'refused'],
    ['a 401 in JSON under 200', () => json({ Status: 401 }), 'unauthorized'],
    ['titles that are all unreadable', () => xml('<Titles><Title/><Title/></Titles>'), 'malformed'],
  ])('a list of titles is refused: %s', async (_, answer, kind) => {
    expect(await catchRejection(readIds(answer()))).toMatchObject({ kind });
  });

  test('a list of titles reports each title that is left out', async () => {
    const { api, reportedProblems } = createFakeServer([xml(`<Titles><Title/>${titleXml('1')}</Titles>`)]);
    expect(await fetchRelatedTitles(api, '7')).toHaveLength(1);
    expect(reportedProblems).toEqual([
      ['titles/{titleId}/related', expect.objectContaining({ kind: 'malformed', field: 'titles.0.id' })],
    ]);
  });
});

describe('characters', () => {
  const cafeXml = '<Title><TitleId>1</TitleId><Name>Café</Name><TitleType>1</TitleType></Title>';
  test.each([
    ['the Content-Type header declares', bytesResponse(latin1(cafeXml), 'text/xml; charset="ISO-8859-1"')],
    ['the XML declaration declares', bytesResponse(latin1(`<?xml version="1.0" encoding="iso-8859-1"?>${cafeXml}`))],
    ['a byte order mark declares', bytesResponse(utf16(cafeXml))],
    ['UTF-8 without a declaration', bytesResponse(new TextEncoder().encode(cafeXml), 'text/plain')],
    ['UTF-8 with an invalid header', bytesResponse(new TextEncoder().encode(cafeXml), 'text/xml; charset=none')],
  ])('characters are decoded as %s', async (_, answer) => {
    expect((await fetchTitle(createFakeServer([answer]).api, '1')).name).toBe('Café');
  });
});

const orderDefaults = { code: '', tax: null, giftInfo: undefined, method: null };

describe('ids that are numbers', () => {
  const url = 'https://pay.test/';
  test.each<[string, unknown, (api: ReturnType<typeof createFakeServer>['api']) => Promise<unknown>, unknown]>([
    ['a copy', { hasTitle: 'True', instanceId: 7 }, (api) => fetchOwnCopyId(api, { titleId: '1' }), '7'],
    ['a flag alone', true, (api) => fetchOwnCopyId(api, { titleId: '1' }), '1'],
    ['a copy, with no error', { HasTitle: true, Error: '0' }, (api) => fetchOwnCopyId(api, { titleId: '1' }), '1'],
    ['a copy without an instance id', { HasTitle: true }, (api) => fetchOwnCopyId(api, { titleId: '1' }), '1'],
    [
      'a customer',
      { valid: 1, userId: 42, emailId: 'a@shop.test' },
      (api) => validateToken(api, 'token'),
      { userId: '42', email: 'a@shop.test' },
    ],
    [
      'a payment',
      { transId: 5, url },
      (api) => startTitlePayment(api, { titleId: '1', price: null, key: 'k', ...orderDefaults }),
      { transId: '5', provider: '', url },
    ],
    [
      'the status of a payment',
      { TransId: 5, Status: 'Paid', IntentId: 6 },
      (api) => fetchSessionStatus(api, '5'),
      { transId: '5', titleId: '', status: 'paid', intentId: '6', url: null, reason: null },
    ],
    [
      'a receipt',
      { transId: 5, titleId: 1, name: 'Log', amount: '9.90', currency: 'USD', paidAt: '/Date(1700000000000)/' },
      (api) => fetchReceipt(api, { transId: '5', isGift: false }),
      {
        transId: '5',
        titleId: '1',
        instanceId: '1',
        name: 'Log',
        amount: 9.9,
        currency: 'USD',
        symbol: '',
        paidAt: '2023-11-14T22:13:20.000Z',
      },
    ],
    [
      'suggestions, without one of an unknown kind',
      {
        suggestions: [
          { kind: 'Title', text: 'Log', id: 1 },
          { kind: 'series', text: 'Logs' },
        ],
      },
      (api) => fetchSuggestions(api, 'lo'),
      [{ kind: 'title', text: 'Log', id: '1', authors: [], medium: null, coverUrl: '' }],
    ],
  ])('an answer with numbers as ids is read: %s', async (_, answer, call, expected) => {
    expect(await call(createFakeServer([json(answer)]).api)).toEqual(expected);
  });

  test('ids that are numbers keep all their digits', async () => {
    const { api } = createFakeServer([jsonText('{"hasTitle":true,"instanceId":12345678901234567890}')]);
    expect(await fetchOwnCopyId(api, { titleId: '1' })).toBe('12345678901234567890');
  });

  test('an answer in XML is read where JSON is usual', async () => {
    const { api } = createFakeServer([xml('<Answer HasTitle="true"><InstanceId>7</InstanceId></Answer>')]);
    expect(await fetchOwnCopyId(api, { titleId: '1' })).toBe('7');
    const refusingApi = createFakeServer([xml('<Error><StatusCode>401</StatusCode></Error>')]).api;
    expect(await catchRejection(fetchOwnCopyId(refusingApi, { titleId: '1' }))).toEqual({ kind: 'unauthorized' });
  });
});

describe('subscription data', () => {
  test.each([
    ['nothing', '', { subscribed: false, data: null }],
    ['the plan alone', '{"data":{"planId":"gold"}}', { subscribed: true, data: 'gold' }],
  ])('a subscription status is read from %s', async (_, answer, status) => {
    expect(await fetchSubscriptionStatus(createFakeServer([new Response(answer)]).api)).toEqual(status);
  });

  test.each([
    ['a text', 'gold', 'gold'],
    ['a number', 3, '3'],
    ['an object', { PlanId: 3, customer: { email: 'a@shop.test' } }, '3'],
    ['an object with a code', { PlanId: 3, code: 401 }, '3'],
    ['an object about something else', { card: '4242' }, null],
    ['a list', [1], null],
    ['nothing', undefined, null],
  ])('the plan of a subscription status is read from %s', async (_, data, plan) => {
    expect(await fetchSubscriptionStatus(createFakeServer([json({ subscribed: 'true', data })]).api)).toEqual({
      subscribed: true,
      data: plan,
    });
  });
});

describe('a library', () => {
  const copyXml = (fieldsXml: string) => `<Purchase><InstanceId>7</InstanceId>${fieldsXml}${titleXml('1')}</Purchase>`;
  const readLibrary = async (...answers: string[]) =>
    (await fetchPurchases(createFakeServer(answers.map((answer) => xml(answer))).api, libraryQuery)).titles;

  test.each([
    ['of copies with the fewest fields', copyXml(''), { purchasedAt: '', lastOpenedAt: null, progress: 0 }],
    ['with a progress in percent', copyXml('<Progress>45</Progress>'), { progress: 0 }],
    [
      'with dates of RFC 5322',
      copyXml('<PurchasedAt>Mon, 03 Nov 2025 10:00:00 GMT</PurchasedAt>'),
      { purchasedAt: '2025-11-03T10:00:00.000Z' },
    ],
  ])('a library is read %s', async (_, answer, expected) => {
    expect(await readLibrary(`<ArrayOfPurchase>${answer}</ArrayOfPurchase>`)).toEqual([expect.objectContaining(expected)]);
  });

  test('a library inside an answer is read, without an unreadable copy', async () => {
    expect(await readLibrary(`<Response><Purchases><Purchase/>${copyXml('')}</Purchases></Response>`)).toHaveLength(1);
  });

  test.each([
    ['as an empty element', xml('<Purchases/>')],
    ['as a 404 page', html('<h1>Not found</h1>', 404)],
    ['as an Error document', xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status></Error>')],
  ])('an empty library may be sent %s', async (_, answer) => {
    expect(await fetchPurchases(createFakeServer([answer]).api, libraryQuery)).toEqual({ titles: [], left: null });
  });

  test('a library is read from JSON', async () => {
    const { api } = createFakeServer([
      json({ purchases: [{ instanceId: 7, title: { titleId: 1, name: 'Log', titleType: 2 } }] }),
    ]);
    expect(await fetchPurchases(api, libraryQuery)).toMatchObject({
      titles: [{ instanceId: '7', title: { id: '1', medium: 'audio' } }],
    });
  });

  test('a library of titles alone is read, in XML and in JSON', async () => {
    expect(await readLibrary(`<ArrayOfTitle>${titleXml('1')}${titleXml('2')}</ArrayOfTitle>`)).toMatchObject([
      { instanceId: '1', title: { id: '1' } },
      { instanceId: '2', title: { id: '2' } },
    ]);
    const titleRecords = [{ InstanceId: 'c7', TitleId: '1', Name: 'Log', TitleType: 1 }];
    for (const answer of [titleRecords, { data: titleRecords }])
      expect((await fetchPurchases(createFakeServer([json(answer)]).api, libraryQuery)).titles).toMatchObject([
        { instanceId: 'c7', title: { id: '1' } },
      ]);
  });

  test('purchase records are read, without an unreadable one', async () => {
    expect(await fetchPurchaseRecords(createFakeServer([xml(`<P>${copyXml('')}<Purchase/></P>`)]).api)).toEqual([
      { instanceId: '7', titleId: '1', name: 'Log', transId: null, purchasedAt: '', paid: null },
    ]);
  });
});

describe('the store', () => {
  test.each([
    ['by another name', xml('<Properties><ShelfId>5</ShelfId></Properties>')],
    ['inside an answer', xml('<Response><StoreProperties><ShelfId>5</ShelfId></StoreProperties></Response>')],
    ['as JSON', json({ ShelfId: 5, EnableEbook: 'False' })],
    ['in pieces', new Response(streamInPieces('\uFEFF<Store><ShelfId>5</ShelfId></Store>'))],
  ])('a store is read %s', async (_, answer) => {
    expect((await fetchStoreProperties(createFakeServer([answer]).api)).shelfId).toBe('5');
  });

  test('the attribute xsi:type is not taken for the type of an app store', async () => {
    const type = '<AppStoreUrl xsi:type="AppStoreUrlDto"><Type>Apple</Type><Url>https://apps.test/1</Url></AppStoreUrl>';
    const answer = `<Store xmlns:xsi="x"><ShelfId>5</ShelfId><AppStoreUrls>${type}</AppStoreUrls></Store>`;
    const { appStoreUrls } = await fetchStoreProperties(createFakeServer([xml(answer)]).api);
    expect(appStoreUrls).toEqual([{ type: 'Apple', url: 'https://apps.test/1' }]);
  });
});

test.each([
  ['another root', xml('<ArrayOfCategory><Category><Id>1</Id><Name>Sea</Name></Category></ArrayOfCategory>')],
  ['JSON', json({ categories: [{ Id: 1, Name: 'Sea' }, { Id: 2 }] })],
])('categories are read from %s', async (_, answer) => {
  expect((await fetchCategories(createFakeServer([answer]).api)).map(({ id }) => id)).toEqual(['1']);
});

test.each([
  ['under a meaningless name', json({ data: [{ TitleId: '1', Name: 'Log', TitleType: 1 }], total: 1 })],
  ['as its only title', xml(titleXml('1'))],
])('a list of titles is read %s', async (_, answer) => {
  const { api } = createFakeServer([answer]);
  const { titles: list } = await fetchTitles(api, { type: 'all', categoryId: null, search: '', sort: '', cursor: null });
  expect(list.map(({ id }) => id)).toEqual(['1']);
});

test('a receipt without an amount has the amount that was shown to the customer', async () => {
  const answer = () => json({ transId: 'tr9', titleId: '1', instanceId: '1' });
  const receiptRequest = { transId: 'tr9', isGift: false };
  expect(await fetchReceipt(createFakeServer([answer]).api, receiptRequest)).not.toHaveProperty('amount');
  const price = { amount: 9.9, currency: 'EUR', symbol: '€' };
  saveStartedPayment({ transId: 'tr9', paidFor: 'title', price, code: '', cardId: null });
  expect(await fetchReceipt(createFakeServer([answer]).api, receiptRequest)).toMatchObject({ amount: 9.9 });
});

test.each([
  ['2024', '2024'],
  ['2024-05', '2024-05'],
  ['20240506', '2024-05-06'],
  ['2024-05-06T10:00:00+02:00', '2024-05-06T10:00:00+02:00'],
  ['1700000000', '2023-11-14T22:13:20.000Z'],
  ['6 May 2024', '2024-05-06T00:00:00.000Z'],
  ['03/04/2024', '03/04/2024'],
  ['soon', 'soon'],
  ['/Date(99999999999999999999)/', ''],
])('the date %s is read as %s', (wireDate, expected) => {
  expect(toIsoDate(wireDate)).toBe(expected);
});
