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
  ['without a proxy nothing that is forwarded is believed', 0, 'last', 60],
  ['behind one, only what it wrote: an address that a client made up before it changes nothing', 1, 'first', 60],
  ['behind one, what it wrote is whom it heard: customers of many networks do not count as one', 1, 'last', 61],
  ['a proxy that is named by its address is believed', ['127.0.0.1'], 'last', 61],
  ['or by its network', ['10.1.0.0/16', '127.0.0.0/8'], 'last', 61],
  ['who connects from another address is no proxy, whatever it forwards', ['10.1.0.0/16'], 'last', 60],
] as const)('%s', async (_, trusted, changing, checked) => {
  const trustedProxies = typeof trusted === 'number' ? trusted : [...trusted];
  const { port, store } = await listening({ trustedProxies });
  const guess = (at: number) =>
    fetch(`http://127.0.0.1:${port}/api/user/signin?shelfid=${store}&appid=web`, {
      headers: {
        authorization: `Basic ${Buffer.from(`nobody${at}@example.com:wrong password`).toString('base64')}`,
        'x-forwarded-for': changing === 'last' ? `192.0.2.7, 10.0.${at}.1` : `10.0.${at}.1, 192.0.2.7`,
      },
    });
  const answers: number[] = [];
  // One after the other: passwords that come in crowds are sent away for another reason.
  for (let at = 0; at < 61; at += 1) answers.push((await guess(at)).status);
  expect(answers.filter((status) => status === 401)).toHaveLength(checked);
});
