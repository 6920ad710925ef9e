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
import { container, packageDocument, page, smallBook } from './support/pieces.ts';
import { zip, type ZipPart } from './support/zip.ts';

const secret = Buffer.alloc(32, 2);
const expires = Date.now() / 1000 + 3600;
const address = `/media/${sealGrant({ titleId: 't', storeId: 's', path: '', reader: null, expires }, secret)}`;

async function startMediaServer(books: Record<string, readonly ZipPart[]>, limits?: ThreadLimits) {
  const folder = await createFolder(Object.fromEntries(Object.entries(books).map(([name, pieces]) => [name, zip(pieces)])));
  const app = fastify();
  app.get('/alive', async () => 'yes');
  await app.register(mediaRoutes, {
    ...(limits === undefined ? {} : { limits }),
    verify: (token: string, file: string) => (openToken(token, secret) === null ? null : { folder, path: file }),
  });
  onTestFinished(() => app.close());
  return { app, folder };
}

const limits = (changed: Partial<ThreadLimits>): ThreadLimits => ({ time: 15_000, memory: 256, queue: 8, ...changed });

const fetchManifest = (app: FastifyInstance, book: string) => app.inject(`${address}/${book}/manifest.json`);

/** Longest block of the event loop during `work`, in ms. */
async function measureLongestBlock<Value>(work: () => Promise<Value>): Promise<{ value: Value; wait: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const value = await work();
  delay.disable();
  return { value, wait: delay.max / 1e6 };
}

const nestedPage = (levels: number): ZipPart => page('one.xhtml', `${'<p>'.repeat(levels)}Words.${'</p>'.repeat(levels)}`);

const chapters = (count: number): ZipPart[] => {
  const names = Array.from({ length: count }, (_, at) => `c${at}`);
  return [
    container,
    packageDocument({
      manifest: names.map((name) => `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>`).join(''),
      spine: names.map((name) => `<itemref idref="${name}"/>`).join(''),
    }),
    page('one.xhtml'),
    ...names.map((name) => page(`${name}.xhtml`)),
  ];
};

/** Stored uncompressed, since identical elements would exceed the allowed compression ratio. */
const bookWithElements = (count: number): ZipPart[] => [
  container,
  { ...packageDocument({ metadata: '<meta/>'.repeat(count) }), stored: true },
  page('one.xhtml'),
];

/** Each author causes a search through all the metadata. */
const bookWithAuthors = (count: number): ZipPart[] => {
  const authors = Array.from({ length: count }, (_, at) => `<dc:creator id="a${at}">A</dc:creator><meta refines="#b"/>`);
  return [container, packageDocument({ metadata: authors.join('') }), page('one.xhtml')];
};

