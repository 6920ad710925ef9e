import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { mediaRoutes } from '../../../server/publication/routes.ts';
import { bookPolicy } from '../../../server/publication/policies.ts';
import { createFolder } from './support/books.ts';
import { container, packageDocument, page } from './support/pieces.ts';
import { type ZipPart, zip } from './support/zip.ts';

/** Text that compresses, though not as far as a hostile book would. */
const repeatWords = (count: number): string =>
  Array.from({ length: count }, (_, nth) => `more${(nth * nth * 7919) % 9973}`).join(' ');
const LONG_TEXT = repeatWords(1000);
/** Larger than the limit up to which a file is read at once. */
const LONG_STYLE = `/* ${repeatWords(300_000)} */`;
const PARAGRAPH = `<p>${LONG_TEXT}</p>`;
const FONT = Buffer.from(`OTTO${LONG_TEXT}`);
const UID = 'urn:test:1';

/** The font as stored in an EPUB with obfuscated fonts. */
function obfuscatedFont(): ZipPart {
  const key = createHash('sha1').update(UID).digest();
  return {
    name: 'OPS/hidden.otf',
    content: Buffer.from(FONT.map((byte, at) => (at < 1040 ? byte ^ (key[at % key.length] ?? 0) : byte))),
  };
}

const encryption: ZipPart = {
  name: 'META-INF/encryption.xml',
  content:
    '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/>' +
    '<CipherData><CipherReference URI="OPS/hidden.otf"/></CipherData></EncryptedData></encryption>',
};

const chapters = Array.from({ length: 40 }, (_, nth) => `c${nth}.xhtml`);

