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
import { html, streamInPieces, json, catchRejection, text, environment, xml } from '../support/client/fake-environment.ts';

const allTitles = { type: 'all', categoryId: null, search: '', sort: '', cursor: null } as const;
const library = { type: 'all', sort: '' } as const;
const minimalTitleXml = '<TitleId>1</TitleId><Name>Log</Name><TitleType>2</TitleType>';
const titleXml = (id: string) => `<Title>${minimalTitleXml.replace('>1<', `>${id}<`)}</Title>`;
const readIds = async (answer: Response) => (await fetchTitles(environment([answer]).api, allTitles)).titles.map(({ id }) => id);
const opened = (inner: string) => fetchTitle(environment([xml(`<Title>${inner}</Title>`)]).api, '1');
const bytesResponse = (content: Uint8Array<ArrayBuffer>, type = 'application/xml') =>
  new Response(content, { headers: { 'content-type': type } });
const latin1 = (content: string) => Uint8Array.from(content, (sign) => sign.codePointAt(0) ?? 0);
const utf16 = (content: string) =>
  Uint8Array.from([0xff, 0xfe, ...Array.from(content, (sign) => [sign.charCodeAt(0) & 255, sign.charCodeAt(0) >> 8]).flat()]);

describe('a title', () => {
  test.each([
    ['1', 'epub'],
    ['2', 'audio'],
    ['3', 'interactive'],
    ['4', 'video'],
    ['Ebook', 'epub'],
  ])('of type %s is %s when no field says its medium', async (type, medium) => {
    expect(await opened(minimalTitleXml.replace('>2<', `>${type}<`))).toMatchObject({ medium });
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
  ])('with a price formatted for people: %s %s', async (text, currency, amount) => {
    const told = `<TitlePrice>${text}</TitlePrice><Currency>${currency}</Currency>`;
    expect(await opened(minimalTitleXml + told)).toMatchObject({ prices: [{ amount, currency, symbol: '' }], forSale: true });
  });

  test('without a type it is an ebook', async () => {
    expect(await opened('<TitleId>1</TitleId><Name>Log</Name>')).toMatchObject({ type: 'ebook', medium: 'epub' });
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
  ])('with %s', async (_, more, expected) => {
    expect(await opened(minimalTitleXml + more)).toMatchObject(expected);
  });

  test('whose id is called Id, in any order', async () => {
    expect(await opened('<TitleType>2</TitleType><Id>1</Id><Name>Log</Name>')).toMatchObject({ id: '1', name: 'Log' });
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
    ['whose declaration lies', `<?xml version="1.0" encoding="utf-16"?><Titles>${titleXml('1')}${titleXml('2')}</Titles>`],
  ])('%s', async (_, answer) => {
    expect(await readIds(xml(answer))).toEqual(['1', '2']);
  });

  test.each([
    ['a list', [{ TitleId: 1, Name: 'Log', TitleType: 2 }]],
    ['an object', { titles: [{ titleId: '1', name: 'Log', titleType: 'audio', authors: ['Ada'] }], total: 1 }],
  ])('is read from JSON, as %s', async (_, answer) => {
    expect(await readIds(json(answer))).toEqual(['1']);
  });

  test.each([
    ['an empty root', () => xml('<Titles/>')],
    ['a root without its list', () => xml('<Response><Total>0</Total></Response>')],
    ['no content', () => new Response(null, { status: 204 })],
    ['an empty JSON list', () => json([])],
  ])('is empty: %s', async (_, answer) => {
    expect(await readIds(answer())).toEqual([]);
  });

  test.each([
    ['the page of a proxy', () => html('<html><head/><body>Welcome to this network</body></html>'), 'malformed'],
    ['a fault', () => xml('<soap:Fault xmlns:soap="s"><faultstring>No</faultstring></soap:Fault>'), 'malformed'],
    ['an error of a proxy', () => html('<!doctype html><title>502 Bad Gateway</title><hr>', 502), 'http'],
    ['an error in JSON under 200', () => json({ Error: 'Too bad' }), 'refused'],
    ['a 401 in JSON under 200', () => json({ Status: 401 }), 'unauthorized'],
    ['titles that are all unreadable', () => xml('<Titles><Title/><Title/></Titles>'), 'malformed'],
  ])('is malformed: %s', async (_, answer, kind) => {
    expect(await catchRejection(readIds(answer()))).toMatchObject({ kind });
  });

  test('reports each title that was left out', async () => {
    const { api, reported } = environment([xml(`<Titles><Title/>${titleXml('1')}</Titles>`)]);
    expect(await fetchRelatedTitles(api, '7')).toHaveLength(1);
    expect(reported).toEqual([
      ['titles/{titleId}/related', expect.objectContaining({ kind: 'malformed', field: 'titles.0.id' })],
    ]);
  });
});

