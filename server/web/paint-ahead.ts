import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { Server } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { languages } from './head/words.ts';
import type { Painter } from './painter.ts';

/** Where most visits begin, besides pages of titles. */
const paths = ['/', '/all'];
const LINK_TO_TITLE = /href="(\/id:[^"]+)"/;

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

/** What the shop sends. What is injected has come by HTTP: where the shop itself speaks HTTPS, that may be another address. */
async function bodyOf(app: FastifyInstance, page: Page): Promise<string> {
  const server: unknown = app.server;
  return server instanceof Server ? overLine(server, page) : (await app.inject(page)).body;
}

/**
 * Asks for these pages and that of the first title that the landing page shows in every language, one after the other, as visitors of that
 * address would: the first real visitors find them painted, and on the thread that has painted them the program has run often enough to be fast.
 */
export async function paintAhead(app: FastifyInstance, painter: Painter, address: string, stopping: AbortSignal): Promise<void> {
  const { host } = new URL(address);
  const ask = async (url: string, language: string): Promise<string> => {
    if (stopping.aborted) return '';
    const body = await bodyOf(app, { url, headers: { host, accept: 'text/html', 'accept-language': language } });
    // The plain page is the answer where painting takes its time; it goes on meanwhile.
    await painter.atRest();
    return body;
  };
  await painter.atRest();
  for (const path of paths) for (const { code } of languages) await ask(path, code);
  for (const { code } of languages) {
    // The first answer may have been the plain page, which names no title.
    const [, title] = LINK_TO_TITLE.exec(await ask('/', code)) ?? [];
    if (title !== undefined) await ask(title, code);
  }
}
