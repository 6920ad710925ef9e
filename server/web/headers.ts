import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../base/config.ts';
import { toPolicySource } from '../publication/media-source.ts';
import { PERMISSIONS_POLICY } from '../base/permissions-policy.ts';

/** The comments widget connects to the host that it is loaded from, also by WebSocket. */
const addSocketOrigin = (origin: string): string => `${origin} ${origin.replace(/^http/, 'ws')}`;

/**
 * The content policy of the storefront's pages. Styles are created at run time; covers may come
 * from other hosts; PDFs decode pictures with WebAssembly and show some as blobs; forms are sent to
 * this server or a payment page; comments come from their host. Frames can only load media and the
 * comments, wherever the page of a book may try to navigate its frame.
 */
const createPagePolicy = ({ paymentOrigins, coralHost = '' }: ServerConfig, scripts: readonly string[], frames: string): string =>
  [
    "default-src 'self'",
    ['script-src', "'self'", "'wasm-unsafe-eval'", ...scripts, coralHost].join(' '),
    `style-src 'self' 'unsafe-inline' ${coralHost}`,
    `font-src 'self' ${coralHost}`,
    "img-src 'self' data: blob: https:",
    `frame-src ${frames} ${coralHost}`,
    `connect-src 'self' ${coralHost === '' ? '' : addSocketOrigin(coralHost)}`,
    ['form-action', "'self'", ...paymentOrigins].join(' '),
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ]
    .map((directive) => directive.trim())
    .join('; ');

const YEAR_S = 365 * 24 * 60 * 60;

/** A worker obeys the content policy of its own script; scripts in pages obey the page's. */
const SCRIPT_TYPE = /^(?:text|application)\/javascript\b/;
const SCRIPT_POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/**
 * Styles, fonts and pictures run no code, except an SVG, which is a document when opened directly.
 */
const INERT_TYPE = /^(?:text\/css|font\/|image\/(?!svg))/;

/**
 * Headers of every answer; a content policy set by a route is kept. A page loads some forty files,
 * each with headers: files that are not documents are sent without the policies of documents.
 * @param scripts hashes of the inline scripts of pages
 */
export function addSecurityHeaders(app: FastifyInstance, config: ServerConfig, scripts: readonly string[]): void {
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    const type = String(reply.getHeader('content-type') ?? '');
    const [isScript, isInert] = [SCRIPT_TYPE.test(type), INERT_TYPE.test(type)];
    if (!isScript && !isInert) reply.header('permissions-policy', PERMISSIONS_POLICY);
    // HSTS is sent only in live mode: the test gateway’s pages use HTTP at the same host name.
    if (config.paymentLiveMode && request.protocol === 'https') reply.header('strict-transport-security', `max-age=${YEAR_S}`);
    if (isInert || reply.hasHeader('content-security-policy')) return;
    reply.header(
      'content-security-policy',
      isScript ? SCRIPT_POLICY : createPagePolicy(config, scripts, toPolicySource(request)),
    );
  });
}
