import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { Server } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { languages } from './head/words.ts';
import type { Painter } from './painter.ts';

/** Where most visits begin, besides pages of titles. */
const paths = ['/', '/all'];

type Page = { url: string; headers: Record<string, string> };

/** Asks over the line, from this machine itself: the certificate is for another name. */
const overLine = (server: Server, { url: path, headers }: Page): Promise<string> =>
  new Promise((resolve, reject) => {
    const at = server.address();
    if (at === null || typeof at === 'string') throw new Error('The server listens to no port.');
    const { address, port } = at;
    const host = address === '0.0.0.0' || address === '::' ? 'localhost' : address;
    const asked = get(
      { host, port, path, headers, rejectUnauthorized: false },
      (answer) => void text(answer).then(resolve, reject),
    );
    asked.on('error', reject);
  });

/** An injected request comes by HTTP: where the shop speaks HTTPS, that may be another address. */
async function load(app: FastifyInstance, page: Page): Promise<void> {
  const server: unknown = app.server;
  if (server instanceof Server) await overLine(server, page);
  else await app.inject(page);
}

/**
 * Asks for these pages, and for that of the first title of the landing page, in every language, one
 * after the other, as visitors of that address would: the first real visitors find them rendered,
 * and the threads' code has run often enough to be fast.
 */
export async function paintAhead(app: FastifyInstance, painter: Painter, address: string, stopping: AbortSignal): Promise<void> {
  const { host } = new URL(address);
  const ask = async (url: string, language: string): Promise<void> => {
    if (stopping.aborted) return;
    await load(app, { url, headers: { host, accept: 'text/html', 'accept-language': language } });
    // The plain page is the answer where painting takes its time; it goes on meanwhile.
    await painter.atRest();
  };
  const titles = new Map<string, string>();
  const stopWatching = painter.onPainted((task, { firstTitle }) => {
    // Visitors of other stores have pages rendered at the same time.
    if (task.pathname === '/' && new URL(task.origin).host === host && firstTitle !== null) titles.set(task.language, firstTitle);
  });
  try {
    await painter.atRest();
    for (const path of paths) for (const { code } of languages) await ask(path, code);
  } finally {
    stopWatching();
  }
  for (const [language, path] of titles) await ask(path, language);
}
