import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bookPolicy, createInteractivePolicy } from '../../../server/publication/policies.ts';
import { mediaRoutes, type OpenedMedia } from '../../../server/publication/routes.ts';
import { sealGrant, openToken } from '../../../server/publication/media-token.ts';
import { createFolder } from './support/books.ts';
import { createPage, createSmallBook } from './support/pieces.ts';
import { zip } from './support/zip.ts';

const secret = Buffer.alloc(32, 1);
const inAnHour = Date.now() / 1000 + 3600;
// With ids of the maximum length, a token exceeds the router's limit for parameters.
const createToken = (path = '', expires = inAnHour): string =>
  sealGrant({ titleId: '1'.repeat(40), storeId: 's'.repeat(40), path, reader: null, expires }, secret);
const mediaUrl = `/media/${createToken()}`;

async function startMediaServer(): Promise<{ app: FastifyInstance; folder: string }> {
  const folder = await createFolder({
    'book.epub': zip(createSmallBook(createPage('two words.xhtml'))),
    'sample.epub': zip(createSmallBook()),
    'bomb.epub': zip(createSmallBook({ name: 'OPS/bomb', content: Buffer.alloc(4 * 2 ** 20) })),
    'damaged.epub': damagedBook(),
    'track.mp3': Buffer.from('0123456789'),
    'sample.mp3': 'abc',
    'notes.txt': 'not media',
    'empty.vtt': '',
  });
  await mkdir(join(folder, 'play'));
  await writeFile(join(folder, 'play', 'index.html'), '<!doctype html><p>play</p>');
  await writeFile(join(folder, 'play', 'story.js'), 'go()');
  const app = fastify();
  app.get('/media/covers/:name', async () => 'cover');
  await app.register(mediaRoutes, {
    // In these tests, a token without a path opens any file.
    verify: (token: string, file: string) => {
      const grant = openToken(token, secret);
      return grant && { folder, path: grant.path || file };
    },
  });
  onTestFinished(() => app.close());
  return { app, folder };
}

/** Creates a book whose chapter does not match its checksum. */
function damagedBook(): Buffer {
  const book = zip(createSmallBook({ name: 'OPS/raw.xhtml', content: 'x'.repeat(50), stored: true }));
  book.fill('y', book.indexOf('xxxxx'), book.indexOf('xxxxx') + 5);
  return book;
}

test('a book is served as manifest, positions and files, each with its policy', async () => {
  const { app } = await startMediaServer();
  const manifest = await app.inject(`${mediaUrl}/book.epub/manifest.json`);
  expect([manifest.statusCode, manifest.headers['content-type']]).toEqual([200, 'application/webpub+json']);
  expect(manifest.json()).toMatchObject({ metadata: { title: 'A small book' }, readingOrder: [{ href: 'OPS/one.xhtml' }] });
  const positions = await app.inject(`${mediaUrl}/book.epub/~positions.json`);
  expect(positions.json()).toMatchObject({ total: 1 });
  const chapter = await app.inject(`${mediaUrl}/book.epub/OPS/two%20words.xhtml`);
  expect(chapter.body).toContain('Words.');
  for (const { headers } of [manifest, positions, chapter]) {
    expect(headers).toMatchObject({
      'content-security-policy': bookPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, max-age=20',
    });
  }
});

test('a file is sent whole or in ranges, and a client with a cached copy gets 304', async () => {
  const { app } = await startMediaServer();
  const wholeResponse = await app.inject(`${mediaUrl}/track.mp3`);
  expect([
    wholeResponse.statusCode,
    wholeResponse.body,
    wholeResponse.headers['accept-ranges'],
    wholeResponse.headers['content-type'],
  ]).toEqual([200, '0123456789', 'bytes', 'audio/mpeg']);
  const etag = String(wholeResponse.headers.etag);
  const fetchTrack = async (headers: Record<string, string>): Promise<unknown[]> => {
    const { statusCode, body, headers: responseHeaders } = await app.inject({ url: `${mediaUrl}/track.mp3`, headers });
    return [statusCode, body, responseHeaders['content-range']];
  };
  expect(await fetchTrack({ range: 'bytes=2-4' })).toEqual([206, '234', 'bytes 2-4/10']);
  expect(await fetchTrack({ range: 'bytes=7-' })).toEqual([206, '789', 'bytes 7-9/10']);
  expect(await fetchTrack({ range: 'bytes=-2' })).toEqual([206, '89', 'bytes 8-9/10']);
  expect(await fetchTrack({ range: 'bytes=5-500' })).toEqual([206, '56789', 'bytes 5-9/10']);
  expect(await fetchTrack({ range: 'bytes=10-' })).toMatchObject([416, expect.any(String), 'bytes */10']);
  expect((await fetchTrack({ range: 'bytes=1-2,4-5' }))[0]).toBe(200);
  expect((await fetchTrack({ range: 'lines=1-2' }))[0]).toBe(200);
  expect((await fetchTrack({ 'if-none-match': etag }))[0]).toBe(304);
  expect((await fetchTrack({ range: 'bytes=2-4', 'if-range': etag }))[0]).toBe(206);
  expect((await fetchTrack({ range: 'bytes=2-4', 'if-range': '"older"' }))[1]).toBe('0123456789');
  const headResponse = await app.inject({ method: 'HEAD', url: `${mediaUrl}/track.mp3`, headers: { range: 'bytes=2-4' } });
  expect([headResponse.statusCode, headResponse.body, headResponse.headers['content-length']]).toEqual([200, '', '10']);
  const rangeResponse = await app.inject({ url: `${mediaUrl}/book.epub/OPS/book.opf`, headers: { range: 'bytes=1-7' } });
  expect([rangeResponse.statusCode, rangeResponse.body]).toEqual([206, 'package']);
  expect((await app.inject(`${mediaUrl}/empty.vtt`)).statusCode).toBe(200);
});

