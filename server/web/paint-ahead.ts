import type { FastifyInstance } from 'fastify';
import { languages } from './head/words.ts';
import type { Painter } from './painter.ts';

/** Where most visits begin. */
const paths = ['/', '/all'];

/**
 * Asks for these pages in every language, one after the other, as visitors of that address would: the first real visitors find them
 * painted, and the program that paints has run often enough to be fast.
 */
export async function paintAhead(app: FastifyInstance, painter: Painter, address: string, stopping: AbortSignal): Promise<void> {
  const { host } = new URL(address);
  await painter.atRest();
  for (const path of paths) {
    for (const { code } of languages) {
      if (stopping.aborted) return;
      await app.inject({ url: path, headers: { host, accept: 'text/html', 'accept-language': code } });
      // The plain page is the answer where painting takes its time; it goes on meanwhile.
      await painter.atRest();
    }
  }
}
