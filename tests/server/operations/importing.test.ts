import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHUNK_BYTES } from '../../../server/importing/title-files.ts';
import { openShop, type Shop } from '../support/shop.ts';

const ADMIN_TOKEN = 'a token of the tests, long enough';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: ADMIN_TOKEN } });
  store = await shop.store();
});
afterAll(() => shop.close());

const adminHeaders = { authorization: `Bearer ${ADMIN_TOKEN}` };
const storedName = (bytes: Buffer, use = 'book', ending = 'epub') =>
  `${use}-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${ending}`;
const uploadPath = (name: string, size: number, title = 't1') =>
  `/admin/stores/${store}/titles/${title}/files/${encodeURIComponent(name)}?size=${size}`;
const uploadPart = (
  name: string,
  size: number,
  at: number | string,
  bytes: Buffer,
  headers: Record<string, string> = adminHeaders,
  title = 't1',
) =>
  shop.app.inject({
    method: 'PUT',
    url: `${uploadPath(name, size, title)}&at=${at}`,
    headers: { 'content-type': 'application/octet-stream', ...headers },
    payload: bytes,
  });
const readReceivedBytes = async (name: string, size: number) =>
  (await shop.app.inject({ url: uploadPath(name, size), headers: adminHeaders })).json<{ have: number }>().have;
const saveTitle = (title: object, more: object = {}) =>
  shop.app.inject({
    method: 'POST',
    url: '/admin/operations/titles/save',
    headers: adminHeaders,
    payload: { store, title, ...more },
  });

test('a file is uploaded in pieces, and the upload resumes where it broke off', async () => {
  const bytes = randomBytes(CHUNK_BYTES + 1000);
  const name = storedName(bytes);
  expect(await readReceivedBytes(name, bytes.length)).toBe(0);
  expect((await uploadPart(name, bytes.length, 0, bytes.subarray(0, 500))).json()).toEqual({ have: 500 });
  expect(await readReceivedBytes(name, bytes.length)).toBe(500);
  const twice = await uploadPart(name, bytes.length, 0, bytes.subarray(0, 500));
  expect([twice.statusCode, twice.json()]).toEqual([409, { have: 500 }]);
  await uploadPart(name, bytes.length, 500, bytes.subarray(500, 500 + CHUNK_BYTES));
  expect((await uploadPart(name, bytes.length, 500 + CHUNK_BYTES, bytes.subarray(500 + CHUNK_BYTES))).json()).toEqual({
    have: bytes.length,
  });
  expect(await readdir(join(shop.folder, 'titles', store, 't1'))).toEqual([name]);
  // Sending it again returns the complete size.
  expect((await uploadPart(name, bytes.length, 0, bytes.subarray(0, 500))).json()).toEqual({ have: bytes.length });
});

test('an upload that does not match its hash is discarded', async () => {
  const bytes = randomBytes(100);
  const name = storedName(randomBytes(100));
  const answer = await uploadPart(name, 100, 0, bytes);
  expect([answer.statusCode, answer.json()]).toMatchObject([
    400,
    { error: expect.stringContaining('do not match the hash') as string },
  ]);
  expect(await readReceivedBytes(name, 100)).toBe(0);
});

test.each([
  ['more bytes than the stated size', () => uploadPart(storedName(Buffer.from('a')), 1, 0, Buffer.from('ab')), 400],
  [
    'a piece that is too large',
    () => uploadPart(storedName(Buffer.from('b')), 2 * CHUNK_BYTES, 0, Buffer.alloc(CHUNK_BYTES + 1)),
    413,
  ],
  ['an invalid offset', () => uploadPart(storedName(Buffer.from('c')), 1, 'x', Buffer.from('c')), 400],
  [
    'no bytes',
    () => shop.app.inject({ method: 'PUT', url: `${uploadPath(storedName(Buffer.from('d')), 1)}&at=0`, headers: adminHeaders }),
    400,
  ],
  ['a path as a name', () => uploadPart('../../../etc/passwd', 1, 0, Buffer.from('x')), 400],
  ['a name without its hash', () => uploadPart('book.epub', 1, 0, Buffer.from('x')), 400],
  [
    'a path as a title id',
    () => uploadPart(storedName(Buffer.from('x')), 1, 0, Buffer.from('x'), adminHeaders, '..%2F..%2Fx'),
    400,
  ],
  ['a size above the limit', () => uploadPart(storedName(Buffer.from('x')), 2 ** 40, 0, Buffer.from('x')), 400],
  ['no token', () => uploadPart(storedName(Buffer.from('x')), 1, 0, Buffer.from('x'), { authorization: '' }), 401],
  ['a wrong token', () => uploadPart(storedName(Buffer.from('x')), 1, 0, Buffer.from('x'), { authorization: 'Bearer x' }), 401],
])('%s is refused', async (_, send, status) => {
  const answer = await send();
  expect(answer.statusCode).toBe(status);
  expect(answer.json<{ error: string }>().error).toMatch(/\w/);
});

const bytes = Buffer.from('no book, and never opened');
const file = storedName(bytes);
const title = {
  keys: ['isbn:9783161484100'],
  medium: 'epub',
  name: 'By hand',
  isbn13: '9783161484100',
  items: [{ id: '1', name: 'By hand', file, mimeType: 'application/epub+zip' }],
  files: [{ name: file, size: bytes.length }],
};

test('a title is saved once its files are uploaded, and its ISBN identifies it', async () => {
  const early = await saveTitle(title);
  expect([early.statusCode, early.json<{ error: string }>().error]).toEqual([
    400,
    expect.stringContaining('has not been uploaded yet'),
  ]);
  await uploadPart(file, bytes.length, 0, bytes, adminHeaders, '9783161484100');
  expect((await saveTitle(title)).json()).toEqual({ rows: [{ title: '9783161484100', outcome: 'new' }] });
  expect((await saveTitle({ ...title, keys: ['id:another'] })).json()).toEqual({
    rows: [{ title: '9783161484100', outcome: 'unchanged' }],
  });
  const known = { ...title, keys: ['isbn:9780306406157'], isbn13: '9780306406157' };
  await uploadPart(file, bytes.length, 0, bytes, adminHeaders, 'book');
  // The store has that ISBN already, under its own id.
  expect((await saveTitle(known)).json()).toEqual({ rows: [{ title: 'book', outcome: 'changed' }] });
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
  [{ ...title, sample: title.items }, /names of sample files/],
  [{ ...title, strange: 1 }, /strange/],
  [undefined, /title is invalid/],
])('%# an invalid title is refused, with the field in the message', async (given, says) => {
  const answer = await saveTitle(given as object);
  expect(answer.statusCode).toBe(400);
  expect(answer.json<{ error: string }>().error).toMatch(says);
});
