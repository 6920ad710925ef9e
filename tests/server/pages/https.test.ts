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

async function openSecureShop(more: { paymentLiveMode?: boolean } = {}) {
  const { db, config, payment } = shop.services;
  const { app } = await createServer({
    db,
    config: { ...config, ...more },
    payment,
    logLevel: 'silent',
    certificate: readCertificate(certificate.files),
  });
  onTestFinished(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { server: app.server as unknown as Server, port, origin: `https://127.0.0.1:${port}`, store: await shop.store() };
}

/** The response to a GET over HTTP/2. */
async function fetchHttp2(session: ClientHttp2Session, path: string, headers: Record<string, string> = {}) {
  const stream = session.request({ ':path': path, ...headers });
  const [answer] = (await once(stream, 'response')) as [Record<string, string | number>];
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return { answer, body: Buffer.concat(parts).toString() };
}

test('with a certificate browsers use HTTP/2, with many calls on one connection', async () => {
  const { origin, store } = await openSecureShop();
  const session = connectHttp2(origin, { ca: certificate.text });
  onTestFinished(() => session.close());
  const paths = [`/api/titles?shelfid=${store}`, `/api/categories?shelfid=${store}`, '/config.json', '/healthz'];
  const answers = await Promise.all(paths.map((path) => fetchHttp2(session, path)));
  expect(session.alpnProtocol).toBe('h2');
  expect(answers.map(({ answer }) => answer[':status'])).toEqual([200, 200, 200, 200]);
  expect(answers[0]?.body).toContain('<');
});

test('a client with only HTTP/1.1 is served as well', async () => {
  const { origin, store } = await openSecureShop();
  const dispatcher = new Agent({ allowH2: false, connect: { ca: certificate.text } });
  onTestFinished(() => dispatcher.close());
  const answer = await fetchBy(`${origin}/api/titles?shelfid=${store}`, { dispatcher });
  expect(answer.status).toBe(200);
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
  const person = signUpXml('robin@example.com');
  const answer = await signUp(person);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('IdToken')]);
  expect((await signUp(person + ' '.repeat(70_000))).status).toBe(413);
});

test('responses have an HSTS header only with a live payment provider', async () => {
  const dispatcher = new Agent({ connect: { ca: certificate.text } });
  onTestFinished(() => dispatcher.close());
  const told = async ({ origin }: { origin: string }) =>
    (await fetchBy(`${origin}/healthz`, { dispatcher })).headers.get('strict-transport-security');
  expect(await told(await openSecureShop({ paymentLiveMode: true }))).toBe('max-age=31536000');
  expect(await told(await openSecureShop())).toBeNull();
});

test('a renewed certificate is used from then on; an invalid one is refused', async () => {
  const { server, port } = await openSecureShop();
  const shown = async (): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const renew = createCertificateReloader(server, certificate.files);
  const old = await shown();
  await renew();
  expect(await shown()).toBe(old);

  await writeFile(certificate.files.cert, 'half of a certifi');
  await utimes(certificate.files.cert, 1, 1);
  await expect(renew()).rejects.toThrow(BadSetting);
  expect(await shown()).toBe(old);

  await createCertificate(folder);
  await utimes(certificate.files.cert, 2, 2);
  await renew();
  expect(await shown()).not.toBe(old);
});

test('files that are not a certificate and its key are refused by the names of their settings', async () => {
  await writeFile(certificate.files.key, 'no key');
  expect(() => readCertificate(certificate.files)).toThrow(/TLS_CERT and TLS_KEY/);
  expect(() => readCertificate({ ...certificate.files, cert: join(folder, 'none.pem') })).toThrow(BadSetting);
});
