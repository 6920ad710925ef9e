import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts a proxy that distributes calls over its shops in turn. As docs/operating.md recommends, it
 * keeps the Host header and adds the caller's IP address.
 * @param onForward receives the path of each call, and the URL of the shop that gets the call
 */
export async function startRoundRobin(
  targets: () => string[],
  onForward: (path: string, target: string) => void = () => undefined,
) {
  let callCount = 0;
  const forwardCall = (call: IncomingMessage, reply: ServerResponse): void => {
    const shopUrls = targets();
    const target = shopUrls[callCount % shopUrls.length];
    callCount += 1;
    if (target === undefined) return void reply.writeHead(503).end();
    const targetUrl = new URL(call.url ?? '/', target);
    onForward(targetUrl.pathname, target);
    const forwardedFor = [call.headers['x-forwarded-for'], call.socket.remoteAddress].filter(Boolean).join(', ');
    const outgoingRequest = request(
      targetUrl,
      { method: call.method ?? 'GET', headers: { ...call.headers, 'x-forwarded-for': forwardedFor }, agent: false },
      (response) => {
        reply.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(reply);
        response.on('error', () => reply.destroy());
      },
    );
    // A shop that died may have executed the call: the proxy must not send it to another shop.
    outgoingRequest.on('error', () => reply.destroy());
    call.pipe(outgoingRequest);
  };
  const server = createServer(forwardCall).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closePromise = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closePromise;
    },
  };
}
