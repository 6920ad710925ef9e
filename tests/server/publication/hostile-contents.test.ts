import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { PublicationCache } from '../../../server/publication/publication-cache.ts';
import { mediaRoutes } from '../../../server/publication/routes.ts';
import type { ThreadLimits } from '../../../server/base/limited-threads.ts';
import { sealGrant, openToken } from '../../../server/publication/media-token.ts';
import { writeBook, createFolder } from './support/books.ts';
import { container, createPackageDocument, createPage, createSmallBook } from './support/pieces.ts';
import { zip, type ZipEntryInput } from './support/zip.ts';

const secret = Buffer.alloc(32, 2);
const expires = Date.now() / 1000 + 3600;
const mediaUrl = `/media/${sealGrant({ titleId: 't', storeId: 's', path: '', reader: null, expires }, secret)}`;

async function startMediaServer(books: Record<string, readonly ZipEntryInput[]>, limits?: ThreadLimits) {
  const folder = await createFolder(Object.fromEntries(Object.entries(books).map(([name, entries]) => [name, zip(entries)])));
  const app = fastify();
  app.get('/alive', async () => 'yes');
  await app.register(mediaRoutes, {
    ...(limits === undefined ? {} : { limits }),
    verify: (token: string, file: string) => (openToken(token, secret) === null ? null : { folder, path: file }),
  });
  onTestFinished(() => app.close());
  return { app, folder };
}

const makeLimits = (overrides: Partial<ThreadLimits>): ThreadLimits => ({ time: 15_000, memory: 256, queue: 8, ...overrides });

const fetchManifest = (app: FastifyInstance, book: string) => app.inject(`${mediaUrl}/${book}/manifest.json`);

/** Measures the longest block of the event loop during `work`. */
async function measureLongestBlock<Value>(work: () => Promise<Value>): Promise<{ value: Value; longestBlockMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const value = await work();
  delay.disable();
  return { value, longestBlockMs: delay.max / 1e6 };
}

const createNestedPage = (levels: number): ZipEntryInput =>
  createPage('one.xhtml', `${'<p>'.repeat(levels)}Words.${'</p>'.repeat(levels)}`);

const createBookWithChapters = (count: number): ZipEntryInput[] => {
  const names = Array.from({ length: count }, (_, index) => `c${index}`);
  return [
    container,
    createPackageDocument({
      manifest: names.map((name) => `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>`).join(''),
      spine: names.map((name) => `<itemref idref="${name}"/>`).join(''),
    }),
    createPage('one.xhtml'),
    ...names.map((name) => createPage(`${name}.xhtml`)),
  ];
};

/**
 * Creates a book with many metadata elements. The package is stored uncompressed, since identical
 * elements would exceed the allowed compression ratio.
 */
const createBookWithElements = (count: number): ZipEntryInput[] => [
  container,
  { ...createPackageDocument({ metadata: '<meta/>'.repeat(count) }), stored: true },
  createPage('one.xhtml'),
];

/** Creates a book with many authors; each author causes a search through all the metadata. */
const createBookWithAuthors = (count: number): ZipEntryInput[] => {
  const authors = Array.from({ length: count }, (_, index) => `<dc:creator id="a${index}">A</dc:creator><meta refines="#b"/>`);
  return [container, createPackageDocument({ metadata: authors.join('') }), createPage('one.xhtml')];
};

