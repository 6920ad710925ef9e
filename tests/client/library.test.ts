import { expect, test } from 'vitest';
import { purchaseRecords, purchases } from '../../src/client/library/library.ts';
import { ownedCopies } from '../../src/client/library/owned-copies.ts';
import { json, rejection, world, xml } from '../support/client/world.ts';

const title = '<Title><TitleId>t1</TitleId><Name>Log</Name><TitleType>2</TitleType><Medium>audio</Medium></Title>';
const purchase = (id: string, more = '') =>
  `<Purchase><InstanceId>${id}</InstanceId><TitleId>t1</TitleId><PurchasedAt>2026-11-20T08:00:00Z</PurchasedAt><Progress>0.25</Progress>${more}${title}</Purchase>`;
const page = (next: string, ...items: string[]) => xml(`<Purchases total="3" next="${next}">${items.join('')}</Purchases>`);
const all = { type: 'all', sort: '' } as const;

test('a title that is owned [S7.user/purchases]', async () => {
  const { api } = world([
    page('', purchase('i1', '<LastOpenedAt>2026-11-21T08:00:00Z</LastOpenedAt>'), purchase('i2', '<LastOpenedAt/>')),
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
  expect(await purchases(api, all)).toEqual({ titles: [owned, { ...owned, instanceId: 'i2', lastOpenedAt: null }], left: null });
});

test('orders that went back are told: the library has the new ones, the account all of them among what was bought', async () => {
  const refund = (id: string, recent: boolean, paid: string) =>
    `<Refund><TransId>${id}</TransId><PurchasedAt>2026-11-${id}T08:00:00Z</PurchasedAt><RefundedAt>2026-11-21T08:00:00Z</RefundedAt>${
      recent ? '<Recent>true</Recent>' : ''
    }<TitleId>t9</TitleId><Name>Low Water</Name><Titles>2</Titles>${paid}</Refund>`;
  const money = '<Amount>4.5</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol>';
  const answer = () => page('', purchase('i1'), refund('21', true, money), refund('19', false, '<Credits>2</Credits>'));
  const { refunds } = await purchases(world([answer()]).api, all);
  const told = { transId: '21', titleId: 't9', name: 'Low Water', titles: 2, recent: true, refundedAt: '2026-11-21T08:00:00Z' };
  const paid = { amount: 4.5, currency: 'EUR', symbol: '€' };
  expect(refunds).toEqual([{ ...told, purchasedAt: '2026-11-21T08:00:00Z', paid }]);
  const records = await purchaseRecords(world([answer()]).api);
  expect(records.map(({ instanceId, refundedAt, paid: given, credits }) => [instanceId, refundedAt, given, credits])).toEqual([
    ['21', '2026-11-21T08:00:00Z', paid, undefined],
    ['i1', undefined, null, undefined],
    ['19', '2026-11-21T08:00:00Z', null, 2],
  ]);
});

test('every page is read', async () => {
  const { api, asked } = world([page('c2', purchase('i1')), page('c3', purchase('i2')), page('', purchase('i3'))]);
  const { titles } = await purchases(api, { type: 'audio', sort: 'recent' });
  expect(titles.map(({ instanceId }) => instanceId)).toEqual(['i1', 'i2', 'i3']);
  expect(asked.map(({ query }) => [query['titletype'], query['sort'], query['cursor']])).toEqual([
    ['2', 'recent', undefined],
    ['2', 'recent', 'c2'],
    ['2', 'recent', 'c3'],
  ]);
});

test('a server that returns the same page for ever is given up', async () => {
  const { api, asked } = world([() => page('again', purchase('i1'))]);
  expect((await purchases(api, all)).titles).toHaveLength(2);
  expect(asked).toHaveLength(2);
});

test('a copy without a title is named', async () => {
  const problem = await rejection(purchases(world([page('', purchase('i1').replace(title, ''))]).api, all));
  expect(problem).toMatchObject({ kind: 'malformed', call: 'user/purchases', field: 'purchases.0.title.name' });
});

test('the ids of what is owned, and of what a subscription opens, come in one call', async () => {
  const answer = { titles: [{ titleId: 't1', instanceId: 'i1' }], opened: ['t1', 't2'], opensAll: true };
  const { api, asked } = world([json(answer)]);
  expect(await ownedCopies(api)).toEqual({ t1: 'own', t2: 'subscription', '*': 'subscription' });
  expect(asked.map(({ path }) => path)).toEqual(['/api/user/titles']);
});

test('a server that has no such call is asked for the library', async () => {
  const { api, asked } = world([new Response('<h1>nothing here</h1>', { status: 404 }), page('', purchase('i1'))]);
  expect(await ownedCopies(api)).toEqual({ t1: 'own' });
  expect(asked.map(({ path }) => path)).toEqual(['/api/user/titles', '/api/user/purchases']);
});

test('what has left is told with the first page [S7.user/purchases]', async () => {
  const first = `<Purchases next="c2" left="3" leftAt="2026-01-31T12:00:00Z">${purchase('i1')}</Purchases>`;
  const { api } = world([() => xml(first), page('', purchase('i2'))]);
  expect(await purchases(api, all)).toMatchObject({ left: { count: 3, at: '2026-01-31T12:00:00Z' } });
});

test('what a subscription opens is no purchase', async () => {
  const opened = purchase('i1').replace('<Progress>', '<WithSubscription>true</WithSubscription><Progress>');
  const { api } = world([page('', opened, purchase('i2'))]);
  expect((await purchaseRecords(api)).map(({ instanceId }) => instanceId)).toEqual(['i2']);
  const [owned] = (await purchases(world([page('', opened)]).api, all)).titles;
  expect(owned?.withSubscription).toBe(true);
});