describe('characters', () => {
  const cafe = '<Title><TitleId>1</TitleId><Name>Café</Name><TitleType>1</TitleType></Title>';
  test.each([
    ['the header says', bytesResponse(latin1(cafe), 'text/xml; charset="ISO-8859-1"')],
    ['the declaration says', bytesResponse(latin1(`<?xml version="1.0" encoding="iso-8859-1"?>${cafe}`))],
    ['a byte order mark says', bytesResponse(utf16(cafe))],
    ['nothing says: UTF-8', bytesResponse(new TextEncoder().encode(cafe), 'text/plain')],
    ['an invalid header says', bytesResponse(new TextEncoder().encode(cafe), 'text/xml; charset=none')],
  ])('are read as %s', async (_, answer) => {
    expect((await fetchTitle(environment([answer]).api, '1')).name).toBe('Café');
  });
});

const usualOrder = { code: '', tax: null, giftInfo: undefined, method: null };

describe('ids that are numbers', () => {
  const url = 'https://pay.test/';
  test.each<[string, unknown, (api: ReturnType<typeof environment>['api']) => Promise<unknown>, unknown]>([
    ['a copy', { hasTitle: 'True', instanceId: 7 }, (api) => fetchOwnCopyId(api, { titleId: '1' }), '7'],
    ['a flag alone', true, (api) => fetchOwnCopyId(api, { titleId: '1' }), '1'],
    ['a copy, with no error', { HasTitle: true, Error: '0' }, (api) => fetchOwnCopyId(api, { titleId: '1' }), '1'],
    ['a copy without one', { HasTitle: true }, (api) => fetchOwnCopyId(api, { titleId: '1' }), '1'],
    [
      'a customer',
      { valid: 1, userId: 42, emailId: 'a@shop.test' },
      (api) => validateToken(api, 'token'),
      { userId: '42', email: 'a@shop.test' },
    ],
    [
      'a payment',
      { transId: 5, url },
      (api) => startTitlePayment(api, { titleId: '1', price: null, key: 'k', ...usualOrder }),
      { transId: '5', provider: '', url },
    ],
    [
      'where a payment stands',
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
      'suggestions, and one of a kind of its own',
      {
        suggestions: [
          { kind: 'Title', text: 'Log', id: 1 },
          { kind: 'series', text: 'Logs' },
        ],
      },
      (api) => fetchSuggestions(api, 'lo'),
      [{ kind: 'title', text: 'Log', id: '1', authors: [], medium: null, coverUrl: '' }],
    ],
  ])('%s', async (_, answer, call, expected) => {
    expect(await call(environment([json(answer)]).api)).toEqual(expected);
  });

  test('keep all their digits', async () => {
    const { api } = environment([text('{"hasTitle":true,"instanceId":12345678901234567890}')]);
    expect(await fetchOwnCopyId(api, { titleId: '1' })).toBe('12345678901234567890');
  });

  test('in XML where JSON is usual', async () => {
    const { api } = environment([xml('<Answer HasTitle="true"><InstanceId>7</InstanceId></Answer>')]);
    expect(await fetchOwnCopyId(api, { titleId: '1' })).toBe('7');
    const refused = environment([xml('<Error><StatusCode>401</StatusCode></Error>')]).api;
    expect(await catchRejection(fetchOwnCopyId(refused, { titleId: '1' }))).toEqual({ kind: 'unauthorized' });
  });
});

describe('subscription data', () => {
  test.each([
    ['nothing', '', { subscribed: false, data: null }],
    ['the plan alone', '{"data":{"planId":"gold"}}', { subscribed: true, data: 'gold' }],
  ])('a status that says %s', async (_, answer, status) => {
    expect(await fetchSubscriptionStatus(environment([new Response(answer)]).api)).toEqual(status);
  });

  test.each([
    ['a text', 'gold', 'gold'],
    ['a number', 3, '3'],
    ['an object', { PlanId: 3, customer: { email: 'a@shop.test' } }, '3'],
    ['an object with a code', { PlanId: 3, code: 401 }, '3'],
    ['an object about something else', { card: '4242' }, null],
    ['a list', [1], null],
    ['nothing', undefined, null],
  ])('that is %s', async (_, data, plan) => {
    expect(await fetchSubscriptionStatus(environment([json({ subscribed: 'true', data })]).api)).toEqual({
      subscribed: true,
      data: plan,
    });
  });
});

