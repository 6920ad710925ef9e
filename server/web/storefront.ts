import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { choiceCookie } from '../../machines/model/store/choice-cookie.ts';
import { addressOfForm } from '../../machines/model/catalogue/list-form.ts';
import { isLanguage } from '../base/language.ts';
import { sendShared, type SharedAnswer } from '../stores/shared-answers.ts';
import { statusOf } from '../api/calls/error-answers.ts';
import { AWAY_RETRY_SECONDS } from '../database/away.ts';
import { addressIn } from './request-address.ts';
import { KEEP_PARAMETER } from './without-scripts.ts';

const YEAR = 365 * 24 * 60 * 60;
/** Vite puts a hash of the content into the names of what it builds. */
const HASHED = /\/assets\/[^/]+-[\w-]{7,}\.[a-z0-9]+(?:\.br|\.gz)?$/i;

/** Browsers name HTML; search engines and link previews take anything, or say nothing. Pictures name their kinds first. */
const wantsPage = ({ method, headers: { accept = '*/*' } }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && /text\/(?:html|\*)|^\s*\*\/\*/i.test(accept);

const filesBeside = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^index\.html|\.(?:br|gz)$/.test(entry.name))
    .map(({ name }) => name);

const NO_FILE = new Set([403, 404, 414]);

function sayNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/plain; charset=utf-8').send('Not found.');
}

/** The folder of the pages' build, and the page for a request. */
type BuiltPages = { folder: string; fill: (request: FastifyRequest) => Promise<SharedAnswer> };

/**
 * Serves the built storefront. Every address that wants a page gets index.html, and the pages find their way by
 * themselves; one that leads nowhere is answered 404. Files stand compressed beside themselves since the build.
 * @param pages undefined leaves pages to another server
 */
export async function storefront(app: FastifyInstance, media: string, pages: BuiltPages | undefined): Promise<void> {
  await app.register(fastifyStatic, {
    root: pages ? join(pages.folder, 'assets') : media,
    prefix: '/assets/',
    serve: pages !== undefined,
    index: false,
    wildcard: true,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      if (HASHED.test(path)) reply.header('cache-control', `public, max-age=${YEAR}, immutable`);
      else if (reply.hasHeader('cache-control')) return;
      else if (path.startsWith(media)) reply.header('cache-control', 'public, max-age=86400');
      else reply.header('cache-control', 'no-cache');
    },
  });
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('cache-control', 'no-cache');
    reply.header('vary', 'Accept-Language, Cookie');
    if (pages === undefined) return sayNotFound(reply);
    const { pathname, search } = addressIn(request.url);
    const list = addressOfForm(pathname, [...new URLSearchParams(search)]);
    if (list !== null) return reply.redirect(list, 303);
    const { lang, [KEEP_PARAMETER]: keep } = request.query as Record<string, unknown>;
    if (keep !== undefined && typeof lang === 'string' && isLanguage(lang))
      reply.header('set-cookie', choiceCookie('lang', lang));
    return sendShared(request, reply, await pages.fill(request));
  };
  if (pages) {
    app.get('/', sendPage);
    // Few lie beside the assets; every other address is a page's, and no file is looked for.
    for (const name of filesBeside(pages.folder))
      app.get(`/${name}`, { exposeHeadRoute: true }, (_, reply) => reply.sendFile(name, pages.folder));
  }
  app.setNotFoundHandler((request, reply) =>
    pages && wantsPage(request) && !request.url.startsWith('/assets/') ? sendPage(request, reply) : sayNotFound(reply),
  );
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error);
    if (status >= 500) request.log.error(error);
    if (status === 503) reply.header('retry-after', String(AWAY_RETRY_SECONDS));
    // Paths that cannot be a file's get the not-found page, as any other unknown address.
    if (NO_FILE.has(status)) return pages && wantsPage(request) ? sendPage(request, reply) : sayNotFound(reply);
    return reply
      .code(status)
      .type('text/plain; charset=utf-8')
      .send(status >= 500 ? 'Something went wrong. Please try again later.' : 'This request isn’t valid.');
  });
}
