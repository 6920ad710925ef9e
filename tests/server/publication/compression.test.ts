import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { mediaRoutes } from '../../../server/publication/routes.ts';
import { bookPolicy } from '../../../server/publication/policies.ts';
import { createFolder } from './support/books.ts';
import { container, createPackageDocument, createPage } from './support/pieces.ts';
import { type ZipEntryInput, zip } from './support/zip.ts';

/** Returns text that compresses, but less than the content of a zip bomb. */
const repeatWords = (count: number): string =>
  Array.from({ length: count }, (_, index) => `more${(index * index * 7919) % 9973}`).join(' ');
const LONG_TEXT = repeatWords(1000);
/** Larger than the largest file that is read into memory at once. */
const LONG_STYLE = `/* ${repeatWords(300_000)} */`;
const PARAGRAPH = `<p>${LONG_TEXT}</p>`;
const FONT = Buffer.from(`OTTO${LONG_TEXT}`);
const UID = 'urn:test:1';

/** Returns the font as an EPUB with obfuscated fonts stores it. */
function createObfuscatedFont(): ZipEntryInput {
  const key = createHash('sha1').update(UID).digest();
  return {
    name: 'OPS/hidden.otf',
    content: Buffer.from(FONT.map((byte, index) => (index < 1040 ? byte ^ (key[index % key.length] ?? 0) : byte))),
  };
}

const encryption: ZipEntryInput = {
  name: 'META-INF/encryption.xml',
  content:
    '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/>' +
    '<CipherData><CipherReference URI="OPS/hidden.otf"/></CipherData></EncryptedData></encryption>',
};

const chapters = Array.from({ length: 40 }, (_, index) => `c${index}.xhtml`);

