import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createHttpSmsTransport, MessageRefused } from '../../../server/sms/transport.ts';

describe('an SMS gateway', () => {
  const opened = async (status: number) => {
    const asked: { request: IncomingMessage; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        asked.push({ request, body });
        response.writeHead(status).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://the%20shop:secret@127.0.0.1:${(server.address() as AddressInfo).port}/messages`;
    return { asked, sms: createHttpSmsTransport(address), close: () => server.close() };
  };

  test('gets each message with its credentials', async () => {
    const { asked, sms, close } = await opened(202);
    await sms.send({ to: '+447400000001', text: 'It’s 123456.' }, 'a-store');
    close();
    expect(asked.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ to: '+447400000001', text: 'It’s 123456.' }]);
    const { authorization = '' } = asked[0]?.request.headers ?? {};
    expect(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()).toBe('the shop:secret');
  });

  test('that refuses a message makes the call fail with its status', async () => {
    const { sms, close } = await opened(500);
    const sending = sms.send({ to: '+447400000001', text: 'x' }, 'a-store');
    await expect(sending).rejects.toThrow(new MessageRefused('The SMS gateway answered HTTP 500.'));
    close();
  });

  test('that is unreachable has certainly sent nothing, and one that drops the connection may have', async () => {
    const { sms, close } = await opened(202);
    close();
    const message = { to: '+447400000001', text: 'x' };
    await expect(sms.send(message, 'a-store')).rejects.toBeInstanceOf(MessageRefused);
    const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const cutting = createHttpSmsTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await expect(cutting.send(message, 'a-store')).rejects.not.toBeInstanceOf(MessageRefused);
    server.close();
  });
});
