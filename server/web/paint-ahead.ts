import type { FastifyInstance } from 'fastify';
import { languages } from './head/words.ts';

/** Where most visits begin. */
const paths = ['/', '/all'];

/**
 * Asks for the first screens of the shop that is at an address, so that they are painted before anybody comes, and the program that
 * paints has run often enough to be fast. It comes to its end soon after the shop has closed.
 */
export async function paintAhead(app: FastifyInstance, address: string): Promise<void> {
  const { host } = new URL(address);
  let closed = false;
  app.server.once('close', () => (closed = true));
  for (const path of paths) {
    for (const { code } of languages) {
      if (closed) return;
      const headers = { host, accept: 'text/html', 'accept-language': code };
      await app.inject({ url: path, headers });
    }
  }
}