describe('a library', () => {
  const copy = (more: string) => `<Purchase><InstanceId>7</InstanceId>${more}${titleXml('1')}</Purchase>`;
  const read = async (...answers: string[]) =>
    (await fetchPurchases(environment(answers.map((answer) => xml(answer))).api, library)).titles;

  test.each([
    ['of copies with the fewest fields', copy(''), { purchasedAt: '', lastOpenedAt: null, progress: 0 }],
    ['with a share in percent', copy('<Progress>45</Progress>'), { progress: 0 }],
    [
      'with dates in words',
      copy('<PurchasedAt>Mon, 03 Nov 2025 10:00:00 GMT</PurchasedAt>'),
      { purchasedAt: '2025-11-03T10:00:00.000Z' },
    ],
  ])('%s', async (_, answer, expected) => {
    expect(await read(`<ArrayOfPurchase>${answer}</ArrayOfPurchase>`)).toEqual([expect.objectContaining(expected)]);
  });

  test('inside an answer, with one copy that cannot be read', async () => {
    expect(await read(`<Response><Purchases><Purchase/>${copy('')}</Purchases></Response>`)).toHaveLength(1);
  });

  test.each([
    ['in words', xml('<Purchases/>')],
    ['as nothing found', html('<h1>Not found</h1>', 404)],
    ['as an error', xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status></Error>')],
  ])('that is empty %s', async (_, answer) => {
    expect(await fetchPurchases(environment([answer]).api, library)).toEqual({ titles: [], left: null });
  });

  test('as JSON', async () => {
    const { api } = environment([json({ purchases: [{ instanceId: 7, title: { titleId: 1, name: 'Log', titleType: 2 } }] })]);
    expect(await fetchPurchases(api, library)).toMatchObject({
      titles: [{ instanceId: '7', title: { id: '1', medium: 'audio' } }],
    });
  });

  test('of titles alone, in XML and in JSON', async () => {
    expect(await read(`<ArrayOfTitle>${titleXml('1')}${titleXml('2')}</ArrayOfTitle>`)).toMatchObject([
      { instanceId: '1', title: { id: '1' } },
      { instanceId: '2', title: { id: '2' } },
    ]);
    const flat = [{ InstanceId: 'c7', TitleId: '1', Name: 'Log', TitleType: 1 }];
    for (const answer of [flat, { data: flat }])
      expect((await fetchPurchases(environment([json(answer)]).api, library)).titles).toMatchObject([
        { instanceId: 'c7', title: { id: '1' } },
      ]);
  });

  test('as a record', async () => {
    expect(await fetchPurchaseRecords(environment([xml(`<P>${copy('')}<Purchase/></P>`)]).api)).toEqual([
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
  ])('%s', async (_, answer) => {
    expect((await fetchStoreProperties(environment([answer]).api)).shelfId).toBe('5');
  });

  test('disables its types', async () => {
    const type = '<AppStoreUrl xsi:type="AppStoreUrlDto"><Type>Apple</Type><Url>https://apps.test/1</Url></AppStoreUrl>';
    const answer = `<Store xmlns:xsi="x"><ShelfId>5</ShelfId><AppStoreUrls>${type}</AppStoreUrls></Store>`;
    const { appStoreUrls } = await fetchStoreProperties(environment([xml(answer)]).api);
    expect(appStoreUrls).toEqual([{ type: 'Apple', url: 'https://apps.test/1' }]);
  });
});

test.each([
  ['another root', xml('<ArrayOfCategory><Category><Id>1</Id><Name>Sea</Name></Category></ArrayOfCategory>')],
  ['JSON', json({ categories: [{ Id: 1, Name: 'Sea' }, { Id: 2 }] })],
])('categories of %s', async (_, answer) => {
  expect((await fetchCategories(environment([answer]).api)).map(({ id }) => id)).toEqual(['1']);
});

test.each([
  ['under a meaningless name', json({ data: [{ TitleId: '1', Name: 'Log', TitleType: 1 }], total: 1 })],
  ['as its only title', xml(titleXml('1'))],
])('a list of titles %s', async (_, answer) => {
  const { api } = environment([answer]);
  const { titles: list } = await fetchTitles(api, { type: 'all', categoryId: null, search: '', sort: '', cursor: null });
  expect(list.map(({ id }) => id)).toEqual(['1']);
});

test('a receipt without an amount uses the one shown to the customer', async () => {
  const answer = () => json({ transId: 'tr9', titleId: '1', instanceId: '1' });
  const asked = { transId: 'tr9', isGift: false };
  expect(await fetchReceipt(environment([answer]).api, asked)).not.toHaveProperty('amount');
  const price = { amount: 9.9, currency: 'EUR', symbol: '€' };
  saveStartedPayment({ transId: 'tr9', paidFor: 'title', price, code: '', cardId: null });
  expect(await fetchReceipt(environment([answer]).api, asked)).toMatchObject({ amount: 9.9 });
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
])('the date %s is %s', (given, expected) => {
  expect(toIsoDate(given)).toBe(expected);
});