test('a page nested 60,000 levels deep does not block the server, and is sent as HTML, which browsers flatten', async () => {
  const { app } = await startMediaServer({ 'deep.epub': [container, packageDocument(), nestedPage(60_000)] });
  const { value, wait } = await measureLongestBlock(() => app.inject(`${address}/deep.epub/OPS/one.xhtml`));
  expect([value.statusCode, value.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(wait).toBeLessThan(1_000);
});

test('a book of 8,000 chapters opens without blocking other requests', async () => {
  const { app } = await startMediaServer({ 'many.epub': chapters(8_000) });
  const { value, wait } = await measureLongestBlock(() => fetchManifest(app, 'many.epub'));
  expect(value.json<{ readingOrder: unknown[] }>().readingOrder).toHaveLength(8_001);
  expect(wait).toBeLessThan(1_000);
});

test('a book that takes too long is aborted with the reason, others open in the meantime, and it is not retried at once', async () => {
  const { app } = await startMediaServer(
    { 'slow.epub': bookWithAuthors(60_000), 'small.epub': smallBook() },
    limits({ time: 3_000 }),
  );
  const slow = fetchManifest(app, 'slow.epub');
  expect((await fetchManifest(app, 'small.epub')).statusCode).toBe(200);
  expect((await slow).json()).toMatchObject({ status: 503, code: 'busy', error: expect.stringMatching(/taking too long/) });
  const begun = performance.now();
  expect((await fetchManifest(app, 'slow.epub')).statusCode).toBe(503);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test('a book queued behind two slow ones opens', async () => {
  const books = { 'slow.epub': bookWithAuthors(60_000), 'slower.epub': bookWithAuthors(61_000), 'small.epub': smallBook() };
  const { app } = await startMediaServer(books, limits({ time: 2_000 }));
  const answers = await Promise.all(Object.keys(books).map((name) => fetchManifest(app, name)));
  expect(answers.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual([
    [503, '60'],
    [503, '60'],
    [200, undefined],
  ]);
});

test('a book refused because the queue is full can be opened later', async () => {
  const books = {
    'one.epub': bookWithAuthors(60_000),
    'two.epub': bookWithAuthors(61_000),
    'three.epub': bookWithAuthors(62_000),
  };
  const { app } = await startMediaServer(books, limits({ time: 2_000, queue: 0 }));
  const names = Object.keys(books);
  const answers = await Promise.all(names.map((name) => fetchManifest(app, name)));
  const waits = answers.map(({ headers }) => Number(headers['retry-after']));
  expect(waits.toSorted((a, b) => a - b)).toEqual([15, 60, 60]);
  const late = waits.indexOf(15);
  expect(answers[late]?.json()).toMatchObject({ status: 503, code: 'busy' });
  const again = await fetchManifest(app, names[late] ?? '');
  expect(again.headers['retry-after']).toBe('60');
});

test('a book that takes too much memory is refused with the reason, and the next one opens', async () => {
  const { app } = await startMediaServer(
    { 'heavy.epub': bookWithElements(200_000), 'small.epub': smallBook() },
    limits({ memory: 24 }),
  );
  expect((await fetchManifest(app, 'heavy.epub')).json()).toMatchObject({
    status: 422,
    code: 'book_too_large',
    error: 'reading it takes too much memory',
  });
  expect((await fetchManifest(app, 'small.epub')).statusCode).toBe(200);
});

test('a document with too many elements is refused', async () => {
  const { app } = await startMediaServer({ 'big.epub': bookWithElements(260_000) });
  expect((await fetchManifest(app, 'big.epub')).json()).toMatchObject({
    code: 'book_too_many',
    error: expect.stringMatching(/too many/),
  });
});

test('a refused book that was replaced opens at once', async () => {
  const { app, folder } = await startMediaServer({ 'book.epub': [container] });
  expect((await fetchManifest(app, 'book.epub')).statusCode).toBe(422);
  await writeFile(join(folder, 'book.epub'), zip(smallBook()));
  expect((await fetchManifest(app, 'book.epub')).statusCode).toBe(200);
});

test('a refusal is cached for a minute, then the book is read again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = await writeBook(smallBook());
  const read = vi.fn(async () => Promise.reject(new BrokenPublication('not today')));
  const books = new PublicationCache({ read, readPage: async () => Promise.reject(new Error('no page is requested here')) });
  for (const [seconds, times] of [
    [0, 1],
    [59, 1],
    [2, 2],
  ] as const) {
    vi.setSystemTime(Date.now() + seconds * 1_000);
    await expect(books.lease(file)).rejects.toThrow('not today');
    expect(read).toHaveBeenCalledTimes(times);
  }
});

const refreshTag = '<meta http-equiv="refresh" content="0; url=/"/>';

test('a page is prepared off the main thread, and its size and entity tag are those of the sent content', async () => {
  const spaces = page('one.xhtml', `<p>One<br>${refreshTag}<meta http-equiv=${' '.repeat(2 ** 20)}>`);
  const { app } = await startMediaServer({ 'book.epub': [container, packageDocument(), { ...spaces, stored: true }] });
  const url = `${address}/book.epub/OPS/one.xhtml`;
  const { value, wait } = await measureLongestBlock(() => app.inject({ url, headers: { range: 'bytes=0-9' } }));
  expect(wait).toBeLessThan(1_000);
  expect(value.body).not.toContain('http-equiv');
  expect([value.statusCode, value.headers['content-type'], Number(value.headers['content-length'])]).toEqual([
    200,
    'text/html; charset=utf-8',
    Buffer.from(spaces.content as string).length,
  ]);
  const again = await app.inject({ url, headers: { 'if-none-match': String(value.headers.etag) } });
  expect(again.statusCode).toBe(304);
});

test('a page disguised as an obfuscated font is refused', async () => {
  const masked = `<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/>
    <CipherReference URI="OPS/one.xhtml"/></EncryptedData></encryption>`;
  const book = [
    container,
    packageDocument(),
    page('one.xhtml', refreshTag),
    { name: 'META-INF/encryption.xml', content: masked },
  ];
  const { app } = await startMediaServer({ 'book.epub': book });
  expect((await app.inject(`${address}/book.epub/OPS/one.xhtml`)).json()).toMatchObject({ status: 422, code: 'book_protected' });
});
