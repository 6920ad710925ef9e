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
import { saveStartedPayment } from '../../src/client/payment/started-payments.ts';
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

const libraryQuery = { type: 'all', sort: '' } as const;
const minimalTitleXml = '<TitleId>1</TitleId><Name>Log</Name><TitleType>2</TitleType>';
const titleXml = (id: string) => `<Title>${minimalTitleXml.replace('>1<', `>${id}<`)}</Title>`;

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
  ])('an answer of another server is read: %s', async (_, answer, call, expected) => {
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
    ['with a progress in percent, which counts as 0', copyXml('<Progress>45</Progress>'), { progress: 0 }],
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