const createBook = (): Buffer =>
  zip([
    container,
    createPackageDocument({
      manifest: `<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>${chapters
        .map((name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`)
        .join('')}`,
      spine: chapters.map((name) => `<itemref idref="${name}"/>`).join(''),
    }),
    createPage('one.xhtml', PARAGRAPH),
    ...chapters.map((name) => createPage(name)),
    // The entity is unknown to XML: the page is sent as HTML.
    createPage('loose.xhtml', `${PARAGRAPH}&nbsp;`),
    { name: 'OPS/style.css', content: `/* ${LONG_TEXT} */` },
    { name: 'OPS/long.css', content: LONG_STYLE },
    { name: 'OPS/toc.ncx', content: `<ncx><docTitle><text>${LONG_TEXT}</text></docTitle></ncx>` },
    { name: 'OPS/drawing.svg', content: `<svg xmlns="http://www.w3.org/2000/svg"><text>${LONG_TEXT}</text></svg>` },
    { name: 'OPS/font.otf', content: FONT },
    { name: 'OPS/short.css', content: 'p { margin: 0 }' },
    { name: 'OPS/picture.jpg', content: LONG_TEXT },
    encryption,
    createObfuscatedFont(),
  ]);

async function startMediaServer(): Promise<{ app: FastifyInstance; folder: string }> {
  const folder = await createFolder({
    'book.epub': createBook(),
    'film.en.vtt': `WEBVTT\n\n${LONG_TEXT}`,
    'track.mp3': LONG_TEXT,
  });
  await mkdir(join(folder, 'play'));
  await writeFile(join(folder, 'play', 'index.html'), `<!doctype html>${PARAGRAPH}`);
  await writeFile(join(folder, 'play', 'story.js'), `/* ${LONG_TEXT} */`);
  await writeFile(join(folder, 'play', 'story.json'), JSON.stringify(LONG_TEXT));
  const app = fastify();
  await app.register(mediaRoutes, { verify: (_, file) => ({ folder, path: file === 'play' ? 'play/' : file }) });
  onTestFinished(() => app.close());
  return { app, folder };
}

const createFetch =
  (app: FastifyInstance) =>
  (name: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url: `/media/a.token/${name}`, headers });

const compressedResources = [
  'book.epub/manifest.json',
  'book.epub/~positions.json',
  'book.epub/OPS/one.xhtml',
  'book.epub/OPS/loose.xhtml',
  'book.epub/OPS/style.css',
  'book.epub/OPS/long.css',
  'book.epub/OPS/toc.ncx',
  'book.epub/OPS/drawing.svg',
  'book.epub/OPS/font.otf',
  'book.epub/OPS/hidden.otf',
  'film.en.vtt',
  'play/index.html',
  'play/story.js',
  'play/story.json',
];

test.each(compressedResources)(
  '%s is compressed for clients that accept gzip, and a client with a cached copy gets 304',
  async (name) => {
    const fetchFile = createFetch((await startMediaServer()).app);
    const plainResponse = await fetchFile(name);
    expect([plainResponse.statusCode, plainResponse.headers['content-encoding'], plainResponse.headers.vary]).toEqual([
      200,
      undefined,
      'Accept-Encoding',
    ]);
    expect(plainResponse.headers['content-length']).toBe(String(plainResponse.rawPayload.length));

    const compressedResponse = await fetchFile(name, { 'accept-encoding': 'gzip, br' });
    expect([compressedResponse.headers['content-encoding'], compressedResponse.headers.vary]).toEqual([
      'gzip',
      'Accept-Encoding',
    ]);
    expect(compressedResponse.headers['content-type']).toBe(plainResponse.headers['content-type']);
    expect(gunzipSync(compressedResponse.rawPayload).equals(plainResponse.rawPayload)).toBe(true);
    expect(compressedResponse.rawPayload.length).toBeLessThan(plainResponse.rawPayload.length * 0.7);
    const etag = String(compressedResponse.headers.etag);
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    expect(String(plainResponse.headers.etag).replace(/^W\//, '')).toBe(etag.slice(2));

    const expectedHeaders = {
      'content-security-policy': plainResponse.headers['content-security-policy'],
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, max-age=20',
      vary: 'Accept-Encoding',
      etag,
    };
    expect(compressedResponse.headers).toMatchObject(expectedHeaders);
    for (const cachedEtags of [etag, `"other", ${etag}`, String(plainResponse.headers.etag)]) {
      const repeat = await fetchFile(name, { 'accept-encoding': 'gzip, br', 'if-none-match': cachedEtags });
      expect([repeat.statusCode, repeat.body, repeat.headers['content-encoding']]).toEqual([304, '', undefined]);
      expect(repeat.headers).toMatchObject(
        cachedEtags === etag ? expectedHeaders : { ...expectedHeaders, etag: expect.any(String) as string },
      );
    }
    expect((await fetchFile(name, { 'accept-encoding': 'gzip, br', 'if-none-match': '"other"' })).statusCode).toBe(200);

    const headResponse = await fetchFile(name, { 'accept-encoding': 'gzip, br' }, 'HEAD');
    expect([headResponse.statusCode, headResponse.body]).toEqual([200, '']);
    expect(headResponse.headers).toMatchObject(expectedHeaders);
    expect(headResponse.headers['content-length']).not.toBe(plainResponse.headers['content-length']);
  },
);

test('a text that is requested repeatedly is sent with Brotli', async () => {
  const fetchFile = createFetch((await startMediaServer()).app);
  const name = 'book.epub/OPS/one.xhtml';
  const plainResponse = await fetchFile(name);
  const fetchCompressed = () => fetchFile(name, { 'accept-encoding': 'gzip, deflate, br' });
  await expect.poll(async () => (await fetchCompressed()).headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync((await fetchCompressed()).rawPayload).toString()).toBe(plainResponse.body);
  expect((await fetchFile(name, { 'accept-encoding': 'gzip;q=0, br;q=0' })).body).toBe(plainResponse.body);
});

test('pictures, sounds and files that fit in one packet are not compressed', async () => {
  const fetchFile = createFetch((await startMediaServer()).app);
  for (const name of ['book.epub/OPS/picture.jpg', 'track.mp3', 'book.epub/OPS/short.css']) {
    const { headers, rawPayload } = await fetchFile(name, { 'accept-encoding': 'gzip, br' });
    expect([headers['content-encoding'], headers['content-length']]).toEqual([undefined, String(rawPayload.length)]);
  }
});

test.each(['book.epub/OPS/style.css', 'book.epub/OPS/picture.jpg', 'track.mp3', 'play/story.js'])(
  'a range of %s is sent uncompressed',
  async (name) => {
    const fetchFile = createFetch((await startMediaServer()).app);
    const wholeResponse = await fetchFile(name);
    const rangeResponse = await fetchFile(name, { 'accept-encoding': 'gzip, br', range: 'bytes=10-2999' });
    expect([rangeResponse.statusCode, rangeResponse.headers['content-encoding'], rangeResponse.headers['content-range']]).toEqual(
      [206, undefined, `bytes 10-2999/${wholeResponse.rawPayload.length}`],
    );
    expect(rangeResponse.body).toBe(wholeResponse.body.slice(10, 3000));
  },
);

test('a range request with the entity tag of a compressed response gets the whole file', async () => {
  const fetchFile = createFetch((await startMediaServer()).app);
  const name = 'book.epub/OPS/style.css';
  const { headers } = await fetchFile(name, { 'accept-encoding': 'gzip' });
  const response = await fetchFile(name, { range: 'bytes=10-20', 'if-range': String(headers.etag) });
  expect(response.statusCode).toBe(200);
});

test('a replaced file is sent with its new content', async () => {
  const { app, folder } = await startMediaServer();
  const fetchFile = createFetch(app);
  const readText = async (name: string) =>
    gunzipSync((await fetchFile(name, { 'accept-encoding': 'gzip' })).rawPayload).toString();
  const names = ['play/story.js', 'play/index.html'];
  const textsBefore = await Promise.all(names.map(readText));
  for (const name of names) {
    const path = join(folder, name);
    await writeFile(path, LONG_TEXT.replaceAll('more', 'less'));
    await utimes(path, 1, 1);
  }
  const textsAfter = await Promise.all(names.map(readText));
  expect(textsBefore.every((each) => each.includes('more'))).toBe(true);
  expect(textsAfter.every((each) => each.includes('less'))).toBe(true);
});

test('an unreadable file is refused without the entity tag and encoding of its content', async () => {
  const { app, folder } = await startMediaServer();
  const brokenBook = createBook();
  // The font's data follow its local header; they are read only while the font is sent.
  const dataStart = brokenBook.indexOf('OPS/hidden.otf') + 'OPS/hidden.otf'.length;
  brokenBook.fill(0xff, dataStart, dataStart + 40);
  await writeFile(join(folder, 'book.epub'), brokenBook);
  const { statusCode, headers } = await createFetch(app)('book.epub/OPS/hidden.otf', { 'accept-encoding': 'gzip' });
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-security-policy': bookPolicy });
  expect([headers.etag, headers['content-encoding']]).toEqual([undefined, undefined]);
});
