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

async function startServer(parts: Partial<ServerParts>): Promise<{ port: number; store: string }> {
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

test('a connection whose request body does not arrive is closed with 408', async () => {
  const { port, store } = await startServer({ requestTimeout: 400 });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /api/user/signup?shelfid=${store}&appid=web HTTP/1.1\r\nHost: localhost\r\n` +
      'Content-Length: 100\r\nContent-Type: text/xml\r\n\r\n<',
  );
  const responseBytes: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => responseBytes.push(chunk));
  await once(socket, 'close');
  expect(Buffer.concat(responseBytes).toString()).toMatch(/^HTTP\/1\.1 408 /);
});

test.each([
  ['without a proxy, forwarded headers are ignored', 0, 'last', 60],
  ['behind a proxy, only its own entry is used: an address that a client put before it has no effect', 1, 'first', 60],
  ['behind a proxy, its entry is the caller: customers of many networks are not counted as one', 1, 'last', 61],
  ['a proxy that is named by its address is trusted', ['127.0.0.1'], 'last', 61],
  ['a proxy that is named by its network is trusted', ['10.1.0.0/16', '127.0.0.0/8'], 'last', 61],
  ['a caller from another address is not a proxy, whatever it forwards', ['10.1.0.0/16'], 'last', 60],
] as const)('%s', async (_, proxies, changingEntry, expectedCount) => {
  const trustedProxies = typeof proxies === 'number' ? proxies : [...proxies];
  const { port, store } = await startServer({ trustedProxies });
  const guessPassword = (index: number) =>
    fetch(`http://127.0.0.1:${port}/api/user/signin?shelfid=${store}&appid=web`, {
      headers: {
        authorization: `Basic ${Buffer.from(`nobody${index}@example.com:wrong password`).toString('base64')}`,
        'x-forwarded-for': changingEntry === 'last' ? `192.0.2.7, 10.0.${index}.1` : `10.0.${index}.1, 192.0.2.7`,
      },
    });
  const statuses = await inBatches(Array.from({ length: 61 }, (__, index) => async () => (await guessPassword(index)).status));
  expect(statuses.filter((status) => status === 401)).toHaveLength(expectedCount);
});

const openConnections = async (port: number, count: number) => {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
};

test('a connection that sends nothing is closed, and a connection with a request is kept alive', async () => {
  const { port } = await startServer({ connections: { firstByteTimeout: 300 } });
  const [idleSocket, activeSocket] = (await openConnections(port, 2)) as [Socket, Socket];
  activeSocket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(activeSocket, 'data');
  await once(idleSocket, 'close');
  activeSocket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [response] = (await once(activeSocket, 'data')) as [Buffer];
  expect(response.toString()).toMatch(/^HTTP\/1\.1 200 /);
});

test('over TLS, an idle connection is closed, and connections with requests are kept alive', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-connections-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { files, text: ca } = await createCertificate(folder);
  const { port } = await startServer({ connections: { firstByteTimeout: 300 }, certificate: readCertificate(files) });
  const connectSecurely = (protocol: string) => connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: [protocol] });
  const [idleSocket, activeSocket] = [connectSecurely('http/1.1'), connectSecurely('http/1.1')];
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca });
  onTestFinished(() => [idleSocket, activeSocket, session].forEach((each) => each.destroy()));
  await Promise.all([once(idleSocket, 'secureConnect'), once(activeSocket, 'secureConnect'), once(session, 'connect')]);
  const readStatus = async () => {
    const [headers] = (await once(session.request({ ':path': '/healthz' }).resume(), 'response')) as [Record<string, unknown>];
    return headers[':status'];
  };
  activeSocket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await Promise.all([once(activeSocket, 'data'), readStatus()]);
  await once(idleSocket, 'close');
  activeSocket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [response] = (await once(activeSocket, 'data')) as [Buffer];
  expect([response.toString().slice(0, 13), await readStatus()]).toEqual(['HTTP/1.1 200 ', 200]);
});

test('a network has a limited number of connections, and a closed connection frees a place', async () => {
  const { port } = await startServer({ connections: { isExempt: () => false, maxPerNetwork: 5 } });
  const sockets = await openConnections(port, 5);
  const [refusedSocket] = (await openConnections(port, 1)) as [Socket];
  await once(refusedSocket, 'close');
  const [firstSocket] = sockets as [Socket];
  const closePromise = once(firstSocket, 'close');
  firstSocket.destroy();
  await closePromise;
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
] as const)('the limit of connections exempts %s', (_name, proxies, address, expected) => {
  expect(createProxyExemption(typeof proxies === 'number' ? proxies : [...proxies])(address)).toBe(expected);
});