test('a page of an interactive title has its own origin, and can load only its own files', async () => {
  const { app } = await startMediaServer();
  const folderUrl = `/media/${createToken('play/')}/play/`;
  const { headers, body } = await app.inject(`${folderUrl}index.html`);
  expect(headers['content-security-policy']).toBe(createInteractivePolicy(`http://localhost:80${folderUrl}`));
  expect(body).toMatch(/^<!doctype html><script>.*<\/script><p>play<\/p>$/s);
  const headResponse = await app.inject({ method: 'HEAD', url: `${folderUrl}index.html` });
  expect([headResponse.statusCode, headResponse.headers['content-length']]).toEqual([200, String(Buffer.byteLength(body))]);
  const repeat = await app.inject({ url: `${folderUrl}index.html`, headers: { 'if-none-match': String(headers.etag) } });
  expect(repeat.statusCode).toBe(304);
});

test('a Host header that could add to the policy of an interactive title is left out of the policy', async () => {
  const { app } = await startMediaServer();
  const { headers } = await app.inject({
    url: `/media/${createToken('play/')}/play/index.html`,
    headers: { host: 'a;default-src *' },
  });
  expect(headers['content-security-policy']).toBe(createInteractivePolicy("'none'"));
});

/**
 * Starts a server that sends a large file while `verify` allows it, and requests the file.
 * @returns the request, and the server's response
 */
async function requestFilm(verify: (folder: string) => Promise<OpenedMedia>) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const folder = await createFolder({ 'film.mp4': Buffer.alloc(32 * 2 ** 20) });
  const app = fastify({ forceCloseConnections: true });
  onTestFinished(async () => {
    vi.useRealTimers();
    await app.close();
  });
  const { promise: response, resolve } = Promise.withResolvers<ServerResponse>();
  app.addHook('onRequest', async (_, reply) => resolve(reply.raw));
  await app.register(mediaRoutes, { verify: () => verify(folder) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const request = get({ host: '127.0.0.1', port, path: `${mediaUrl}/film.mp4` }).on('error', () => undefined);
  return { request, response: await response };
}

test('a request aborted while its token is verified leaves no timer', async () => {
  const { promise: verification, resolve } = Promise.withResolvers<undefined>();
  const { request, response } = await requestFilm(async (folder) => {
    await verification;
    return { folder, path: 'film.mp4', mayStillRead: async () => true };
  });
  const timers = vi.getTimerCount();
  const closePromise = new Promise((settle) => response.once('close', settle));
  request.destroy();
  await closePromise;
  resolve(undefined);
  await new Promise(setImmediate);
  expect([vi.getTimerCount(), response.headersSent]).toEqual([timers, false]);
});

test.each([
  [
    'after the second consecutive failed check of the reader’s right',
    ['failed', 'true', 'failed', 'failed'],
    [false, false, false, true],
  ],
  ['when a check has no result by the next one', ['true', 'pending'], [false, false, true]],
  ['when the reader’s right ends', ['true', 'false'], [false, true]],
])('a response ends %s, and leaves no timer', async (_, outcomes, expected) => {
  const mayStillRead = async (): Promise<boolean> => {
    const outcome = outcomes.shift();
    if (outcome === 'failed') throw new Error('The database is unreachable.');
    return outcome === 'pending' ? new Promise<never>(() => undefined) : outcome === 'true';
  };
  const { request, response } = await requestFilm(async (folder) => ({ folder, path: 'film.mp4', mayStillRead }));
  const incoming = await new Promise<IncomingMessage>((resolve) => void request.once('response', resolve));
  incoming.on('error', () => undefined);
  const timers = vi.getTimerCount() - 1;
  const destroyedStates: boolean[] = [];
  for (const _check of expected) {
    await vi.advanceTimersByTimeAsync(20_000);
    destroyedStates.push(response.destroyed);
  }
  expect([destroyedStates, outcomes]).toEqual([expected, []]);
  expect(vi.getTimerCount()).toBe(timers);
});

test('a token opens its file, or the files below its folder, and nothing else of the title', async () => {
  const { app } = await startMediaServer();
  const paths = ['sample.epub/manifest.json', 'sample.mp3', 'track.mp3', 'play/index.html', 'play/story.js'];
  const listOpenedPaths = async (path: string): Promise<string[]> => {
    const statuses = paths.map(async (each) => (await app.inject(`/media/${createToken(path)}/${each}`)).statusCode);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200, 404]));
    return (await Promise.all(statuses)).flatMap((status, index) => (status === 200 ? [paths[index] ?? ''] : []));
  };
  expect(await listOpenedPaths('sample.epub')).toEqual(['sample.epub/manifest.json']);
  expect(await listOpenedPaths('track.mp3')).toEqual(['track.mp3']);
  expect(await listOpenedPaths('play/')).toEqual(['play/index.html', 'play/story.js']);
  expect(await listOpenedPaths('play/index.html')).toEqual(['play/index.html']);
});

