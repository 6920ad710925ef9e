import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type Connection = { client: Socket; server: Socket };

/** A line to a server that can fail as networks do. Connections that are made after a failure are sound. */
/** @param port where it listens; any free one without */
export async function faultyLine(url: string, port = 0) {
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
    /** Nothing passes any more, and neither end hears of it. */
    cut(): void {
      for (const { client, server } of connections) {
        for (const end of [client, server]) end.unpipe().removeAllListeners('close').resume();
      }
    },
    /** What is asked still arrives, the answers do not. */
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
