import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sendSharedAnswer, SharedAnswerCache } from '../../../server/stores/shared-answer-cache.ts';
import { Stores } from '../../../server/stores/stores.ts';
import { PriorityGate } from '../../../server/base/priority-gate.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const paths = ['/titles', '/titles/book', '/titles/book/related', '/categories', '/store/properties', '/theme', '/pages/about'];
const fetchBody = async (path: string, extraQuery = '') =>
  (await shop.app.inject({ url: `/api${path}?shelfid=${store}${extraQuery}` })).body;
const fetchAllBodies = () => Promise.all(paths.map((path) => fetchBody(path)));

/** @returns the number of database statements of `work`, except those that look up the store */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const execute = vi.spyOn(shop.db.getExecutor(), 'executeQuery');
  await work();
  const statementCount = execute.mock.calls.filter(([{ sql }]) => !/from "stores" where "id" = /.test(sql)).length;
  execute.mockRestore();
  return statementCount;
}

test('a response that is the same for every caller is computed once', async () => {
  expect(await countStatements(fetchAllBodies)).toBeGreaterThan(paths.length);
  expect(await countStatements(fetchAllBodies)).toBe(0);
  const { query } = await createCustomer(shop, store);
  expect(await countStatements(() => fetchBody('/titles', `&accesstoken=${query.accesstoken}`))).toBe(0);
});

test('concurrent requests for one response share the computation', async () => {
  await shop.db.updateTable('stores').set({ currency: 'EUR' }).where('id', '=', store).execute();
  const statementCount = await countStatements(() => fetchBody('/titles', '&search=quiet'));
  await shop.db.updateTable('stores').set({ currency: 'USD' }).where('id', '=', store).execute();
  expect(await countStatements(() => Promise.all(Array.from({ length: 20 }, () => fetchBody('/titles', '&search=quiet'))))).toBe(
    statementCount,
  );
});

test.each([
  [
    'a title',
    '/titles/book',
    () => shop.db.updateTable('titles').set({ name: 'Renamed Book' }).where('id', '=', 'book'),
    'Renamed',
  ],
  ['a price', '/titles', () => shop.db.updateTable('prices').set({ amount_minor: 4321 }).where('title_id', '=', 'book'), '43.21'],
  ['a category', '/categories', () => shop.db.updateTable('categories').set({ name: 'Renamed Shelf' }), 'Renamed Shelf'],
  ['the look', '/theme', () => shop.db.updateTable('stores').set({ theme: '{"footer":"#123456"}' }), '#123456'],
  ['a page', '/pages/about', () => shop.db.updateTable('pages').set({ html: '<p>Rewritten</p>' }), 'Rewritten'],
  [
    'a property',
    '/store/properties',
    () => shop.db.insertInto('properties').values({ store_id: store, name: 'NewsletterSignupText', value: 'Write to us' }),
    'Write to us',
  ],
])('a change of %s is visible at once', async (_name, path, change, expectedText) => {
  expect(await fetchBody(path)).not.toContain(expectedText);
  await change().execute();
  expect(await fetchBody(path)).toContain(expectedText);
});

test('a response for a customer is not cached for other callers', async () => {
  await shop.db
    .insertInto('pages')
    .values({ store_id: store, name: 'club', title: 'Club', html: 'hush', is_private: true })
    .execute();
  const { query } = await createCustomer(shop, store);
  expect(await fetchBody('/pages/club', `&accesstoken=${query.accesstoken}`)).toContain('hush');
  expect(await fetchBody('/pages/club')).not.toContain('hush');
  expect(await fetchBody('/pages/club', `&accesstoken=${query.accesstoken}`)).toContain('hush');
});

const someStore = { id: 's', host: null, isDefault: false, currency: 'EUR', language: 'en' as const, appId: 'web', version: 1 };
const makeAnswer = (status: number, length = 10) => ({ status, contentType: 'text/plain', body: Buffer.alloc(length) });

