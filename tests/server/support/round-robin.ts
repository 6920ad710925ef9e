import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy that distributes calls over its shops in turn, as docs/operating.md recommends: it keeps
 * the Host header and adds the caller's address.
 * @param onHandOn receives the path of each call, and the shop that gets it
 */
export async function startRoundRobin(
  targets: () => string[],
  onHandOn: (path: string, target: string) => void = () => undefined,
) {
  let turn = 0;
  const handOn = (call: IncomingMessage, reply: ServerResponse): void => {
    const all = targets();
    const target = all[turn % all.length];
    turn += 1;
    if (target === undefined) return void reply.writeHead(503).end();
    const address = new URL(call.url ?? '/', target);
    onHandOn(address.pathname, target);
    const forwarded = [call.headers['x-forwarded-for'], call.socket.remoteAddress].filter(Boolean).join(', ');
    const onward = request(
      address,
      { method: call.method ?? 'GET', headers: { ...call.headers, 'x-forwarded-for': forwarded }, agent: false },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
        answer.on('error', () => reply.destroy());
      },
    );
    // A shop that died may have executed the call: it must not be resent to the other one.
    onward.on('error', () => reply.destroy());
    call.pipe(onward);
  };
  const server = createServer(handOn).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
