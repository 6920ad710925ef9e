import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { PublicationCache } from '../../../server/publication/publication-cache.ts';
import { mediaRoutes } from '../../../server/publication/routes.ts';
import type { ThreadLimits } from '../../../server/base/limited-threads.ts';
import { sign, verify } from '../../../server/publication/media-token.ts';
import { bookFile, folderWith } from './support/books.ts';
import { container, packageOf, page, smallBook } from './support/pieces.ts';
import { zip, type Piece } from './support/zip.ts';

const secret = Buffer.alloc(32, 2);
const expires = Date.now() / 1000 + 3600;
const address = `/media/${sign({ titleId: 't', storeId: 's', path: '', reader: null, expires }, secret)}`;

async function serverOf(books: Record<string, readonly Piece[]>, limits?: ThreadLimits) {
  const folder = await folderWith(Object.fromEntries(Object.entries(books).map(([name, pieces]) => [name, zip(pieces)])));
  const app = fastify();
  app.get('/alive', async () => 'yes');
  await app.register(mediaRoutes, {
    ...(limits === undefined ? {} : { limits }),
    verify: (token: string, file: string) => (verify(token, secret) === null ? null : { folder, path: file }),
  });
  onTestFinished(() => app.close());
  return { app, folder };
}

const limits = (changed: Partial<ThreadLimits>): ThreadLimits => ({ time: 15_000, memory: 256, queue: 8, ...changed });

const manifestOf = (app: FastifyInstance, book: string) => app.inject(`${address}/${book}/manifest.json`);

/** Milliseconds for which nobody else was answered while something went on, at most. */
async function longestWait<Value>(work: () => Promise<Value>): Promise<{ value: Value; wait: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const value = await work();
  delay.disable();
  return { value, wait: delay.max / 1e6 };
}

const nested = (levels: number): Piece => page('one.xhtml', `${'<p>'.repeat(levels)}Words.${'</p>'.repeat(levels)}`);

const chapters = (count: number): Piece[] => {
  const names = Array.from({ length: count }, (_, at) => `c${at}`);
  return [
    container,
    packageOf({
      manifest: names.map((name) => `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>`).join(''),
      spine: names.map((name) => `<itemref idref="${name}"/>`).join(''),
    }),
    page('one.xhtml'),
    ...names.map((name) => page(`${name}.xhtml`)),
  ];
};

/** Stored as they are, since elements that are all alike pack absurdly well. */
const elements = (count: number): Piece[] => [
  container,
  { ...packageOf({ metadata: '<meta/>'.repeat(count) }), stored: true },
  page('one.xhtml'),
];

/** Each of its authors is looked for in all of its metadata. */
const quadratic = (count: number): Piece[] => {
  const authors = Array.from({ length: count }, (_, at) => `<dc:creator id="a${at}">A</dc:creator><meta refines="#b"/>`);
  return [container, packageOf({ metadata: authors.join('') }), page('one.xhtml')];
};

