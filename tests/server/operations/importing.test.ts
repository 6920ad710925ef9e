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
const makeStoredName = (bytes: Buffer, use = 'book', extension = 'epub') =>
  `${use}-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${extension}`;
const toUploadPath = (name: string, size: number, title = 't1') =>
  `/admin/stores/${store}/titles/${title}/files/${encodeURIComponent(name)}?size=${size}`;
const uploadPart = (
  name: string,
  size: number,
  offset: number | string,
  bytes: Buffer,
  headers: Record<string, string> = adminHeaders,
  title = 't1',
) =>
  shop.app.inject({
    method: 'PUT',
    url: `${toUploadPath(name, size, title)}&at=${offset}`,
    headers: { 'content-type': 'application/octet-stream', ...headers },
    payload: bytes,
  });
const readReceivedBytes = async (name: string, size: number) =>
  (await shop.app.inject({ url: toUploadPath(name, size), headers: adminHeaders })).json<{ have: number }>().have;
const saveTitle = (title: object, overrides: object = {}) =>
  shop.app.inject({
    method: 'POST',
    url: '/admin/operations/titles/save',
    headers: adminHeaders,
    payload: { store, title, ...overrides },
  });

test('a file is uploaded in pieces, and the upload resumes where it broke off', async () => {
  const bytes = randomBytes(CHUNK_BYTES + 1000);
  const name = makeStoredName(bytes);
  expect(await readReceivedBytes(name, bytes.length)).toBe(0);
  expect((await uploadPart(name, bytes.length, 0, bytes.subarray(0, 500))).json()).toEqual({ have: 500 });
  expect(await readReceivedBytes(name, bytes.length)).toBe(500);
  const repeatedResponse = await uploadPart(name, bytes.length, 0, bytes.subarray(0, 500));
  expect([repeatedResponse.statusCode, repeatedResponse.json()]).toEqual([409, { have: 500 }]);
  await uploadPart(name, bytes.length, 500, bytes.subarray(500, 500 + CHUNK_BYTES));
  expect((await uploadPart(name, bytes.length, 500 + CHUNK_BYTES, bytes.subarray(500 + CHUNK_BYTES))).json()).toEqual({
    have: bytes.length,
  });
  expect(await readdir(join(shop.folder, 'titles', store, 't1'))).toEqual([name]);
  // Another upload of the file returns the complete size.
  expect((await uploadPart(name, bytes.length, 0, bytes.subarray(0, 500))).json()).toEqual({ have: bytes.length });
});

test('an upload that does not match its hash is discarded', async () => {
  const bytes = randomBytes(100);
  const name = makeStoredName(randomBytes(100));
  const response = await uploadPart(name, 100, 0, bytes);
  expect([response.statusCode, response.json()]).toMatchObject([
    400,
    { error: expect.stringContaining('do not match the hash') as string },
  ]);
  expect(await readReceivedBytes(name, 100)).toBe(0);
});

test.each([
  ['more bytes than the stated size', () => uploadPart(makeStoredName(Buffer.from('a')), 1, 0, Buffer.from('ab')), 400],
  [
    'a piece that is too large',
    () => uploadPart(makeStoredName(Buffer.from('b')), 2 * CHUNK_BYTES, 0, Buffer.alloc(CHUNK_BYTES + 1)),
    413,
  ],
  ['an invalid offset', () => uploadPart(makeStoredName(Buffer.from('c')), 1, 'x', Buffer.from('c')), 400],
  [
    'no bytes',
    () =>
      shop.app.inject({ method: 'PUT', url: `${toUploadPath(makeStoredName(Buffer.from('d')), 1)}&at=0`, headers: adminHeaders }),
    400,
  ],
  ['a path as a name', () => uploadPart('../../../etc/passwd', 1, 0, Buffer.from('x')), 400],
  ['a name without its hash', () => uploadPart('book.epub', 1, 0, Buffer.from('x')), 400],
  [
    'a path as a title id',
    () => uploadPart(makeStoredName(Buffer.from('x')), 1, 0, Buffer.from('x'), adminHeaders, '..%2F..%2Fx'),
    400,
  ],
  ['a size above the limit', () => uploadPart(makeStoredName(Buffer.from('x')), 2 ** 40, 0, Buffer.from('x')), 400],
  ['no token', () => uploadPart(makeStoredName(Buffer.from('x')), 1, 0, Buffer.from('x'), { authorization: '' }), 401],
  [
    'a wrong token',
    () => uploadPart(makeStoredName(Buffer.from('x')), 1, 0, Buffer.from('x'), { authorization: 'Bearer x' }),
    401,
  ],
])('an upload with %s is refused', async (_, send, status) => {
  const response = await send();
  expect(response.statusCode).toBe(status);
  expect(response.json<{ error: string }>().error).toMatch(/\w/);
});

const bytes = Buffer.from('no book, and never opened');
const file = makeStoredName(bytes);
const title = {
  keys: ['isbn:9783161484100'],
  medium: 'epub',
  name: 'By hand',
  isbn13: '9783161484100',
  items: [{ id: '1', name: 'By hand', file, mimeType: 'application/epub+zip' }],
  files: [{ name: file, size: bytes.length }],
};

test('a title is saved once its files are uploaded, and its ISBN identifies it', async () => {
  const earlyResponse = await saveTitle(title);
  expect([earlyResponse.statusCode, earlyResponse.json<{ error: string }>().error]).toEqual([
    400,
    expect.stringContaining('has not been uploaded yet'),
  ]);
  await uploadPart(file, bytes.length, 0, bytes, adminHeaders, '9783161484100');
  expect((await saveTitle(title)).json()).toEqual({ rows: [{ title: '9783161484100', outcome: 'new' }] });
  expect((await saveTitle({ ...title, keys: ['id:another'] })).json()).toEqual({
    rows: [{ title: '9783161484100', outcome: 'unchanged' }],
  });
  const knownTitle = { ...title, keys: ['isbn:9780306406157'], isbn13: '9780306406157' };
  await uploadPart(file, bytes.length, 0, bytes, adminHeaders, 'book');
  // A title of the store has this ISBN already: the import keeps that title's id.
  expect((await saveTitle(knownTitle)).json()).toEqual({ rows: [{ title: 'book', outcome: 'changed' }] });
});

test.each([
  [/name/, { ...title, name: '' }],
  [/name/, { ...title, name: 'a\u0000b' }],
  [/keys/, { ...title, keys: [] }],
  [/isbn13/, { ...title, isbn13: '9783161484101' }],
  [/medium/, { ...title, medium: 'interactive' }],
  [/publishedOn/, { ...title, publishedOn: 'soon' }],
  [/language/, { ...title, language: 'english!' }],
  [/prices\.0\.amount/, { ...title, prices: [{ amount: -1, currency: 'EUR' }] }],
  [/items\.0\.file/, { ...title, items: [{ ...title.items[0], file: '../x' }] }],
  [/items\.0\.mimeType/, { ...title, items: [{ ...title.items[0], mimeType: 'text/html' }] }],
  [/is not among its files/, { ...title, files: [] }],
  [/names of sample files/, { ...title, sample: title.items }],
  [/strange/, { ...title, strange: 1 }],
  [/title is invalid/, undefined],
])('an invalid title is refused with a message that matches %s', async (message, input) => {
  const response = await saveTitle(input as object);
  expect(response.statusCode).toBe(400);
  expect(response.json<{ error: string }>().error).toMatch(message);
});
