import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type Connection = { client: Socket; server: Socket };

/**
 * Starts a TCP proxy to a server. The proxy can fail as networks do; connections that are made
 * after a failure work.
 * @param url URL of the server
 * @param port port of the proxy; any free port by default
 */
export async function startFaultyProxy(url: string, port = 0) {
  const target = new URL(url);
  const connections: Connection[] = [];
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    connections.push({ client, server });
    client.pipe(server);
    server.pipe(client);
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
  }).listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  const proxyUrl = new URL(url);
  proxyUrl.port = String((proxy.address() as AddressInfo).port);
  return {
    url: proxyUrl.href,
    /** Drops all packets without closing the connections. */
    cut(): void {
      for (const { client, server } of connections) {
        for (const socket of [client, server]) socket.unpipe().removeAllListeners('close').resume();
      }
    },
    /** Drops all responses; requests still reach the server. */
    dropResponses(): void {
      for (const { server } of connections) server.unpipe().resume();
    },
    async close(): Promise<void> {
      const closePromise = once(proxy, 'close');
      proxy.close();
      for (const { client, server } of connections) {
        client.destroy();
        server.destroy();
      }
      await closePromise;
    },
  };
}
