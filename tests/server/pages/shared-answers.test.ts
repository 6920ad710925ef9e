import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sendShared, SharedAnswers } from '../../../server/stores/shared-answers.ts';
import { Stores } from '../../../server/stores/stores.ts';
import { Turns } from '../../../server/base/turns.ts';
import { customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const paths = ['/titles', '/titles/book', '/titles/book/related', '/categories', '/store/properties', '/theme', '/pages/about'];
const read = async (path: string, more = '') => (await shop.app.inject({ url: `/api${path}?shelfid=${store}${more}` })).body;
const readAll = () => Promise.all(paths.map((path) => read(path)));

/** Statements that the database is asked while `work` runs, but those that find the store. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const execute = vi.spyOn(shop.db.getExecutor(), 'executeQuery');
  await work();
  const asked = execute.mock.calls.filter(([{ sql }]) => !/from "stores" where "id" = /.test(sql)).length;
  execute.mockRestore();
  return asked;
}

test('what is the same for everybody is worked out once', async () => {
  expect(await statementsOf(readAll)).toBeGreaterThan(paths.length);
  expect(await statementsOf(readAll)).toBe(0);
  const { query } = await customerOf(shop, store);
  expect(await statementsOf(() => read('/titles', `&accesstoken=${query.accesstoken}`))).toBe(0);
});

test('many who ask for one thing at once share the work', async () => {
  await shop.db.updateTable('stores').set({ currency: 'EUR' }).where('id', '=', store).execute();
  const one = await statementsOf(() => read('/titles', '&search=quiet'));
  await shop.db.updateTable('stores').set({ currency: 'USD' }).where('id', '=', store).execute();
  expect(await statementsOf(() => Promise.all(Array.from({ length: 20 }, () => read('/titles', '&search=quiet'))))).toBe(one);
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
])('a change of %s shows at once', async (_what, path, change, shown) => {
  expect(await read(path)).not.toContain(shown);
  await change().execute();
  expect(await read(path)).toContain(shown);
});

test('what a customer alone may see is not kept for others', async () => {
  await shop.db
    .insertInto('pages')
    .values({ store_id: store, name: 'club', title: 'Club', html: 'hush', is_private: true })
    .execute();
  const { query } = await customerOf(shop, store);
  expect(await read('/pages/club', `&accesstoken=${query.accesstoken}`)).toContain('hush');
  expect(await read('/pages/club')).not.toContain('hush');
  expect(await read('/pages/club', `&accesstoken=${query.accesstoken}`)).toContain('hush');
});

const some = { id: 's', host: null, isDefault: false, currency: 'EUR', language: 'en' as const, appId: 'web', version: 1 };
const answerOf = (status: number, length = 10) => ({ status, contentType: 'text/plain', body: Buffer.alloc(length) });

test('failures and what is not found are not kept, and memory is bounded', async () => {
  const answers = new SharedAnswers(100_000, new Turns());
  const work = vi.fn(async () => answerOf(404));
  await answers.of(some, 'missing', work);
  await answers.of(some, 'missing', work);
  expect(work).toHaveBeenCalledTimes(2);
  await expect(answers.of(some, 'broken', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await answers.of(some, 'broken', async () => answerOf(200))).toMatchObject({ status: 200 });
  const large = vi.fn(async () => answerOf(200, 20_000));
  for (const what of ['a', 'b', 'c', 'a']) await answers.of(some, what, large);
  expect(large).toHaveBeenCalledTimes(4);
  await answers.of(some, 'a', large);
  expect(large).toHaveBeenCalledTimes(4);
});

test('a store that another process changes is seen after a moment, one of this process at once', async () => {
  const change = () => shop.db.updateTable('stores').set({ theme: '{}' }).where('id', '=', store).execute();
  const versionIn = async (stores: Stores) => (await stores.byId(store))?.version ?? 0;
  const [slow, quick] = [new Stores(shop.db, 600_000), new Stores(shop.db, 20)];
  const before = await versionIn(slow);
  expect(await versionIn(quick)).toBe(before);
  await change();
  expect(await versionIn(slow)).toBe(before);
  slow.forget();
  expect(await versionIn(slow)).toBe(before + 1);
  await expect.poll(() => versionIn(quick)).toBe(before + 1);
});

const sent = (url: string, encodings?: string) =>
  shop.app.inject({ url: `/api${url}`, headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });

test('an answer for everybody goes out compressed where it is taken, a customer’s own never', async () => {
  const list = `/titles?shelfid=${store}`;
  const plain = await sent(list);
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding, Accept-Language' });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  const packed = await sent(list, 'br;q=1, gzip;q=0.8');
  expect(packed.headers).toMatchObject({ vary: 'Accept-Encoding, Accept-Language', 'content-encoding': 'gzip' });
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
  expect(packed.rawPayload.length).toBeLessThan(plain.body.length / 2);
  expect((await sent(list, 'gzip;q=0')).body).toBe(plain.body);
  const { query } = await customerOf(shop, store);
  for (const encodings of ['gzip', 'br', 'gzip, br']) {
    const own = await sent(`/user/purchases?shelfid=${store}&accesstoken=${query.accesstoken}`, encodings);
    expect(own.headers).not.toHaveProperty('content-encoding');
  }
});

test('an answer that is asked for again goes out smaller still, to whoever takes it', async () => {
  const list = `/titles?shelfid=${store}&pagesize=7`;
  const first = await sent(list, 'gzip, br');
  expect(first.headers['content-encoding']).toBe('gzip');
  const encodingOf = async () => (await sent(list, 'gzip, deflate, br')).headers['content-encoding'];
  await expect.poll(encodingOf).toBe('br');
  const better = await sent(list, 'gzip, br');
  expect(brotliDecompressSync(better.rawPayload).toString()).toBe(gunzipSync(first.rawPayload).toString());
  expect(better.rawPayload.length).toBeLessThan(first.rawPayload.length);
  expect((await sent(list, 'gzip')).headers['content-encoding']).toBe('gzip');
  expect((await sent(list, 'gzip, br;q=0')).headers['content-encoding']).toBe('gzip');
});

const ownBytes = ({ buffer, length }: Buffer) => ({ bytes: length, memory: buffer.byteLength });
const takesItsLength = ({ bytes, memory }: ReturnType<typeof ownBytes>) => bytes === memory;

test('a kept answer and its compressed forms take no memory beside their bytes', async () => {
  const answers = new SharedAnswers(1_000_000, new Turns());
  // Node cuts a buffer of this length out of a pool.
  const made = Buffer.from('An answer. '.repeat(200));
  expect(takesItsLength(ownBytes(made))).toBe(false);
  const kept = await answers.of(some, 'short', async () => ({ ...answerOf(200), body: made }));
  expect(kept.body.equals(made)).toBe(true);
  const app = Fastify();
  const sending = new Map<unknown, Buffer>();
  app.addHook(
    'onSend',
    async (_request, reply, payload) => void sending.set(reply.getHeader('content-encoding'), payload as Buffer),
  );
  app.get('/', (request, reply) => sendShared(request, reply, kept));
  const ask = async () =>
    (await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })).headers['content-encoding'];
  expect(await ask()).toBe('gzip');
  await expect.poll(ask).toBe('br');
  await app.close();
  expect([kept.body, sending.get('gzip'), sending.get('br')].map((bytes) => bytes && takesItsLength(ownBytes(bytes)))).toEqual([
    true,
    true,
    true,
  ]);
});