test('a page of 60,000 levels keeps nobody waiting, and comes as HTML, which browsers flatten', async () => {
  const { app } = await serverOf({ 'deep.epub': [container, packageOf(), nested(60_000)] });
  const { value, wait } = await longestWait(() => app.inject(`${address}/deep.epub/OPS/one.xhtml`));
  expect([value.statusCode, value.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(wait).toBeLessThan(1_000);
});

test('a book of 8,000 chapters opens, and others are answered meanwhile', async () => {
  const { app } = await serverOf({ 'many.epub': chapters(8_000) });
  const { value, wait } = await longestWait(() => manifestOf(app, 'many.epub'));
  expect(value.json<{ readingOrder: unknown[] }>().readingOrder).toHaveLength(8_001);
  expect(wait).toBeLessThan(1_000);
});

test('a book that takes too long is given up with the reason, others open meanwhile, and it is not read again at once', async () => {
  const { app } = await serverOf({ 'slow.epub': quadratic(60_000), 'small.epub': smallBook() }, limits({ time: 3_000 }));
  const slow = manifestOf(app, 'slow.epub');
  expect((await manifestOf(app, 'small.epub')).statusCode).toBe(200);
  expect((await slow).json()).toMatchObject({ status: 503, code: 'busy', error: expect.stringMatching(/taking too long/) });
  const begun = performance.now();
  expect((await manifestOf(app, 'slow.epub')).statusCode).toBe(503);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test('a book that waits behind two slow ones opens', async () => {
  const books = { 'slow.epub': quadratic(60_000), 'slower.epub': quadratic(61_000), 'small.epub': smallBook() };
  const { app } = await serverOf(books, limits({ time: 2_000 }));
  const answers = await Promise.all(Object.keys(books).map((name) => manifestOf(app, name)));
  expect(answers.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual([
    [503, '60'],
    [503, '60'],
    [200, undefined],
  ]);
});

test('a book for which there is no room in the queue is not held against it', async () => {
  const books = { 'one.epub': quadratic(60_000), 'two.epub': quadratic(61_000), 'three.epub': quadratic(62_000) };
  const { app } = await serverOf(books, limits({ time: 2_000, queue: 0 }));
  const names = Object.keys(books);
  const answers = await Promise.all(names.map((name) => manifestOf(app, name)));
  const waits = answers.map(({ headers }) => Number(headers['retry-after']));
  expect(waits.toSorted((a, b) => a - b)).toEqual([15, 60, 60]);
  const late = waits.indexOf(15);
  expect(answers[late]?.json()).toMatchObject({ status: 503, code: 'busy' });
  const again = await manifestOf(app, names[late] ?? '');
  expect(again.headers['retry-after']).toBe('60');
});

test('a book that takes too much memory is refused with the reason, and the next one opens', async () => {
  const { app } = await serverOf({ 'heavy.epub': elements(200_000), 'small.epub': smallBook() }, limits({ memory: 24 }));
  expect((await manifestOf(app, 'heavy.epub')).json()).toMatchObject({
    status: 422,
    code: 'book_too_large',
    error: 'reading it takes too much memory',
  });
  expect((await manifestOf(app, 'small.epub')).statusCode).toBe(200);
});

test('a document of too many elements is refused', async () => {
  const { app } = await serverOf({ 'big.epub': elements(260_000) });
  expect((await manifestOf(app, 'big.epub')).json()).toMatchObject({
    code: 'book_too_many',
    error: expect.stringMatching(/too many/),
  });
});

test('a refused book that was replaced opens at once', async () => {
  const { app, folder } = await serverOf({ 'book.epub': [container] });
  expect((await manifestOf(app, 'book.epub')).statusCode).toBe(422);
  await writeFile(join(folder, 'book.epub'), zip(smallBook()));
  expect((await manifestOf(app, 'book.epub')).statusCode).toBe(200);
});

test('a refusal holds for a minute, after which the book is read again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = await bookFile(smallBook());
  const read = vi.fn(async () => Promise.reject(new BrokenPublication('not today')));
  const books = new PublicationCache({ read, readPage: async () => Promise.reject(new Error('no page is asked for')) });
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

const refresh = '<meta http-equiv="refresh" content="0; url=/"/>';

test('a page is prepared off the thread that answers, and its size and tag are of what is sent', async () => {
  const spaces = page('one.xhtml', `<p>One<br>${refresh}<meta http-equiv=${' '.repeat(2 ** 20)}>`);
  const { app } = await serverOf({ 'book.epub': [container, packageOf(), { ...spaces, stored: true }] });
  const url = `${address}/book.epub/OPS/one.xhtml`;
  const { value, wait } = await longestWait(() => app.inject({ url, headers: { range: 'bytes=0-9' } }));
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

test('a page that hides behind the masks of fonts is refused', async () => {
  const masked = `<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/>
    <CipherReference URI="OPS/one.xhtml"/></EncryptedData></encryption>`;
  const book = [container, packageOf(), page('one.xhtml', refresh), { name: 'META-INF/encryption.xml', content: masked }];
  const { app } = await serverOf({ 'book.epub': book });
  expect((await app.inject(`${address}/book.epub/OPS/one.xhtml`)).json()).toMatchObject({ status: 422, code: 'book_protected' });
});