const book = (): Buffer =>
  zip([
    container,
    packageDocument({
      manifest: `<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>${chapters
        .map((name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`)
        .join('')}`,
      spine: chapters.map((name) => `<itemref idref="${name}"/>`).join(''),
    }),
    page('one.xhtml', PARAGRAPH),
    ...chapters.map((name) => page(name)),
    // An entity unknown to XML: the page is sent as HTML.
    page('loose.xhtml', `${PARAGRAPH}&nbsp;`),
    { name: 'OPS/style.css', content: `/* ${LONG_TEXT} */` },
    { name: 'OPS/long.css', content: LONG_STYLE },
    { name: 'OPS/toc.ncx', content: `<ncx><docTitle><text>${LONG_TEXT}</text></docTitle></ncx>` },
    { name: 'OPS/drawing.svg', content: `<svg xmlns="http://www.w3.org/2000/svg"><text>${LONG_TEXT}</text></svg>` },
    { name: 'OPS/font.otf', content: FONT },
    { name: 'OPS/short.css', content: 'p { margin: 0 }' },
    { name: 'OPS/picture.jpg', content: LONG_TEXT },
    encryption,
    obfuscatedFont(),
  ]);

async function startMediaServer(): Promise<{ app: FastifyInstance; folder: string }> {
  const folder = await createFolder({ 'book.epub': book(), 'film.en.vtt': `WEBVTT\n\n${LONG_TEXT}`, 'track.mp3': LONG_TEXT });
  await mkdir(join(folder, 'play'));
  await writeFile(join(folder, 'play', 'index.html'), `<!doctype html>${PARAGRAPH}`);
  await writeFile(join(folder, 'play', 'story.js'), `/* ${LONG_TEXT} */`);
  await writeFile(join(folder, 'play', 'story.json'), JSON.stringify(LONG_TEXT));
  const app = fastify();
  await app.register(mediaRoutes, { verify: (_, file) => ({ folder, path: file === 'play' ? 'play/' : file }) });
  onTestFinished(() => app.close());
  return { app, folder };
}

const fetcherFor =
  (app: FastifyInstance) =>
  (name: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url: `/media/a.token/${name}`, headers });

const resources = [
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

test.each(resources)('%s is compressed for clients that accept it, and not sent to a client that has it cached', async (name) => {
  const ask = fetcherFor((await startMediaServer()).app);
  const plain = await ask(name);
  expect([plain.statusCode, plain.headers['content-encoding'], plain.headers.vary]).toEqual([200, undefined, 'Accept-Encoding']);
  expect(plain.headers['content-length']).toBe(String(plain.rawPayload.length));

  const packed = await ask(name, { 'accept-encoding': 'gzip, br' });
  expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
  expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
  expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length * 0.7);
  const etag = String(packed.headers.etag);
  expect(etag).toMatch(/^W\/"[^"]+"$/);
  expect(String(plain.headers.etag).replace(/^W\//, '')).toBe(etag.slice(2));

  const secured = {
    'content-security-policy': plain.headers['content-security-policy'],
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, max-age=20',
    vary: 'Accept-Encoding',
    etag,
  };
  expect(packed.headers).toMatchObject(secured);
  for (const known of [etag, `"other", ${etag}`, String(plain.headers.etag)]) {
    const again = await ask(name, { 'accept-encoding': 'gzip, br', 'if-none-match': known });
    expect([again.statusCode, again.body, again.headers['content-encoding']]).toEqual([304, '', undefined]);
    expect(again.headers).toMatchObject(known === etag ? secured : { ...secured, etag: expect.any(String) as string });
  }
  expect((await ask(name, { 'accept-encoding': 'gzip, br', 'if-none-match': '"other"' })).statusCode).toBe(200);

  const head = await ask(name, { 'accept-encoding': 'gzip, br' }, 'HEAD');
  expect([head.statusCode, head.body]).toEqual([200, '']);
  expect(head.headers).toMatchObject(secured);
  expect(head.headers['content-length']).not.toBe(plain.headers['content-length']);
});

test('a text that is requested again is sent with Brotli', async () => {
  const ask = fetcherFor((await startMediaServer()).app);
  const name = 'book.epub/OPS/one.xhtml';
  const plain = await ask(name);
  const answer = () => ask(name, { 'accept-encoding': 'gzip, deflate, br' });
  await expect.poll(async () => (await answer()).headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync((await answer()).rawPayload).toString()).toBe(plain.body);
  expect((await ask(name, { 'accept-encoding': 'gzip;q=0, br;q=0' })).body).toBe(plain.body);
});

test('pictures, sounds and files that fit in one packet are not compressed', async () => {
  const ask = fetcherFor((await startMediaServer()).app);
  for (const name of ['book.epub/OPS/picture.jpg', 'track.mp3', 'book.epub/OPS/short.css']) {
    const { headers, rawPayload } = await ask(name, { 'accept-encoding': 'gzip, br' });
    expect([headers['content-encoding'], headers['content-length']]).toEqual([undefined, String(rawPayload.length)]);
  }
});

test.each(['book.epub/OPS/style.css', 'book.epub/OPS/picture.jpg', 'track.mp3', 'play/story.js'])(
  'a range of %s is sent uncompressed',
  async (name) => {
    const ask = fetcherFor((await startMediaServer()).app);
    const whole = await ask(name);
    const part = await ask(name, { 'accept-encoding': 'gzip, br', range: 'bytes=10-2999' });
    expect([part.statusCode, part.headers['content-encoding'], part.headers['content-range']]).toEqual([
      206,
      undefined,
      `bytes 10-2999/${whole.rawPayload.length}`,
    ]);
    expect(part.body).toBe(whole.body.slice(10, 3000));
  },
);

test('the entity tag of a compressed response gets no range of the file', async () => {
  const ask = fetcherFor((await startMediaServer()).app);
  const name = 'book.epub/OPS/style.css';
  const { headers } = await ask(name, { 'accept-encoding': 'gzip' });
  const part = await ask(name, { range: 'bytes=10-20', 'if-range': String(headers.etag) });
  expect(part.statusCode).toBe(200);
});

test('a replaced file is sent with its new content', async () => {
  const { app, folder } = await startMediaServer();
  const ask = fetcherFor(app);
  const text = async (name: string) => gunzipSync((await ask(name, { 'accept-encoding': 'gzip' })).rawPayload).toString();
  const names = ['play/story.js', 'play/index.html'];
  const before = await Promise.all(names.map(text));
  for (const name of names) {
    const path = join(folder, name);
    await writeFile(path, LONG_TEXT.replaceAll('more', 'less'));
    await utimes(path, 1, 1);
  }
  const after = await Promise.all(names.map(text));
  expect(before.every((each) => each.includes('more'))).toBe(true);
  expect(after.every((each) => each.includes('less'))).toBe(true);
});

test('an unreadable file is refused without the entity tag and encoding of its content', async () => {
  const { app, folder } = await startMediaServer();
  const broken = book();
  // After the local header of the obfuscated font, which is read while it is sent.
  const at = broken.indexOf('OPS/hidden.otf') + 'OPS/hidden.otf'.length;
  broken.fill(0xff, at, at + 40);
  await writeFile(join(folder, 'book.epub'), broken);
  const { statusCode, headers } = await fetcherFor(app)('book.epub/OPS/hidden.otf', { 'accept-encoding': 'gzip' });
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-security-policy': bookPolicy });
  expect([headers.etag, headers['content-encoding']]).toEqual([undefined, undefined]);
});
