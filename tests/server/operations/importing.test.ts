import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PIECE } from '../../../server/importing/title-files.ts';
import { openShop, type Shop } from '../support/shop.ts';

const ADMIN_TOKEN = 'a token of the tests, long enough';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: ADMIN_TOKEN } });
  store = await shop.store();
});
afterAll(() => shop.close());

const own = { authorization: `Bearer ${ADMIN_TOKEN}` };
const nameOf = (bytes: Buffer, use = 'book', ending = 'epub') =>
  `${use}-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${ending}`;
const pathOf = (name: string, size: number, title = 't1') =>
  `/admin/stores/${store}/titles/${title}/files/${encodeURIComponent(name)}?size=${size}`;
const put = (
  name: string,
  size: number,
  at: number | string,
  bytes: Buffer,
  headers: Record<string, string> = own,
  title = 't1',
) =>
  shop.app.inject({
    method: 'PUT',
    url: `${pathOf(name, size, title)}&at=${at}`,
    headers: { 'content-type': 'application/octet-stream', ...headers },
    payload: bytes,
  });
const have = async (name: string, size: number) =>
  (await shop.app.inject({ url: pathOf(name, size), headers: own })).json<{ have: number }>().have;
const save = (title: object, more: object = {}) =>
  shop.app.inject({ method: 'POST', url: '/admin/operations/titles/save', headers: own, payload: { store, title, ...more } });

test('a file comes in pieces, and goes on where it was broken off', async () => {
  const bytes = randomBytes(PIECE + 1000);
  const name = nameOf(bytes);
  expect(await have(name, bytes.length)).toBe(0);
  expect((await put(name, bytes.length, 0, bytes.subarray(0, 500))).json()).toEqual({ have: 500 });
  expect(await have(name, bytes.length)).toBe(500);
  const twice = await put(name, bytes.length, 0, bytes.subarray(0, 500));
  expect([twice.statusCode, twice.json()]).toEqual([409, { have: 500 }]);
  await put(name, bytes.length, 500, bytes.subarray(500, 500 + PIECE));
  expect((await put(name, bytes.length, 500 + PIECE, bytes.subarray(500 + PIECE))).json()).toEqual({ have: bytes.length });
  expect(await readdir(join(shop.folder, 'titles', store, 't1'))).toEqual([name]);
  // Who sends it again is told that all of it is there.
  expect((await put(name, bytes.length, 0, bytes.subarray(0, 500))).json()).toEqual({ have: bytes.length });
});

test('other bytes than the name says are thrown away', async () => {
  const bytes = randomBytes(100);
  const name = nameOf(randomBytes(100));
  const answer = await put(name, 100, 0, bytes);
  expect([answer.statusCode, answer.json()]).toMatchObject([
    400,
    { error: expect.stringContaining('is not that file') as string },
  ]);
  expect(await have(name, 100)).toBe(0);
});

test.each([
  ['more than its size', () => put(nameOf(Buffer.from('a')), 1, 0, Buffer.from('ab')), 400],
  ['a piece that is too large', () => put(nameOf(Buffer.from('b')), 2 * PIECE, 0, Buffer.alloc(PIECE + 1)), 413],
  ['no place', () => put(nameOf(Buffer.from('c')), 1, 'x', Buffer.from('c')), 400],
  ['no bytes', () => shop.app.inject({ method: 'PUT', url: `${pathOf(nameOf(Buffer.from('d')), 1)}&at=0`, headers: own }), 400],
  ['another name', () => put('../../../etc/passwd', 1, 0, Buffer.from('x')), 400],
  ['a name without its hash', () => put('book.epub', 1, 0, Buffer.from('x')), 400],
  ['another title', () => put(nameOf(Buffer.from('x')), 1, 0, Buffer.from('x'), own, '..%2F..%2Fx'), 400],
  ['more than a film has', () => put(nameOf(Buffer.from('x')), 2 ** 40, 0, Buffer.from('x')), 400],
  ['no token', () => put(nameOf(Buffer.from('x')), 1, 0, Buffer.from('x'), { authorization: '' }), 401],
  ['another token', () => put(nameOf(Buffer.from('x')), 1, 0, Buffer.from('x'), { authorization: 'Bearer x' }), 401],
])('%s is refused', async (_, send, status) => {
  const answer = await send();
  expect(answer.statusCode).toBe(status);
  expect(answer.json<{ error: string }>().error).toMatch(/\w/);
});

const bytes = Buffer.from('no book, and never opened');
const file = nameOf(bytes);
const title = {
  keys: ['isbn:9783161484100'],
  medium: 'epub',
  name: 'By hand',
  isbn13: '9783161484100',
  items: [{ id: '1', name: 'By hand', file, mimeType: 'application/epub+zip' }],
  files: [{ name: file, size: bytes.length }],
};

test('a title is taken when its files are there, and its ISBN says which title it is', async () => {
  const early = await save(title);
  expect([early.statusCode, early.json<{ error: string }>().error]).toEqual([400, expect.stringContaining('has not come yet')]);
  await put(file, bytes.length, 0, bytes, own, '9783161484100');
  expect((await save(title)).json()).toEqual({ rows: [{ title: '9783161484100', outcome: 'new' }] });
  expect((await save({ ...title, keys: ['id:another'] })).json()).toEqual({
    rows: [{ title: '9783161484100', outcome: 'unchanged' }],
  });
  const known = { ...title, keys: ['isbn:9780306406157'], isbn13: '9780306406157' };
  await put(file, bytes.length, 0, bytes, own, 'book');
  // The store has that ISBN already, under an id of its own.
  expect((await save(known)).json()).toEqual({ rows: [{ title: 'book', outcome: 'changed' }] });
});

test.each([
  [{ ...title, name: '' }, /name/],
  [{ ...title, name: 'a\u0000b' }, /name/],
  [{ ...title, keys: [] }, /keys/],
  [{ ...title, isbn13: '9783161484101' }, /isbn13/],
  [{ ...title, medium: 'interactive' }, /medium/],
  [{ ...title, publishedOn: 'soon' }, /publishedOn/],
  [{ ...title, language: 'english!' }, /language/],
  [{ ...title, prices: [{ amount: -1, currency: 'EUR' }] }, /prices\.0\.amount/],
  [{ ...title, items: [{ ...title.items[0], file: '../x' }] }, /items\.0\.file/],
  [{ ...title, items: [{ ...title.items[0], mimeType: 'text/html' }] }, /items\.0\.mimeType/],
  [{ ...title, files: [] }, /is not among its files/],
  [{ ...title, sample: title.items }, /files of a sample/],
  [{ ...title, strange: 1 }, /strange/],
  [undefined, /cannot be taken/],
])('%# what is no title is refused, and says which part', async (given, says) => {
  const answer = await save(given as object);
  expect(answer.statusCode).toBe(400);
  expect(answer.json<{ error: string }>().error).toMatch(says);
});
