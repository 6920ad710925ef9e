import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createHttpSmsTransport, MessageRefused } from '../../../server/sms/transport.ts';

describe('an SMS gateway', () => {
  const startGateway = async (status: number) => {
    const requests: { request: IncomingMessage; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        requests.push({ request, body });
        response.writeHead(status).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://the%20shop:secret@127.0.0.1:${(server.address() as AddressInfo).port}/messages`;
    return { requests, sms: createHttpSmsTransport(url), close: () => server.close() };
  };

  test('an SMS gateway gets each message with the credentials of its URL', async () => {
    const { requests, sms, close } = await startGateway(202);
    await sms.send({ to: '+447400000001', text: 'It’s 123456.' }, 'a-store');
    close();
    expect(requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ to: '+447400000001', text: 'It’s 123456.' }]);
    const { authorization = '' } = requests[0]?.request.headers ?? {};
    expect(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()).toBe('the shop:secret');
  });

  test.each([400, 429])('a message that the SMS gateway answers with %i counts as refused', async (status) => {
    const { sms, close } = await startGateway(status);
    const delivery = sms.send({ to: '+447400000001', text: 'x' }, 'a-store');
    await expect(delivery).rejects.toThrow(new MessageRefused(`The SMS gateway answered HTTP ${status}.`));
    close();
  });

  test.each([408, 502, 504])('a message that is answered with %i may have been sent', async (status) => {
    const { sms, close } = await startGateway(status);
    const error = await sms.send({ to: '+447400000001', text: 'x' }, 'a-store').catch((reason: unknown) => reason);
    expect(error).toEqual(new Error(`The SMS gateway answered HTTP ${status}.`));
    expect(error).not.toBeInstanceOf(MessageRefused);
    close();
  });

  test('a message to an unreachable SMS gateway counts as refused; a message on a dropped connection does not', async () => {
    const { sms, close } = await startGateway(202);
    close();
    const message = { to: '+447400000001', text: 'x' };
    await expect(sms.send(message, 'a-store')).rejects.toBeInstanceOf(MessageRefused);
    const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const droppingTransport = createHttpSmsTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await expect(droppingTransport.send(message, 'a-store')).rejects.not.toBeInstanceOf(MessageRefused);
    server.close();
  });
});
