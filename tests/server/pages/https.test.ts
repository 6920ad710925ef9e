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
import { readCertificate, renewing } from '../../../server/settings/tls.ts';
import { signUpDocument } from '../support/customers.ts';
import { ownCertificate } from '../support/own-certificate.ts';
import { openShop, type Shop } from '../support/shop.ts';

let folder: string;
let shop: Shop;
let certificate: Awaited<ReturnType<typeof ownCertificate>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-https-'));
  shop = await openShop();
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  certificate = await ownCertificate(folder);
});

async function secureShop(more: { paymentLiveMode?: boolean } = {}) {
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

/** What HTTP/2 answers to a GET. */
async function answerOf(session: ClientHttp2Session, path: string, headers: Record<string, string> = {}) {
  const stream = session.request({ ':path': path, ...headers });
  const [answer] = (await once(stream, 'response')) as [Record<string, string | number>];
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return { answer, body: Buffer.concat(parts).toString() };
}

test('with a certificate browsers speak HTTP/2 with the shop, many calls on one connection', async () => {
  const { origin, store } = await secureShop();
  const session = connectHttp2(origin, { ca: certificate.text });
  onTestFinished(() => session.close());
  const paths = [`/api/titles?shelfid=${store}`, `/api/categories?shelfid=${store}`, '/config.json', '/healthz'];
  const answers = await Promise.all(paths.map((path) => answerOf(session, path)));
  expect(session.alpnProtocol).toBe('h2');
  expect(answers.map(({ answer }) => answer[':status'])).toEqual([200, 200, 200, 200]);
  expect(answers[0]?.body).toContain('<');
});

test('who knows HTTP/1.1 alone is served as well', async () => {
  const { origin, store } = await secureShop();
  const dispatcher = new Agent({ allowH2: false, connect: { ca: certificate.text } });
  onTestFinished(() => dispatcher.close());
  const answer = await fetchBy(`${origin}/api/titles?shelfid=${store}`, { dispatcher });
  expect(answer.status).toBe(200);
});

test('a customer signs up over HTTP/2, and what is too long is refused', async () => {
  const { origin, store } = await secureShop();
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
  const person = signUpDocument('robin@example.com');
  const answer = await signUp(person);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('IdToken')]);
  expect((await signUp(person + ' '.repeat(70_000))).status).toBe(413);
});

test('browsers are told to stay with HTTPS where real money is paid', async () => {
  const dispatcher = new Agent({ connect: { ca: certificate.text } });
  onTestFinished(() => dispatcher.close());
  const told = async ({ origin }: { origin: string }) =>
    (await fetchBy(`${origin}/healthz`, { dispatcher })).headers.get('strict-transport-security');
  expect(await told(await secureShop({ paymentLiveMode: true }))).toBe('max-age=31536000');
  expect(await told(await secureShop())).toBeNull();
});

test('a certificate that is renewed in its place is shown from then on; one that cannot be used is not taken', async () => {
  const { server, port } = await secureShop();
  const shown = async (): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const renew = renewing(server, certificate.files);
  const old = await shown();
  await renew();
  expect(await shown()).toBe(old);

  await writeFile(certificate.files.cert, 'half of a certifi');
  await utimes(certificate.files.cert, 1, 1);
  await expect(renew()).rejects.toThrow(BadSetting);
  expect(await shown()).toBe(old);

  await ownCertificate(folder);
  await utimes(certificate.files.cert, 2, 2);
  await renew();
  expect(await shown()).not.toBe(old);
});

test('files that are no certificate and its key are refused by what names them', async () => {
  await writeFile(certificate.files.key, 'no key');
  expect(() => readCertificate(certificate.files)).toThrow(/TLS_CERT and TLS_KEY/);
  expect(() => readCertificate({ ...certificate.files, cert: join(folder, 'none.pem') })).toThrow(BadSetting);
});
