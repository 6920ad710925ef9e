import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from '../../../server/app.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { getEarlyScript, buildTemplate, writeBuild } from '../support/built-pages.ts';

const HEAD_HTML = '<!doctype html><html><head><title>Shop</title>';
const CONTACT_META = '<meta name="support" content="help@operator.example" />';
/** The hashes of the early scripts in the page's policy. */
const EARLY_HASHES = ['head', 'screenEnd']
  .map((name) =>
    createHash('sha256')
      .update(`(()=>{${getEarlyScript(name)};})()`)
      .digest('base64'),
  )
  .map((hash) => `'sha256-${hash}'`)
  .join(' ');
const SCRIPT = 'console.log("shop")'.repeat(100);

let shop: Shop;
let distFolder: string;
beforeAll(async () => {
  distFolder = await mkdtemp(join(tmpdir(), 'colophon-dist-'));
  await writeBuild(distFolder, buildTemplate({ html: '<html>', title: '<title>Shop</title>' }));
  await writeFile(join(distFolder, 'favicon.svg'), '<svg/>');
  await writeFile(join(distFolder, 'assets', 'book-DeAdBe3F.css'), 'p { margin: 0 }');
  const script = join(distFolder, 'assets', 'index-DeAdBe3F.js');
  await writeFile(script, SCRIPT);
  await writeFile(`${script}.br`, brotliCompressSync(SCRIPT));
  await writeFile(`${script}.gz`, gzipSync(SCRIPT));
  shop = await openShop({
    config: { distFolder, paymentOrigins: ['https://pay.example'], supportEmail: 'help@operator.example' },
  });
});
afterAll(async () => {
  await shop.close();
  await rm(distFolder, { recursive: true, force: true });
});

const fetchPage = (url: string, headers: Record<string, string> = {}) =>
  shop.app.inject({ url, headers: { accept: 'text/html,*/*;q=0.8', ...headers } });

test.each(['/', '/signin', '/id:1008/the-moon', '/isbn:9780306406157/v1.2', '/redeem/A.B', '/no/such/page'])(
  'on a host without a store %s gets the page, with the support address [S2.invalid-support]',
  async (path) => {
    const response = await fetchPage(path);
    expect([response.statusCode, response.body]).toEqual([404, `${HEAD_HTML}${CONTACT_META}</head><body></body></html>`]);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-cache');
  },
);

test.each(['*/*', undefined, 'text/*', 'text/html'])('a request that accepts %s gets pages', async (accept) => {
  for (const path of ['/', '/id:1008', '/all']) {
    const headers = accept === undefined ? {} : { accept };
    const { body, statusCode } = await shop.app.inject({ url: path, headers });
    expect([path, statusCode, body.startsWith(HEAD_HTML)]).toEqual([path, 404, true]);
    const { headers: responseHeaders } = await shop.app.inject({ method: 'HEAD', url: path, headers });
    expect(responseHeaders['content-type']).toBe('text/html; charset=utf-8');
  }
});

test('missing files, unknown calls and POSTs are not answered with a page', async () => {
  expect((await fetchPage('/assets/gone-AAAAAAAA.js')).statusCode).toBe(404);
  expect((await shop.app.inject('/gone.png')).statusCode).toBe(404);
  expect((await fetchPage('/api/gone')).headers['content-type']).toContain('application/xml');
  expect((await shop.app.inject({ method: 'POST', url: '/signin', headers: { accept: 'text/html' } })).statusCode).toBe(404);
  for (const path of ['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json'])
    expect((await shop.app.inject(path)).body).not.toContain('colophon');
});

test('hashed files are cached for ever and sent precompressed', async () => {
  const path = '/assets/index-DeAdBe3F.js';
  const plainResponse = await shop.app.inject(path);
  expect(plainResponse.body).toBe(SCRIPT);
  expect(plainResponse.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const brotliResponse = await shop.app.inject({ url: path, headers: { 'accept-encoding': 'gzip, br' } });
  expect([brotliResponse.headers['content-encoding'], brotliDecompressSync(brotliResponse.rawPayload).toString()]).toEqual([
    'br',
    SCRIPT,
  ]);
  expect([brotliResponse.headers['cache-control'], brotliResponse.headers['content-type']]).toEqual([
    plainResponse.headers['cache-control'],
    plainResponse.headers['content-type'],
  ]);
  const gzipResponse = await shop.app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
  expect([gzipResponse.headers['content-encoding'], gunzipSync(gzipResponse.rawPayload).toString()]).toEqual(['gzip', SCRIPT]);
  expect((await shop.app.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  expect(await shop.app.inject({ method: 'HEAD', url: '/favicon.svg' })).toMatchObject({ statusCode: 200, body: '' });
});

test('the content security policy allows only what a shop needs', async () => {
  const { headers } = await fetchPage('/');
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
  const readPolicies = async (path: string) => {
    const { headers } = await shop.app.inject(path);
    return [headers['content-security-policy'], headers['permissions-policy'] !== undefined, headers['x-content-type-options']];
  };
  const pagePolicies = [expect.stringContaining("script-src 'self' 'wasm-unsafe-eval' 'sha256-"), true, 'nosniff'];
  // A worker is a script too, and gets the policy of its own response.
  const scriptPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
  expect(await readPolicies('/assets/index-DeAdBe3F.js')).toEqual([scriptPolicy, false, 'nosniff']);
  expect(await readPolicies('/assets/book-DeAdBe3F.css')).toEqual([undefined, false, 'nosniff']);
  // A browser may open these files and responses as documents.
  for (const path of ['/favicon.svg', '/healthz', '/api/gone', '/assets/gone.js'])
    expect(await readPolicies(path)).toEqual(pagePolicies);
});

test('comments may come only from their configured host', async () => {
  const coralHost = 'https://comments.example';
  const { app } = await createServer({
    db: shop.db,
    config: { ...shop.services.config, coralHost },
    payment: shop.services.payment,
    logLevel: 'silent',
  });
  const directivesWithComments = String((await app.inject('/healthz')).headers['content-security-policy']).split('; ');
  const directivesWithoutComments = String((await fetchPage('/')).headers['content-security-policy']).split('; ');
  expect(directivesWithComments.filter((directive) => !directivesWithoutComments.includes(directive))).toEqual([
    `script-src 'self' 'wasm-unsafe-eval' ${EARLY_HASHES} ${coralHost}`,
    `style-src 'self' 'unsafe-inline' ${coralHost}`,
    `font-src 'self' ${coralHost}`,
    `frame-src http://localhost:80/media/ ${coralHost}`,
    `connect-src 'self' ${coralHost} wss://comments.example`,
  ]);
  await app.close();
});

test('the configuration is not found without a store, and served with one [S9.configuration]', async () => {
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