test('a page nested 60,000 levels deep does not block the server, and is sent as HTML, which browsers flatten', async () => {
  const { app } = await startMediaServer({ 'deep.epub': [container, createPackageDocument(), createNestedPage(60_000)] });
  const { value, longestBlockMs } = await measureLongestBlock(() => app.inject(`${mediaUrl}/deep.epub/OPS/one.xhtml`));
  expect([value.statusCode, value.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(longestBlockMs).toBeLessThan(1_000);
});

test('a book of 8,000 chapters opens without blocking other requests', async () => {
  const { app } = await startMediaServer({ 'many.epub': createBookWithChapters(8_000) });
  const { value, longestBlockMs } = await measureLongestBlock(() => fetchManifest(app, 'many.epub'));
  expect(value.json<{ readingOrder: unknown[] }>().readingOrder).toHaveLength(8_001);
  expect(longestBlockMs).toBeLessThan(1_000);
});

test('reading a book that takes too long is aborted and not retried at once; other books open in the meantime', async () => {
  const { app } = await startMediaServer(
    { 'slow.epub': createBookWithAuthors(60_000), 'small.epub': createSmallBook() },
    makeLimits({ time: 3_000 }),
  );
  const slowRequest = fetchManifest(app, 'slow.epub');
  expect((await fetchManifest(app, 'small.epub')).statusCode).toBe(200);
  expect((await slowRequest).json()).toMatchObject({
    status: 503,
    code: 'busy',
    error: expect.stringMatching(/taking too long/),
  });
  const start = performance.now();
  expect((await fetchManifest(app, 'slow.epub')).statusCode).toBe(503);
  expect(performance.now() - start).toBeLessThan(1_000);
});

test('a book queued behind two slow ones opens', async () => {
  const books = {
    'slow.epub': createBookWithAuthors(60_000),
    'slower.epub': createBookWithAuthors(61_000),
    'small.epub': createSmallBook(),
  };
  const { app } = await startMediaServer(books, makeLimits({ time: 2_000 }));
  const responses = await Promise.all(Object.keys(books).map((name) => fetchManifest(app, name)));
  expect(responses.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual([
    [503, '60'],
    [503, '60'],
    [200, undefined],
  ]);
});

test('a book refused because the queue is full can be opened later', async () => {
  const books = {
    'one.epub': createBookWithAuthors(60_000),
    'two.epub': createBookWithAuthors(61_000),
    'three.epub': createBookWithAuthors(62_000),
  };
  const { app } = await startMediaServer(books, makeLimits({ time: 2_000, queue: 0 }));
  const names = Object.keys(books);
  const responses = await Promise.all(names.map((name) => fetchManifest(app, name)));
  const retryAfters = responses.map(({ headers }) => Number(headers['retry-after']));
  expect(retryAfters.toSorted((a, b) => a - b)).toEqual([15, 60, 60]);
  const refusedIndex = retryAfters.indexOf(15);
  expect(responses[refusedIndex]?.json()).toMatchObject({ status: 503, code: 'busy' });
  const secondResponse = await fetchManifest(app, names[refusedIndex] ?? '');
  expect(secondResponse.headers['retry-after']).toBe('60');
});

test('a book that takes too much memory is refused with the reason, and the next book opens', async () => {
  const { app } = await startMediaServer(
    { 'heavy.epub': createBookWithElements(200_000), 'small.epub': createSmallBook() },
    makeLimits({ memory: 24 }),
  );
  expect((await fetchManifest(app, 'heavy.epub')).json()).toMatchObject({
    status: 422,
    code: 'book_too_large',
    error: 'reading it takes too much memory',
  });
  expect((await fetchManifest(app, 'small.epub')).statusCode).toBe(200);
});

test('a document with too many elements is refused', async () => {
  const { app } = await startMediaServer({ 'big.epub': createBookWithElements(260_000) });
  expect((await fetchManifest(app, 'big.epub')).json()).toMatchObject({
    code: 'book_too_many',
    error: expect.stringMatching(/too many/),
  });
});

test('a refused book that was replaced opens at once', async () => {
  const { app, folder } = await startMediaServer({ 'book.epub': [container] });
  expect((await fetchManifest(app, 'book.epub')).statusCode).toBe(422);
  await writeFile(join(folder, 'book.epub'), zip(createSmallBook()));
  expect((await fetchManifest(app, 'book.epub')).statusCode).toBe(200);
});

test('a refusal is cached for a minute, then the book is read again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = await writeBook(createSmallBook());
  const read = vi.fn(async () => Promise.reject(new BrokenPublication('not today')));
  const books = new PublicationCache({ read, readPage: async () => Promise.reject(new Error('no page is requested here')) });
  for (const [seconds, readCount] of [
    [0, 1],
    [59, 1],
    [2, 2],
  ] as const) {
    vi.setSystemTime(Date.now() + seconds * 1_000);
    await expect(books.lease(file)).rejects.toThrow('not today');
    expect(read).toHaveBeenCalledTimes(readCount);
  }
});

const refreshTag = '<meta http-equiv="refresh" content="0; url=/"/>';

test('a page is prepared off the main thread, and its size and entity tag are those of the sent content', async () => {
  const pageWithSpaces = createPage('one.xhtml', `<p>One<br>${refreshTag}<meta http-equiv=${' '.repeat(2 ** 20)}>`);
  const { app } = await startMediaServer({
    'book.epub': [container, createPackageDocument(), { ...pageWithSpaces, stored: true }],
  });
  const url = `${mediaUrl}/book.epub/OPS/one.xhtml`;
  const { value, longestBlockMs } = await measureLongestBlock(() => app.inject({ url, headers: { range: 'bytes=0-9' } }));
  expect(longestBlockMs).toBeLessThan(1_000);
  expect(value.body).not.toContain('http-equiv');
  expect([value.statusCode, value.headers['content-type'], Number(value.headers['content-length'])]).toEqual([
    200,
    'text/html; charset=utf-8',
    Buffer.from(pageWithSpaces.content as string).length,
  ]);
  const repeat = await app.inject({ url, headers: { 'if-none-match': String(value.headers.etag) } });
  expect(repeat.statusCode).toBe(304);
});

test('a page disguised as an obfuscated font is refused', async () => {
  const encryptionXml = `<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/>
    <CipherReference URI="OPS/one.xhtml"/></EncryptedData></encryption>`;
  const book = [
    container,
    createPackageDocument(),
    createPage('one.xhtml', refreshTag),
    { name: 'META-INF/encryption.xml', content: encryptionXml },
  ];
  const { app } = await startMediaServer({ 'book.epub': book });
  expect((await app.inject(`${mediaUrl}/book.epub/OPS/one.xhtml`)).json()).toMatchObject({ status: 422, code: 'book_protected' });
});
