import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formatChoiceCookie } from '../../machines/model/store/choice-cookie.ts';
import { parseRoute } from '../../machines/flows/routes.ts';
import { toListAddress } from '../../machines/model/catalogue/list-form.ts';
import { isLanguage } from '../base/language.ts';
import { sendSharedAnswer, type SharedAnswer } from '../stores/shared-answer-cache.ts';
import { getErrorStatus } from '../api/calls/error-answers.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '../database/unavailable.ts';
import { splitRequestUrl } from './request-address.ts';
import { KEEP_PARAMETER } from './without-scripts.ts';

const YEAR_S = 365 * 24 * 60 * 60;
/** Vite adds a hash of the content to the names of built files. */
const HASHED_FILE = /\/assets\/[^/]+-[\w-]{7,}\.[a-z0-9]+(?:\.br|\.gz)?$/i;

/**
 * Browsers name HTML; search engines and link previews accept anything, or send no header. Requests
 * for pictures name their types first.
 */
const wantsPage = ({ method, headers: { accept = '*/*' } }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && /text\/(?:html|\*)|^\s*\*\/\*/i.test(accept);

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^index\.html|\.(?:br|gz)$/.test(entry.name))
    .map(({ name }) => name);

const NO_FILE_STATUSES = new Set([403, 404, 414]);

function sendNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/plain; charset=utf-8').send('Not found.');
}

/** The folder of the pages' build, and the page for a request. */
type BuiltPages = { folder: string; fill: (request: FastifyRequest) => Promise<SharedAnswer> };

/**
 * Serves the built storefront. Every address that requests a page gets it from `pages`, and the app
 * does its own routing; an unknown address is answered 404. The build has compressed files beside
 * the originals.
 * @param pages undefined leaves pages to another server
 */
export async function registerStorefront(app: FastifyInstance, media: string, pages: BuiltPages | undefined): Promise<void> {
  await app.register(fastifyStatic, {
    root: pages ? join(pages.folder, 'assets') : media,
    prefix: '/assets/',
    serve: pages !== undefined,
    index: false,
    wildcard: true,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      if (HASHED_FILE.test(path)) reply.header('cache-control', `public, max-age=${YEAR_S}, immutable`);
      else if (reply.hasHeader('cache-control')) return;
      else if (path.startsWith(media)) reply.header('cache-control', 'public, max-age=86400');
      else reply.header('cache-control', 'no-cache');
    },
  });
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('cache-control', 'no-cache');
    reply.header('vary', 'Accept-Language, Cookie');
    if (pages === undefined) return sendNotFound(reply);
    const { pathname, search } = splitRequestUrl(request.url);
    const list = toListAddress(pathname, [...new URLSearchParams(search)]);
    if (list !== null) return reply.redirect(list, 303);
    const { lang, [KEEP_PARAMETER]: keep } = request.query as Record<string, unknown>;
    if (keep !== undefined && typeof lang === 'string' && isLanguage(lang))
      reply.header('set-cookie', formatChoiceCookie('lang', lang));
    return sendSharedAnswer(request, reply, await pages.fill(request));
  };
  if (pages) {
    app.get('/', sendPage);
    // Few files are outside the assets; every other address is a page's, without a file look-up.
    for (const name of listFiles(pages.folder))
      app.get(`/${name}`, { exposeHeadRoute: true }, (_, reply) => reply.sendFile(name, pages.folder));
  }
  app.setNotFoundHandler((request, reply) =>
    pages && wantsPage(request) && !request.url.startsWith('/assets/') ? sendPage(request, reply) : sendNotFound(reply),
  );
  app.setErrorHandler((error, request, reply) => {
    const status = getErrorStatus(error);
    if (status >= 500) {
      const { pathname, search } = splitRequestUrl(request.url);
      // The name of the flow: the address itself may hold tokens and codes.
      const { method, routeOptions } = request;
      const flow = parseRoute({ pathname, search }).flow;
      request.log.error({ err: error, method, route: routeOptions.url ?? null, flow }, 'http.request.failed');
    }
    if (status === 503) reply.header('retry-after', String(UNAVAILABLE_RETRY_SECONDS));
    // Paths that cannot be files get the not-found page, like other unknown addresses.
    if (NO_FILE_STATUSES.has(status)) return pages && wantsPage(request) ? sendPage(request, reply) : sendNotFound(reply);
    return reply
      .code(status)
      .type('text/plain; charset=utf-8')
      .send(status >= 500 ? 'Something went wrong. Please try again later.' : 'This request isn’t valid.');
  });
}
