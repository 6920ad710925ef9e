import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createServer, type ServerParts } from '../../server/app.ts';
import { openShop } from './support/shop.ts';

async function listening(parts: Partial<ServerParts>): Promise<{ port: number; store: string }> {
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

test('a body that does not come ends its connection', async () => {
  const { port, store } = await listening({ requestTimeout: 400 });
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
  ['without a proxy nothing that is forwarded is believed', 0, 429],
  ['behind one, only what it wrote: an address that a client made up before it changes nothing', 1, 429],
])('%s', async (_, trustedProxies, expected) => {
  const { port, store } = await listening({ trustedProxies });
  const guess = (at: number) =>
    fetch(`http://127.0.0.1:${port}/api/user/signin?shelfid=${store}&appid=web`, {
      headers: {
        authorization: `Basic ${Buffer.from(`nobody${at}@example.com:wrong password`).toString('base64')}`,
        'x-forwarded-for': `10.0.${at}.1, 192.0.2.7`,
      },
    });
  const answers: number[] = [];
  for (let at = 0; at < 61; at += 1) answers.push((await guess(at)).status);
  expect(answers.at(-1)).toBe(expected);
});
