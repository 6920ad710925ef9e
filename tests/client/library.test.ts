import { expect, test } from 'vitest';
import { fetchPurchaseRecords, fetchPurchases } from '../../src/client/library/library.ts';
import { fetchOwnedCopies } from '../../src/client/library/owned-copies.ts';
import { json, catchRejection, environment, xml } from '../support/client/fake-environment.ts';

const title = '<Title><TitleId>t1</TitleId><Name>Log</Name><TitleType>2</TitleType><Medium>audio</Medium></Title>';
const purchaseXml = (id: string, more = '') =>
  `<Purchase><InstanceId>${id}</InstanceId><TitleId>t1</TitleId><PurchasedAt>2026-11-20T08:00:00Z</PurchasedAt><Progress>0.25</Progress>${more}${title}</Purchase>`;
const page = (next: string, ...items: string[]) => xml(`<Purchases total="3" next="${next}">${items.join('')}</Purchases>`);
const allQuery = { type: 'all', sort: '' } as const;

test('an owned title is mapped to the model [S7.user/purchases]', async () => {
  const { api } = environment([
    page('', purchaseXml('i1', '<LastOpenedAt>2026-11-21T08:00:00Z</LastOpenedAt>'), purchaseXml('i2', '<LastOpenedAt/>')),
  ]);
  const owned = {
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
    titles: [owned, { ...owned, instanceId: 'i2', lastOpenedAt: null }],
    left: null,
  });
});

test('the library has recent refunds, the purchase history has all of them', async () => {
  const refund = (id: string, recent: boolean, paid: string) =>
    `<Refund><TransId>${id}</TransId><PurchasedAt>2026-11-${id}T08:00:00Z</PurchasedAt><RefundedAt>2026-11-21T08:00:00Z</RefundedAt>${
      recent ? '<Recent>true</Recent>' : ''
    }<TitleId>t9</TitleId><Name>Low Water</Name><Titles>2</Titles>${paid}</Refund>`;
  const money = '<Amount>4.5</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol>';
  const answer = () => page('', purchaseXml('i1'), refund('21', true, money), refund('19', false, '<Credits>2</Credits>'));
  const { refunds } = await fetchPurchases(environment([answer()]).api, allQuery);
  const told = { transId: '21', titleId: 't9', name: 'Low Water', titles: 2, recent: true, refundedAt: '2026-11-21T08:00:00Z' };
  const paid = { amount: 4.5, currency: 'EUR', symbol: '€' };
  expect(refunds).toEqual([{ ...told, purchasedAt: '2026-11-21T08:00:00Z', paid }]);
  const records = await fetchPurchaseRecords(environment([answer()]).api);
  expect(records.map(({ instanceId, refundedAt, paid: given, credits }) => [instanceId, refundedAt, given, credits])).toEqual([
    ['21', '2026-11-21T08:00:00Z', paid, undefined],
    ['i1', undefined, null, undefined],
    ['19', '2026-11-21T08:00:00Z', null, 2],
  ]);
});

test('every page is read', async () => {
  const { api, asked } = environment([page('c2', purchaseXml('i1')), page('c3', purchaseXml('i2')), page('', purchaseXml('i3'))]);
  const { titles } = await fetchPurchases(api, { type: 'audio', sort: 'recent' });
  expect(titles.map(({ instanceId }) => instanceId)).toEqual(['i1', 'i2', 'i3']);
  expect(asked.map(({ query }) => [query['titletype'], query['sort'], query['cursor']])).toEqual([
    ['2', 'recent', undefined],
    ['2', 'recent', 'c2'],
    ['2', 'recent', 'c3'],
  ]);
});

test('a server that repeats one page for ever is abandoned', async () => {
  const { api, asked } = environment([() => page('again', purchaseXml('i1'))]);
  expect((await fetchPurchases(api, allQuery)).titles).toHaveLength(2);
  expect(asked).toHaveLength(2);
});

test('an error names the copy that has no title', async () => {
  const problem = await catchRejection(
    fetchPurchases(environment([page('', purchaseXml('i1').replace(title, ''))]).api, allQuery),
  );
  expect(problem).toMatchObject({ kind: 'malformed', call: 'user/purchases', field: 'purchases.0.title.name' });
});

test('ids of owned titles and of titles included in a subscription come in one call', async () => {
  const answer = { titles: [{ titleId: 't1', instanceId: 'i1' }], opened: ['t1', 't2'], opensAll: true };
  const { api, asked } = environment([json(answer)]);
  expect(await fetchOwnedCopies(api)).toEqual({ t1: 'own', t2: 'subscription', '*': 'subscription' });
  expect(asked.map(({ path }) => path)).toEqual(['/api/user/titles']);
});

test('without that call on the server, the library is read', async () => {
  const { api, asked } = environment([new Response('<h1>nothing here</h1>', { status: 404 }), page('', purchaseXml('i1'))]);
  expect(await fetchOwnedCopies(api)).toEqual({ t1: 'own' });
  expect(asked.map(({ path }) => path)).toEqual(['/api/user/titles', '/api/user/purchases']);
});

test('titles that have left are reported with the first page [S7.user/purchases]', async () => {
  const first = `<Purchases next="c2" left="3" leftAt="2026-01-31T12:00:00Z">${purchaseXml('i1')}</Purchases>`;
  const { api } = environment([() => xml(first), page('', purchaseXml('i2'))]);
  expect(await fetchPurchases(api, allQuery)).toMatchObject({ left: { count: 3, at: '2026-01-31T12:00:00Z' } });
});

test('a title included in a subscription is not a purchase', async () => {
  const opened = purchaseXml('i1').replace('<Progress>', '<WithSubscription>true</WithSubscription><Progress>');
  const { api } = environment([page('', opened, purchaseXml('i2'))]);
  expect((await fetchPurchaseRecords(api)).map(({ instanceId }) => instanceId)).toEqual(['i2']);
  const [owned] = (await fetchPurchases(environment([page('', opened)]).api, allQuery)).titles;
  expect(owned?.withSubscription).toBe(true);
});