test('a file that must not be served is refused with a reason in JSON', async () => {
  const { app, folder } = await startMediaServer();
  await symlink('/etc/hostname', join(folder, 'outside.html'));
  const readRefusal = async (url: string): Promise<unknown> => {
    const { statusCode, headers, json } = await app.inject(url);
    const body = json<{ error: string; status: number; code: string }>();
    expect(headers['content-type']).toContain('application/json');
    expect(headers['cache-control']).toBe('no-store');
    expect([body.status, body.error !== '']).toEqual([statusCode, true]);
    return [statusCode, body.code];
  };
  const deniedRefusal = [403, 'media_denied'];
  const missingRefusal = [404, 'not_found'];
  expect(await readRefusal(`/media/${createToken('', 1)}/track.mp3`)).toEqual(deniedRefusal);
  expect(await readRefusal('/media/abc.def/track.mp3')).toEqual(deniedRefusal);
  expect(await readRefusal(`${mediaUrl}/none.mp3`)).toEqual(missingRefusal);
  expect(await readRefusal(`${mediaUrl}/notes.txt`)).toEqual(missingRefusal);
  expect(await readRefusal(`${mediaUrl}/book.epub`)).toEqual(missingRefusal);
  expect(await readRefusal(`${mediaUrl}/book.epub/OPS/none.xhtml`)).toEqual(missingRefusal);
  expect(await readRefusal(`${mediaUrl}/none.epub/manifest.json`)).toEqual(missingRefusal);
  expect(await readRefusal(`${mediaUrl}/outside.html`)).toEqual(missingRefusal);
  expect(await readRefusal(`${mediaUrl}/..%2f..%2fetc%2fpasswd.html`)).toEqual(missingRefusal);
  expect((await app.inject(`${mediaUrl}/%zz.html`)).statusCode).toBe(400);
  expect(await readRefusal(`${mediaUrl}/bomb.epub/manifest.json`)).toEqual([422, 'book_too_large']);
  expect(await readRefusal(`${mediaUrl}/damaged.epub/OPS/raw.xhtml`)).toEqual([422, 'broken_book']);
});

test('the refusal of a chapter may be shown in the frame that requested it', async () => {
  const { app } = await startMediaServer();
  const { headers } = await app.inject(`${mediaUrl}/book.epub/OPS/gone.xhtml`);
  expect(headers['content-security-policy']).toBe(bookPolicy);
});

test('a replaced book is opened again', async () => {
  const { app, folder } = await startMediaServer();
  const readManifest = async (): Promise<unknown> => (await app.inject(`${mediaUrl}/book.epub/manifest.json`)).json();
  expect(await readManifest()).toMatchObject({ readingOrder: [{ href: 'OPS/one.xhtml' }] });
  await rename(join(folder, 'bomb.epub'), join(folder, 'book.epub'));
  expect(await readManifest()).toMatchObject({ code: 'book_too_large' });
});

test('public covers keep their own route below /media', async () => {
  const { app } = await startMediaServer();
  expect((await app.inject('/media/covers/1.jpg')).body).toBe('cover');
  expect((await app.inject('/media/nodot/track.mp3')).statusCode).toBe(404);
});

/** Sends a hand-written request line, since `fetch` would resolve dots in the path. */
async function sendRawRequest(port: number, path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  let response = '';
  for await (const chunk of socket) response += String(chunk);
  return response;
}

test('dots in a raw path are refused, and clients that disconnect half-way affect neither the server nor the book', async () => {
  const { app, folder } = await startMediaServer();
  const noise = Buffer.from(Array.from({ length: 6 * 2 ** 20 }, (_, index) => (index * index * 7919) % 251));
  await writeFile(join(folder, 'big.epub'), zip(createSmallBook({ name: 'OPS/big.bin', content: noise })));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  expect(await sendRawRequest(port, `${mediaUrl}/../../../etc/passwd.html`)).toMatch(/^HTTP\/1.1 40[04]/);

  const url = `http://127.0.0.1:${port}${mediaUrl}/big.epub/OPS/big.bin`;
  for (let attempt = 0; attempt < 20; attempt++) {
    const abort = new AbortController();
    const response = await fetch(url, { signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
  }
  const content = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(content.equals(noise)).toBe(true);
});
