import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { PublicationCache } from '../../../server/publication/publication-cache.ts';
import { mediaRoutes } from '../../../server/publication/routes.ts';
import type { ThreadLimits } from '../../../server/publication/publication-threads.ts';
import { sign, verify } from '../../../server/publication/media-token.ts';
import { bookFile, folderWith } from './support/books.ts';
import { container, packageOf, page, smallBook } from './support/pieces.ts';
import { zip, type Piece } from './support/zip.ts';

const secret = Buffer.alloc(32, 2);
const expires = Date.now() / 1000 + 3600;
const address = `/media/${sign({ titleId: 't', storeId: 's', sample: false, expires }, secret)}`;

async function serverOf(books: Record<string, readonly Piece[]>, limits?: ThreadLimits) {
  const folder = await folderWith(Object.fromEntries(Object.entries(books).map(([name, pieces]) => [name, zip(pieces)])));
  const app = fastify();
  app.get('/alive', async () => 'yes');
  await app.register(mediaRoutes, {
    ...(limits === undefined ? {} : { limits }),
    verify: (token: string) => {
      const grant = verify(token, secret);
      return grant === null ? null : { folder, sample: grant.sample, titleId: grant.titleId };
    },
  });
  onTestFinished(() => app.close());
  return { app, folder };
}

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
  expect([value.statusCode, value.headers['content-type']]).toEqual([200, 'text/html']);
  expect(wait).toBeLessThan(1_000);
});

test('a book of 8,000 chapters opens, and others are answered meanwhile', async () => {
  const { app } = await serverOf({ 'many.epub': chapters(8_000) });
  const { value, wait } = await longestWait(() => manifestOf(app, 'many.epub'));
  expect(value.json<{ readingOrder: unknown[] }>().readingOrder).toHaveLength(8_001);
  expect(wait).toBeLessThan(1_000);
});

test('a book that takes too long is given up with the reason, others open meanwhile, and it is not read again at once', async () => {
  const { app } = await serverOf({ 'slow.epub': quadratic(60_000), 'small.epub': smallBook() }, { time: 3_000, memory: 256 });
  const slow = manifestOf(app, 'slow.epub');
  expect((await manifestOf(app, 'small.epub')).statusCode).toBe(200);
  expect((await slow).json()).toMatchObject({ status: 503, code: 'busy', error: expect.stringMatching(/takes too long/) });
  const begun = performance.now();
  expect((await manifestOf(app, 'slow.epub')).statusCode).toBe(503);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test('a book that takes too much memory is refused with the reason, and the next one opens', async () => {
  const { app } = await serverOf({ 'heavy.epub': elements(200_000), 'small.epub': smallBook() }, { time: 15_000, memory: 24 });
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
  const books = new PublicationCache({ read, checkPage: async () => ({ wellFormed: true, mayNavigate: false }) });
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
const sent: Record<string, [Piece, (body: string) => void]> = {
  'a refresh': [page('one.xhtml', refresh), (body) => expect(body).not.toContain('http-equiv')],
  'a refresh in disguise': [
    page('one.xhtml', '<x:meta xmlns:x="http://www.w3.org/1999/xhtml" http-equiv="&#114;efresh" content="0; url=/"/>'),
    (body) => expect(body).not.toContain('http-equiv'),
  ],
  'a refresh in a broken page': [
    page('one.xhtml', '<p>One<br><META content=">" HTTP-Equiv = refresh content="0; url=/">'),
    (body) => expect(body).not.toMatch(/http-equiv/i),
  ],
  'a refresh in letters of two bytes': [
    { name: 'OPS/one.xhtml', content: Buffer.from(`\ufeff<html><head>${refresh}</head></html>`, 'utf16le') },
    (body) => expect(body.replaceAll('\0', '')).not.toContain('http-equiv'),
  ],
  'its encoding': [
    page('one.xhtml', '<meta http-equiv="Content-Type" content="text/html; charset=utf-8"/>'),
    (body) => expect(body).toContain('http-equiv="Content-Type"'),
  ],
  'words about a refresh': [
    page('one.xhtml', '<p>&lt;meta http-equiv="refresh"&gt; leads away.</p>'),
    (body) => expect(body).toContain('&lt;meta http-equiv="refresh"&gt;'),
  ],
};

test.each(Object.entries(sent))('a page with %s leads nowhere by itself and says what it said', async (_, [piece, look]) => {
  const { app } = await serverOf({ 'book.epub': [container, packageOf(), piece] });
  const answer = await app.inject({ url: `${address}/book.epub/OPS/one.xhtml`, headers: { range: 'bytes=0-9' } });
  expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, Buffer.from(piece.content).length]);
  look(answer.rawPayload.toString('latin1'));
});

test('a page that hides behind the masks of fonts is refused', async () => {
  const masked = `<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/>
    <CipherReference URI="OPS/one.xhtml"/></EncryptedData></encryption>`;
  const book = [container, packageOf(), page('one.xhtml', refresh), { name: 'META-INF/encryption.xml', content: masked }];
  const { app } = await serverOf({ 'book.epub': book });
  expect((await app.inject(`${address}/book.epub/OPS/one.xhtml`)).json()).toMatchObject({ status: 422, code: 'book_protected' });
});
