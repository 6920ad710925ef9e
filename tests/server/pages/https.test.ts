import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Server } from 'node:tls';
import { Agent, fetch as fetchBy } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createServer } from '../../../server/app.ts';
import { BadSetting } from '../../../server/settings/bad-setting.ts';
import { readCertificate, createCertificateReloader } from '../../../server/settings/tls.ts';
import { signUpXml } from '../support/customers.ts';
import { createCertificate } from '../support/own-certificate.ts';
import { openShop, type Shop } from '../support/shop.ts';

let folder: string;
let shop: Shop;
let certificate: Awaited<ReturnType<typeof createCertificate>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-https-'));
  shop = await openShop();
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  certificate = await createCertificate(folder);
});

async function openSecureShop(overrides: { paymentLiveMode?: boolean } = {}) {
  const { db, config, payment } = shop.services;
  const { app } = await createServer({
    db,
    config: { ...config, ...overrides },
    payment,
    logLevel: 'silent',
    certificate: readCertificate(certificate.files),
  });
  onTestFinished(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { server: app.server as unknown as Server, port, origin: `https://127.0.0.1:${port}`, store: await shop.store() };
}

/** Sends a GET over HTTP/2. @returns the headers and the body of the response */
async function fetchHttp2(session: ClientHttp2Session, path: string, headers: Record<string, string> = {}) {
  const stream = session.request({ ':path': path, ...headers });
  const [responseHeaders] = (await once(stream, 'response')) as [Record<string, string | number>];
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return { responseHeaders, body: Buffer.concat(chunks).toString() };
}

test('a server with a certificate serves many calls on one HTTP/2 connection', async () => {
  const { origin, store } = await openSecureShop();
  const session = connectHttp2(origin, { ca: certificate.text });
  onTestFinished(() => session.close());
  const paths = [`/api/titles?shelfid=${store}`, `/api/categories?shelfid=${store}`, '/config.json', '/healthz'];
  const responses = await Promise.all(paths.map((path) => fetchHttp2(session, path)));
  expect(session.alpnProtocol).toBe('h2');
  expect(responses.map(({ responseHeaders }) => responseHeaders[':status'])).toEqual([200, 200, 200, 200]);
  expect(responses[0]?.body).toContain('<');
});

test('a client with only HTTP/1.1 is served as well', async () => {
  const { origin, store } = await openSecureShop();
  const dispatcher = new Agent({ allowH2: false, connect: { ca: certificate.text } });
  onTestFinished(() => dispatcher.close());
  const response = await fetchBy(`${origin}/api/titles?shelfid=${store}`, { dispatcher });
  expect(response.status).toBe(200);
});

test('a customer signs up over HTTP/2, and a body that is too long is refused', async () => {
  const { origin, store } = await openSecureShop();
  const dispatcher = new Agent({ allowH2: true, connect: { ca: certificate.text } });
  onTestFinished(() => dispatcher.close());
  const signUp = (body: string) =>
    fetchBy(`${origin}/api/user/signup?shelfid=${store}&appid=web`, {
      method: 'POST',
      headers: {
        'content-type': 'text/xml',
        authorization: `Basic ${Buffer.from('robin@example.com:a long password').toString('base64')}`,
      },
      body,
      dispatcher,
    });
  const signUpBody = signUpXml('robin@example.com');
  const response = await signUp(signUpBody);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('IdToken')]);
  expect((await signUp(signUpBody + ' '.repeat(70_000))).status).toBe(413);
});

test('responses have an HSTS header only with a live payment provider', async () => {
  const dispatcher = new Agent({ connect: { ca: certificate.text } });
  onTestFinished(() => dispatcher.close());
  const readHsts = async ({ origin }: { origin: string }) =>
    (await fetchBy(`${origin}/healthz`, { dispatcher })).headers.get('strict-transport-security');
  expect(await readHsts(await openSecureShop({ paymentLiveMode: true }))).toBe('max-age=31536000');
  expect(await readHsts(await openSecureShop())).toBeNull();
});

test('a renewed certificate is used at once, and an invalid one is refused', async () => {
  const { server, port } = await openSecureShop();
  const readFingerprint = async (): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const renew = createCertificateReloader(server, certificate.files);
  const oldFingerprint = await readFingerprint();
  await renew();
  expect(await readFingerprint()).toBe(oldFingerprint);

  await writeFile(certificate.files.cert, 'half of a certifi');
  await utimes(certificate.files.cert, 1, 1);
  await expect(renew()).rejects.toThrow(BadSetting);
  expect(await readFingerprint()).toBe(oldFingerprint);

  await createCertificate(folder);
  await utimes(certificate.files.cert, 2, 2);
  await renew();
  expect(await readFingerprint()).not.toBe(oldFingerprint);
});

test('files that are not a certificate and its key are refused by the names of their settings', async () => {
  await writeFile(certificate.files.key, 'no key');
  expect(() => readCertificate(certificate.files)).toThrow(/TLS_CERT and TLS_KEY/);
  expect(() => readCertificate({ ...certificate.files, cert: join(folder, 'none.pem') })).toThrow(BadSetting);
});
