import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from '../../../server/app.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { earlyScript, template, writeBuild } from '../support/built-pages.ts';

const HEAD_HTML = '<!doctype html><html><head><title>Shop</title>';
const CONTACT_META = '<meta name="support" content="help@operator.example" />';
/** Their hashes in the page's policy. */
const EARLY_HASHES = ['head', 'screenEnd']
  .map((name) =>
    createHash('sha256')
      .update(`(()=>{${earlyScript(name)};})()`)
      .digest('base64'),
  )
  .map((hash) => `'sha256-${hash}'`)
  .join(' ');
const SCRIPT = 'console.log("shop")'.repeat(100);

let shop: Shop;
let dist: string;
beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'colophon-dist-'));
  await writeBuild(dist, template({ html: '<html>', title: '<title>Shop</title>' }));
  await writeFile(join(dist, 'favicon.svg'), '<svg/>');
  await writeFile(join(dist, 'assets', 'book-DeAdBe3F.css'), 'p { margin: 0 }');
  const script = join(dist, 'assets', 'index-DeAdBe3F.js');
  await writeFile(script, SCRIPT);
  await writeFile(`${script}.br`, brotliCompressSync(SCRIPT));
  await writeFile(`${script}.gz`, gzipSync(SCRIPT));
  shop = await openShop({
    config: { distFolder: dist, paymentOrigins: ['https://pay.example'], supportEmail: 'help@operator.example' },
  });
});
afterAll(async () => {
  await shop.close();
  await rm(dist, { recursive: true, force: true });
});

const page = (url: string, headers: Record<string, string> = {}) =>
  shop.app.inject({ url, headers: { accept: 'text/html,*/*;q=0.8', ...headers } });

test.each(['/', '/signin', '/id:1008/the-moon', '/isbn:9780306406157/v1.2', '/redeem/A.B', '/no/such/page'])(
  'on a host without a store %s gets the page, with the support address [S2.invalid-support]',
  async (path) => {
    const answer = await page(path);
    expect([answer.statusCode, answer.body]).toEqual([404, `${HEAD_HTML}${CONTACT_META}</head><body></body></html>`]);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache');
  },
);

test.each(['*/*', undefined, 'text/*', 'text/html'])('a request that accepts %s gets pages', async (accept) => {
  for (const path of ['/', '/id:1008', '/all']) {
    const headers = accept === undefined ? {} : { accept };
    const { body, statusCode } = await shop.app.inject({ url: path, headers });
    expect([path, statusCode, body.startsWith(HEAD_HTML)]).toEqual([path, 404, true]);
    const { headers: of } = await shop.app.inject({ method: 'HEAD', url: path, headers });
    expect(of['content-type']).toBe('text/html; charset=utf-8');
  }
});

test('missing files, calls, media and POSTs are not answered with a page', async () => {
  expect((await page('/assets/gone-AAAAAAAA.js')).statusCode).toBe(404);
  expect((await shop.app.inject('/gone.png')).statusCode).toBe(404);
  expect((await page('/api/gone')).headers['content-type']).toContain('application/xml');
  expect((await shop.app.inject({ method: 'POST', url: '/signin', headers: { accept: 'text/html' } })).statusCode).toBe(404);
  for (const path of ['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json'])
    expect((await shop.app.inject(path)).body).not.toContain('colophon');
});

test('hashed files are cached for ever and sent precompressed', async () => {
  const path = '/assets/index-DeAdBe3F.js';
  const plain = await shop.app.inject(path);
  expect(plain.body).toBe(SCRIPT);
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const brotli = await shop.app.inject({ url: path, headers: { 'accept-encoding': 'gzip, br' } });
  expect([brotli.headers['content-encoding'], brotliDecompressSync(brotli.rawPayload).toString()]).toEqual(['br', SCRIPT]);
  expect([brotli.headers['cache-control'], brotli.headers['content-type']]).toEqual([
    plain.headers['cache-control'],
    plain.headers['content-type'],
  ]);
  const gzip = await shop.app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
  expect([gzip.headers['content-encoding'], gunzipSync(gzip.rawPayload).toString()]).toEqual(['gzip', SCRIPT]);
  expect((await shop.app.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  expect(await shop.app.inject({ method: 'HEAD', url: '/favicon.svg' })).toMatchObject({ statusCode: 200, body: '' });
});

test('the content security policy allows only what a shop needs', async () => {
  const { headers } = await page('/');
  expect(headers['content-security-policy']?.toString().split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      `script-src 'self' 'wasm-unsafe-eval' ${EARLY_HASHES}`,
      "img-src 'self' data: blob: https:",
      "form-action 'self' https://pay.example",
      "base-uri 'none'",
      "object-src 'none'",
    ]),
  );
  expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
});

test('static files of a page are sent without the policies of documents', async () => {
  const policiesOf = async (path: string) => {
    const { headers } = await shop.app.inject(path);
    return [headers['content-security-policy'], headers['permissions-policy'] !== undefined, headers['x-content-type-options']];
  };
  const page = [expect.stringContaining("script-src 'self' 'wasm-unsafe-eval' 'sha256-"), true, 'nosniff'];
  // A worker is a script too, and gets the policy of its own response.
  const script = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
  expect(await policiesOf('/assets/index-DeAdBe3F.js')).toEqual([script, false, 'nosniff']);
  expect(await policiesOf('/assets/book-DeAdBe3F.css')).toEqual([undefined, false, 'nosniff']);
  // A browser may open these as documents.
  for (const path of ['/favicon.svg', '/healthz', '/api/gone', '/assets/gone.js']) expect(await policiesOf(path)).toEqual(page);
});

test('comments may come only from their configured host', async () => {
  const coralHost = 'https://comments.example';
  const { app } = await createServer({
    db: shop.db,
    config: { ...shop.services.config, coralHost },
    payment: shop.services.payment,
    logLevel: 'silent',
  });
  const opened = String((await app.inject('/healthz')).headers['content-security-policy']).split('; ');
  const closed = String((await page('/')).headers['content-security-policy']).split('; ');
  expect(opened.filter((directive) => !closed.includes(directive))).toEqual([
    `script-src 'self' 'wasm-unsafe-eval' ${EARLY_HASHES} ${coralHost}`,
    `style-src 'self' 'unsafe-inline' ${coralHost}`,
    `font-src 'self' ${coralHost}`,
    `frame-src http://localhost:80/media/ ${coralHost}`,
    `connect-src 'self' ${coralHost} wss://comments.example`,
  ]);
  await app.close();
});

test('without a store the configuration is not found; with one, health is ok [S9.configuration]', async () => {
  expect((await shop.app.inject('/config.json')).statusCode).toBe(404);
  const store = await shop.store();
  expect((await shop.app.inject('/config.json')).json()).toMatchObject({ storeId: store, apiBase: '/api' });
  expect((await shop.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
});

test('another server can serve the pages, on the same port', async () => {
  const { app } = await createServer({
    db: shop.db,
    config: { ...shop.services.config, distFolder: undefined },
    payment: shop.services.payment,
    logLevel: 'silent',
    serverFactory: (handler) =>
      createHttpServer((request, response) => {
        if (request.url?.startsWith('/api/')) handler(request, response);
        else response.end('from the other');
      }),
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(await (await fetch(`${address}/signin`)).text()).toBe('from the other');
  expect((await fetch(`${address}/api/titles`)).status).toBe(404);
  await app.close();
});
