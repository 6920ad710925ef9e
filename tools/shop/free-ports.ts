import { once } from 'node:events';
import { createServer } from 'node:net';

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  const free = await Promise.race([once(server, 'listening').then(() => true), once(server, 'error').then(() => false)]);
  if (!free) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** A port that was free a moment ago, outside of those that the system gives to clients. */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  return (await isFree(port)) ? port : freePort();
}

/** A port that was free a moment ago, and so was the next one, which the gateway takes. */
export async function freePorts(): Promise<number> {
  const port = await freePort();
  return (await isFree(port + 1)) ? port : freePorts();
}
