import { once } from 'node:events';
import { createServer } from 'node:net';

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  const canListen = await Promise.race([once(server, 'listening').then(() => true), once(server, 'error').then(() => false)]);
  if (!canListen) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** A port that was free just now, outside the range of ephemeral ports. */
export async function findFreePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  return (await isFree(port)) ? port : findFreePort();
}

/** A port that was free just now, like the next one, which the gateway uses. */
export async function findFreePortPair(): Promise<number> {
  const port = await findFreePort();
  return (await isFree(port + 1)) ? port : findFreePortPair();
}
