import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createServer, type ServerParts } from '../../../server/app.ts';
import { createProxyExemption } from '../../../server/web/connections.ts';
import { readCertificate } from '../../../server/settings/tls.ts';
import { inBatches } from '../support/in-batches.ts';
import { createCertificate } from '../support/own-certificate.ts';
import { openShop } from '../support/shop.ts';

async function startListening(parts: Partial<ServerParts>): Promise<{ port: number; store: string }> {
  const shop = await openShop();
  const { db, config, payment } = shop.services;
  const { app } = await createServer({ db, config, payment, logLevel: 'silent', ...parts });
  onTestFinished(async () => {
    await app.close();
    await shop.close();
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: (app.server.address() as AddressInfo).port, store: await shop.store() };
}

test('a body that does not arrive ends its connection', async () => {
  const { port, store } = await startListening({ requestTimeout: 400 });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /api/user/signup?shelfid=${store}&appid=web HTTP/1.1\r\nHost: localhost\r\n` +
      'Content-Length: 100\r\nContent-Type: text/xml\r\n\r\n<',
  );
  const answer: Buffer[] = [];
  socket.on('data', (part: Buffer) => answer.push(part));
  await once(socket, 'close');
  expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1\.1 408 /);
});

test.each([
  ['without a proxy, forwarded headers are ignored', 0, 'last', 60],
  ['behind a proxy, only its own entry is used: an address that a client put before it has no effect', 1, 'first', 60],
  ['behind a proxy, its entry is the caller: customers of many networks are not counted as one', 1, 'last', 61],
  ['a proxy that is named by its address is trusted', ['127.0.0.1'], 'last', 61],
  ['a proxy that is named by its network is trusted', ['10.1.0.0/16', '127.0.0.0/8'], 'last', 61],
  ['a caller from another address is not a proxy, whatever it forwards', ['10.1.0.0/16'], 'last', 60],
] as const)('%s', async (_, trusted, changing, checked) => {
  const trustedProxies = typeof trusted === 'number' ? trusted : [...trusted];
  const { port, store } = await startListening({ trustedProxies });
  const guess = (at: number) =>
    fetch(`http://127.0.0.1:${port}/api/user/signin?shelfid=${store}&appid=web`, {
      headers: {
        authorization: `Basic ${Buffer.from(`nobody${at}@example.com:wrong password`).toString('base64')}`,
        'x-forwarded-for': changing === 'last' ? `192.0.2.7, 10.0.${at}.1` : `10.0.${at}.1, 192.0.2.7`,
      },
    });
  const answers = await inBatches(Array.from({ length: 61 }, (__, at) => async () => (await guess(at)).status));
  expect(answers.filter((status) => status === 401)).toHaveLength(checked);
});

const openConnections = async (port: number, count: number) => {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
};

test('a connection that sends nothing is closed, one after a request is kept alive', async () => {
  const { port } = await startListening({ connections: { firstByteTimeout: 300 } });
  const [idle, asking] = (await openConnections(port, 2)) as [Socket, Socket];
  asking.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(asking, 'data');
  await once(idle, 'close');
  asking.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [answer] = (await once(asking, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
});

test('over TLS, too, with HTTP/1.1 and HTTP/2', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-connections-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { files, text: ca } = await createCertificate(folder);
  const { port } = await startListening({ connections: { firstByteTimeout: 300 }, certificate: readCertificate(files) });
  const secure = (protocol: string) => connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: [protocol] });
  const [idle, asking] = [secure('http/1.1'), secure('http/1.1')];
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca });
  onTestFinished(() => [idle, asking, session].forEach((each) => each.destroy()));
  await Promise.all([once(idle, 'secureConnect'), once(asking, 'secureConnect'), once(session, 'connect')]);
  const status = async () => {
    const [headers] = (await once(session.request({ ':path': '/healthz' }).resume(), 'response')) as [Record<string, unknown>];
    return headers[':status'];
  };
  asking.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await Promise.all([once(asking, 'data'), status()]);
  await once(idle, 'close');
  asking.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [answer] = (await once(asking, 'data')) as [Buffer];
  expect([answer.toString().slice(0, 13), await status()]).toEqual(['HTTP/1.1 200 ', 200]);
});

test('a network has a limited number of connections, and a closed one frees a place', async () => {
  const { port } = await startListening({ connections: { isExempt: () => false, maxPerNetwork: 5 } });
  const sockets = await openConnections(port, 5);
  const [refused] = (await openConnections(port, 1)) as [Socket];
  await once(refused, 'close');
  const [first] = sockets as [Socket];
  const closed = once(first, 'close');
  first.destroy();
  await closed;
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
});

test.each([
  ['the loopback address', 0, '127.0.0.1', true],
  ['any address behind a number of proxies', 1, '203.0.113.7', true],
  ['no address without proxies', 0, '203.0.113.7', false],
  ['a proxy that is named', ['10.1.0.0/16'], '10.1.2.3', true],
  ['a proxy whose address is written as IPv6', ['10.1.2.3'], '::ffff:10.1.2.3', true],
  ['no address besides the proxies', ['10.1.0.0/16'], '10.2.0.1', false],
] as const)('the limit exempts %s', (_which, proxies, address, expected) => {
  expect(createProxyExemption(typeof proxies === 'number' ? proxies : [...proxies])(address)).toBe(expected);
});
