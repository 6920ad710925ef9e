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
const fetchBody = async (path: string, more = '') => (await shop.app.inject({ url: `/api${path}?shelfid=${store}${more}` })).body;
const fetchAllBodies = () => Promise.all(paths.map((path) => fetchBody(path)));

/** Number of database statements while `work` runs, without those that look up the store. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const execute = vi.spyOn(shop.db.getExecutor(), 'executeQuery');
  await work();
  const asked = execute.mock.calls.filter(([{ sql }]) => !/from "stores" where "id" = /.test(sql)).length;
  execute.mockRestore();
  return asked;
}

test('a response that is the same for every caller is computed once', async () => {
  expect(await countStatements(fetchAllBodies)).toBeGreaterThan(paths.length);
  expect(await countStatements(fetchAllBodies)).toBe(0);
  const { query } = await createCustomer(shop, store);
  expect(await countStatements(() => fetchBody('/titles', `&accesstoken=${query.accesstoken}`))).toBe(0);
});

test('concurrent requests for one response share the computation', async () => {
  await shop.db.updateTable('stores').set({ currency: 'EUR' }).where('id', '=', store).execute();
  const one = await countStatements(() => fetchBody('/titles', '&search=quiet'));
  await shop.db.updateTable('stores').set({ currency: 'USD' }).where('id', '=', store).execute();
  expect(await countStatements(() => Promise.all(Array.from({ length: 20 }, () => fetchBody('/titles', '&search=quiet'))))).toBe(
    one,
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
])('a change of %s is visible at once', async (_what, path, change, shown) => {
  expect(await fetchBody(path)).not.toContain(shown);
  await change().execute();
  expect(await fetchBody(path)).toContain(shown);
});

test('a response for a customer is not cached for others', async () => {
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
  const answers = new SharedAnswerCache(100_000, new PriorityGate());
  const work = vi.fn(async () => makeAnswer(404));
  await answers.getOrCreate(someStore, 'missing', work);
  await answers.getOrCreate(someStore, 'missing', work);
  expect(work).toHaveBeenCalledTimes(2);
  await expect(answers.getOrCreate(someStore, 'broken', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await answers.getOrCreate(someStore, 'broken', async () => makeAnswer(200))).toMatchObject({ status: 200 });
  const large = vi.fn(async () => makeAnswer(200, 20_000));
  for (const what of ['a', 'b', 'c', 'a']) await answers.getOrCreate(someStore, what, large);
  expect(large).toHaveBeenCalledTimes(4);
  await answers.getOrCreate(someStore, 'a', large);
  expect(large).toHaveBeenCalledTimes(4);
});

test('a store changed by another process is seen after a moment, one changed by this process at once', async () => {
  const change = () => shop.db.updateTable('stores').set({ theme: '{}' }).where('id', '=', store).execute();
  const versionIn = async (stores: Stores) => (await stores.findById(store))?.version ?? 0;
  const [slow, quick] = [new Stores(shop.db, 600_000), new Stores(shop.db, 20)];
  const before = await versionIn(slow);
  expect(await versionIn(quick)).toBe(before);
  await change();
  expect(await versionIn(slow)).toBe(before);
  slow.clearCache();
  expect(await versionIn(slow)).toBe(before + 1);
  await expect.poll(() => versionIn(quick)).toBe(before + 1);
});

const fetchEncoded = (url: string, encodings?: string) =>
  shop.app.inject({ url: `/api${url}`, headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });

test('a shared response is compressed for clients that accept it, a customer’s own never', async () => {
  const list = `/titles?shelfid=${store}`;
  const plain = await fetchEncoded(list);
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding, Accept-Language' });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  const packed = await fetchEncoded(list, 'br;q=1, gzip;q=0.8');
  expect(packed.headers).toMatchObject({ vary: 'Accept-Encoding, Accept-Language', 'content-encoding': 'gzip' });
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
  expect(packed.rawPayload.length).toBeLessThan(plain.body.length / 2);
  expect((await fetchEncoded(list, 'gzip;q=0')).body).toBe(plain.body);
  const { query } = await createCustomer(shop, store);
  for (const encodings of ['gzip', 'br', 'gzip, br']) {
    const own = await fetchEncoded(`/user/purchases?shelfid=${store}&accesstoken=${query.accesstoken}`, encodings);
    expect(own.headers).not.toHaveProperty('content-encoding');
  }
});

test('a response that is requested again is sent with Brotli, to clients that accept it', async () => {
  const list = `/titles?shelfid=${store}&pagesize=7`;
  const first = await fetchEncoded(list, 'gzip, br');
  expect(first.headers['content-encoding']).toBe('gzip');
  const encodingOf = async () => (await fetchEncoded(list, 'gzip, deflate, br')).headers['content-encoding'];
  await expect.poll(encodingOf).toBe('br');
  const better = await fetchEncoded(list, 'gzip, br');
  expect(brotliDecompressSync(better.rawPayload).toString()).toBe(gunzipSync(first.rawPayload).toString());
  expect(better.rawPayload.length).toBeLessThan(first.rawPayload.length);
  expect((await fetchEncoded(list, 'gzip')).headers['content-encoding']).toBe('gzip');
  expect((await fetchEncoded(list, 'gzip, br;q=0')).headers['content-encoding']).toBe('gzip');
});

const measureBuffer = ({ buffer, length }: Buffer) => ({ bytes: length, memory: buffer.byteLength });
const hasExactMemory = ({ bytes, memory }: ReturnType<typeof measureBuffer>) => bytes === memory;

test('a cached response and its compressed forms take no memory besides their bytes', async () => {
  const answers = new SharedAnswerCache(1_000_000, new PriorityGate());
  // Node allocates a buffer of this length from a pool.
  const made = Buffer.from('An answer. '.repeat(200));
  expect(hasExactMemory(measureBuffer(made))).toBe(false);
  const kept = await answers.getOrCreate(someStore, 'short', async () => ({ ...makeAnswer(200), body: made }));
  expect(kept.body.equals(made)).toBe(true);
  const app = Fastify();
  const sending = new Map<unknown, Buffer>();
  app.addHook(
    'onSend',
    async (_request, reply, payload) => void sending.set(reply.getHeader('content-encoding'), payload as Buffer),
  );
  app.get('/', (request, reply) => sendSharedAnswer(request, reply, kept));
  const ask = async () =>
    (await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })).headers['content-encoding'];
  expect(await ask()).toBe('gzip');
  await expect.poll(ask).toBe('br');
  await app.close();
  expect(
    [kept.body, sending.get('gzip'), sending.get('br')].map((bytes) => bytes && hasExactMemory(measureBuffer(bytes))),
  ).toEqual([true, true, true]);
});
