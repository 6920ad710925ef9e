import { expect, test } from 'vitest';
import { fetchPurchaseRecords, fetchPurchases } from '../../src/client/library/library.ts';
import { fetchOwnedCopies } from '../../src/client/library/owned-copies.ts';
import { json, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

const titleXml = '<Title><TitleId>t1</TitleId><Name>Log</Name><TitleType>2</TitleType><Medium>audio</Medium></Title>';
const purchaseXml = (id: string, moreXml = '') =>
  `<Purchase><InstanceId>${id}</InstanceId><TitleId>t1</TitleId><PurchasedAt>2026-11-20T08:00:00Z</PurchasedAt><Progress>0.25</Progress>${moreXml}${titleXml}</Purchase>`;
const pageResponse = (next: string, ...items: string[]) =>
  xml(`<Purchases total="3" next="${next}">${items.join('')}</Purchases>`);
const allQuery = { type: 'all', sort: '' } as const;

test('an owned title is mapped to the model [S7.user/purchases]', async () => {
  const { api } = createFakeServer([
    pageResponse(
      '',
      purchaseXml('i1', '<LastOpenedAt>2026-11-21T08:00:00Z</LastOpenedAt>'),
      purchaseXml('i2', '<LastOpenedAt/>'),
    ),
  ]);
  const ownedTitle = {
    instanceId: 'i1',
    purchasedAt: '2026-11-20T08:00:00Z',
    lastOpenedAt: '2026-11-21T08:00:00Z',
    progress: 0.25,
    title: {
      id: 't1',
      name: 'Log',
      subtitle: '',
      authors: [],
      type: 'audio',
      medium: 'audio',
      cover: null,
      prices: [],
      free: false,
      forSale: true,
      hasSample: false,
    },
  };
  expect(await fetchPurchases(api, allQuery)).toEqual({
    titles: [ownedTitle, { ...ownedTitle, instanceId: 'i2', lastOpenedAt: null }],
    left: null,
  });
});

test('the library has recent refunds, the purchase history has all of them', async () => {
  const formatRefund = (id: string, isRecent: boolean, amountXml: string) =>
    `<Refund><TransId>${id}</TransId><PurchasedAt>2026-11-${id}T08:00:00Z</PurchasedAt><RefundedAt>2026-11-21T08:00:00Z</RefundedAt>${
      isRecent ? '<Recent>true</Recent>' : ''
    }<TitleId>t9</TitleId><Name>Low Water</Name><Titles>2</Titles>${amountXml}</Refund>`;
  const priceXml = '<Amount>4.5</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol>';
  const answer = () =>
    pageResponse('', purchaseXml('i1'), formatRefund('21', true, priceXml), formatRefund('19', false, '<Credits>2</Credits>'));
  const { refunds } = await fetchPurchases(createFakeServer([answer()]).api, allQuery);
  const refundFields = {
    transId: '21',
    titleId: 't9',
    name: 'Low Water',
    titles: 2,
    recent: true,
    refundedAt: '2026-11-21T08:00:00Z',
  };
  const paidAmount = { amount: 4.5, currency: 'EUR', symbol: '€' };
  expect(refunds).toEqual([{ ...refundFields, purchasedAt: '2026-11-21T08:00:00Z', paid: paidAmount }]);
  const records = await fetchPurchaseRecords(createFakeServer([answer()]).api);
  expect(
    records.map(({ instanceId, refundedAt, paid: amountPaid, credits }) => [instanceId, refundedAt, amountPaid, credits]),
  ).toEqual([
    ['21', '2026-11-21T08:00:00Z', paidAmount, undefined],
    ['i1', undefined, null, undefined],
    ['19', '2026-11-21T08:00:00Z', null, 2],
  ]);
});

test('every page of the library is read', async () => {
  const { api, requests } = createFakeServer([
    pageResponse('c2', purchaseXml('i1')),
    pageResponse('c3', purchaseXml('i2')),
    pageResponse('', purchaseXml('i3')),
  ]);
  const { titles } = await fetchPurchases(api, { type: 'audio', sort: 'recent' });
  expect(titles.map(({ instanceId }) => instanceId)).toEqual(['i1', 'i2', 'i3']);
  expect(requests.map(({ query }) => [query['titletype'], query['sort'], query['cursor']])).toEqual([
    ['2', 'recent', undefined],
    ['2', 'recent', 'c2'],
    ['2', 'recent', 'c3'],
  ]);
});

test('reading ends at a server that repeats one page for ever', async () => {
  const { api, requests } = createFakeServer([() => pageResponse('again', purchaseXml('i1'))]);
  expect((await fetchPurchases(api, allQuery)).titles).toHaveLength(2);
  expect(requests).toHaveLength(2);
});

test('an error names the copy that has no title', async () => {
  const problem = await catchRejection(
    fetchPurchases(createFakeServer([pageResponse('', purchaseXml('i1').replace(titleXml, ''))]).api, allQuery),
  );
  expect(problem).toMatchObject({ kind: 'malformed', call: 'user/purchases', field: 'purchases.0.title.name' });
});

test('ids of owned titles and of titles included in a subscription come in one call', async () => {
  const answer = { titles: [{ titleId: 't1', instanceId: 'i1' }], opened: ['t1', 't2'], opensAll: true };
  const { api, requests } = createFakeServer([json(answer)]);
  expect(await fetchOwnedCopies(api)).toEqual({ t1: 'own', t2: 'subscription', '*': 'subscription' });
  expect(requests.map(({ path }) => path)).toEqual(['/api/user/titles']);
});

test('owned titles are read from the library when the server lacks their call', async () => {
  const { api, requests } = createFakeServer([
    new Response('<h1>nothing here</h1>', { status: 404 }),
    pageResponse('', purchaseXml('i1')),
  ]);
  expect(await fetchOwnedCopies(api)).toEqual({ t1: 'own' });
  expect(requests.map(({ path }) => path)).toEqual(['/api/user/titles', '/api/user/purchases']);
});

test('titles that have left the subscription are counted on the first page [S7.user/purchases]', async () => {
  const firstPageXml = `<Purchases next="c2" left="3" leftAt="2026-01-31T12:00:00Z">${purchaseXml('i1')}</Purchases>`;
  const { api } = createFakeServer([() => xml(firstPageXml), pageResponse('', purchaseXml('i2'))]);
  expect(await fetchPurchases(api, allQuery)).toMatchObject({ left: { count: 3, at: '2026-01-31T12:00:00Z' } });
});

test('a title included in a subscription is not a purchase', async () => {
  const includedPurchase = purchaseXml('i1').replace('<Progress>', '<WithSubscription>true</WithSubscription><Progress>');
  const { api } = createFakeServer([pageResponse('', includedPurchase, purchaseXml('i2'))]);
  expect((await fetchPurchaseRecords(api)).map(({ instanceId }) => instanceId)).toEqual(['i2']);
  const [ownedTitle] = (await fetchPurchases(createFakeServer([pageResponse('', includedPurchase)]).api, allQuery)).titles;
  expect(ownedTitle?.withSubscription).toBe(true);
});
