import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { Server } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { languages } from './head/words.ts';
import type { PageRenderer } from './page-renderer.ts';

/** The most frequent entry pages, besides those of titles. */
const entryPaths = ['/', '/all'];

type Page = { url: string; headers: Record<string, string> };

/** Requests a page over HTTPS from this machine; the certificate is for another name. */
const fetchFromSelf = (server: Server, { url: path, headers }: Page): Promise<string> =>
  new Promise((resolve, reject) => {
    const socketAddress = server.address();
    if (socketAddress === null || typeof socketAddress === 'string')
      throw new Error(`The server listens on ${socketAddress ?? 'no address'}: expected an address with a port.`);
    const { address, port } = socketAddress;
    const host = address === '0.0.0.0' || address === '::' ? 'localhost' : address;
    const request = get(
      { host, port, path, headers, rejectUnauthorized: false },
      (response) => void text(response).then(resolve, reject),
    );
    request.on('error', reject);
  });

/** An injected request counts as HTTP: where the shop serves HTTPS, that may be another address. */
async function load(app: FastifyInstance, page: Page): Promise<void> {
  const server: unknown = app.server;
  if (server instanceof Server) await fetchFromSelf(server, page);
  else await app.inject(page);
}

/**
 * Warms up the cache: requests these pages, and that of the first title on the landing page, in
 * every language, one after the other, as visitors of that address would. The first real visitors
 * then get cached pages from threads whose code is already optimised.
 */
export async function warmUpPages(
  app: FastifyInstance,
  pageRenderer: PageRenderer,
  address: string,
  stopping: AbortSignal,
): Promise<void> {
  const { host } = new URL(address);
  const requestPage = async (url: string, language: string): Promise<void> => {
    if (stopping.aborted) return;
    await load(app, { url, headers: { host, accept: 'text/html', 'accept-language': language } });
    // When rendering is slow, the page is sent without it; rendering continues in the background.
    await pageRenderer.whenIdle();
  };
  const titlePaths = new Map<string, string>();
  const removeListener = pageRenderer.onRendered((task, { firstTitle }) => {
    // Pages of other stores' visitors are rendered at the same time.
    if (task.pathname === '/' && new URL(task.origin).host === host && firstTitle !== null)
      titlePaths.set(task.language, firstTitle);
  });
  try {
    await pageRenderer.whenIdle();
    for (const path of entryPaths) for (const { code } of languages) await requestPage(path, code);
  } finally {
    removeListener();
  }
  for (const [language, path] of titlePaths) await requestPage(path, language);
}