test('failures and 404s are not cached, and memory is bounded', async () => {
  const cache = new SharedAnswerCache(100_000, new PriorityGate());
  const work = vi.fn(async () => makeAnswer(404));
  await cache.getOrCreate(someStore, 'missing', work);
  await cache.getOrCreate(someStore, 'missing', work);
  expect(work).toHaveBeenCalledTimes(2);
  await expect(cache.getOrCreate(someStore, 'broken', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.getOrCreate(someStore, 'broken', async () => makeAnswer(200))).toMatchObject({ status: 200 });
  const createLargeAnswer = vi.fn(async () => makeAnswer(200, 20_000));
  for (const key of ['a', 'b', 'c', 'a']) await cache.getOrCreate(someStore, key, createLargeAnswer);
  expect(createLargeAnswer).toHaveBeenCalledTimes(4);
  await cache.getOrCreate(someStore, 'a', createLargeAnswer);
  expect(createLargeAnswer).toHaveBeenCalledTimes(4);
});

test('a changed store is read when its cached copy expires, or at once after the cache is cleared', async () => {
  const change = () => shop.db.updateTable('stores').set({ theme: '{}' }).where('id', '=', store).execute();
  const readVersion = async (stores: Stores) => (await stores.findById(store))?.version ?? 0;
  const [slowStores, quickStores] = [new Stores(shop.db, 600_000), new Stores(shop.db, 20)];
  const versionBefore = await readVersion(slowStores);
  expect(await readVersion(quickStores)).toBe(versionBefore);
  await change();
  expect(await readVersion(slowStores)).toBe(versionBefore);
  slowStores.clearCache();
  expect(await readVersion(slowStores)).toBe(versionBefore + 1);
  await expect.poll(() => readVersion(quickStores)).toBe(versionBefore + 1);
});

const fetchEncoded = (url: string, encodings?: string) =>
  shop.app.inject({ url: `/api${url}`, headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });

test('a shared response is compressed for clients that accept it, and a customer’s own response never', async () => {
  const list = `/titles?shelfid=${store}`;
  const plainResponse = await fetchEncoded(list);
  expect(plainResponse.headers).toMatchObject({ vary: 'Accept-Encoding, Accept-Language' });
  expect(plainResponse.headers).not.toHaveProperty('content-encoding');
  const gzipResponse = await fetchEncoded(list, 'br;q=1, gzip;q=0.8');
  expect(gzipResponse.headers).toMatchObject({ vary: 'Accept-Encoding, Accept-Language', 'content-encoding': 'gzip' });
  expect(gunzipSync(gzipResponse.rawPayload).toString()).toBe(plainResponse.body);
  expect(gzipResponse.rawPayload.length).toBeLessThan(plainResponse.body.length / 2);
  expect((await fetchEncoded(list, 'gzip;q=0')).body).toBe(plainResponse.body);
  const { query } = await createCustomer(shop, store);
  for (const encodings of ['gzip', 'br', 'gzip, br']) {
    const customerResponse = await fetchEncoded(`/user/purchases?shelfid=${store}&accesstoken=${query.accesstoken}`, encodings);
    expect(customerResponse.headers).not.toHaveProperty('content-encoding');
  }
});

test('a response that is requested again is sent with Brotli, to clients that accept it', async () => {
  const list = `/titles?shelfid=${store}&pagesize=7`;
  const firstResponse = await fetchEncoded(list, 'gzip, br');
  expect(firstResponse.headers['content-encoding']).toBe('gzip');
  const readEncoding = async () => (await fetchEncoded(list, 'gzip, deflate, br')).headers['content-encoding'];
  await expect.poll(readEncoding).toBe('br');
  const brotliResponse = await fetchEncoded(list, 'gzip, br');
  expect(brotliDecompressSync(brotliResponse.rawPayload).toString()).toBe(gunzipSync(firstResponse.rawPayload).toString());
  expect(brotliResponse.rawPayload.length).toBeLessThan(firstResponse.rawPayload.length);
  expect((await fetchEncoded(list, 'gzip')).headers['content-encoding']).toBe('gzip');
  expect((await fetchEncoded(list, 'gzip, br;q=0')).headers['content-encoding']).toBe('gzip');
});

const measureBuffer = ({ buffer, length }: Buffer) => ({ bytes: length, memory: buffer.byteLength });
const hasExactMemory = ({ bytes, memory }: ReturnType<typeof measureBuffer>) => bytes === memory;

test('a cached response and its compressed forms take no memory besides their bytes', async () => {
  const cache = new SharedAnswerCache(1_000_000, new PriorityGate());
  // Node allocates a buffer of this length from a pool.
  const pooledBuffer = Buffer.from('An answer. '.repeat(200));
  expect(hasExactMemory(measureBuffer(pooledBuffer))).toBe(false);
  const cachedAnswer = await cache.getOrCreate(someStore, 'short', async () => ({ ...makeAnswer(200), body: pooledBuffer }));
  expect(cachedAnswer.body.equals(pooledBuffer)).toBe(true);
  const app = Fastify();
  const sentPayloads = new Map<unknown, Buffer>();
  app.addHook(
    'onSend',
    async (_request, reply, payload) => void sentPayloads.set(reply.getHeader('content-encoding'), payload as Buffer),
  );
  app.get('/', (request, reply) => sendSharedAnswer(request, reply, cachedAnswer));
  const requestEncoding = async () =>
    (await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })).headers['content-encoding'];
  expect(await requestEncoding()).toBe('gzip');
  await expect.poll(requestEncoding).toBe('br');
  await app.close();
  expect(
    [cachedAnswer.body, sentPayloads.get('gzip'), sentPayloads.get('br')].map(
      (bytes) => bytes && hasExactMemory(measureBuffer(bytes)),
    ),
  ).toEqual([true, true, true]);
});
