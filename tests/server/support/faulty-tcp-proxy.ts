import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type Connection = { client: Socket; server: Socket };

/** A TCP proxy to a server that can fail as networks do. Connections made after a failure work. */
/** @param port to listen on; any free one by default */
export async function startFaultyProxy(url: string, port = 0) {
  const target = new URL(url);
  const connections: Connection[] = [];
  const line = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    connections.push({ client, server });
    client.pipe(server);
    server.pipe(client);
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
  }).listen(port, '127.0.0.1');
  await once(line, 'listening');
  const here = new URL(url);
  here.port = String((line.address() as AddressInfo).port);
  return {
    url: here.href,
    /** Drops all packets; neither end notices. */
    cut(): void {
      for (const { client, server } of connections) {
        for (const end of [client, server]) end.unpipe().removeAllListeners('close').resume();
      }
    },
    /** Requests still arrive; responses are dropped. */
    loseAnswers(): void {
      for (const { server } of connections) server.unpipe().resume();
    },
    async close(): Promise<void> {
      const closed = once(line, 'close');
      line.close();
      for (const { client, server } of connections) {
        client.destroy();
        server.destroy();
      }
      await closed;
    },
  };
}
