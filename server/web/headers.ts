import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../base/config.ts';
import { mediaSource } from '../publication/media-source.ts';
import { PERMISSIONS_POLICY } from '../base/permissions-policy.ts';

/**
 * Comments are a program of their own, which speaks with the host that it comes from and no other.
 */
const withSocket = (origin: string): string => `${origin} ${origin.replace(/^http/, 'ws')}`;

/**
 * The policy of the storefront's pages. Styles are made while they run; covers may come from other
 * hosts; PDFs decode their pictures with WebAssembly and show some as blobs; forms go to this
 * server or a payment page; comments come from their host. Frames hold media and nothing else,
 * wherever the page of a book would lead its frame.
 */
const pagePolicy = ({ paymentOrigins, coralHost = '' }: ServerConfig, scripts: readonly string[], frames: string): string =>
  [
    "default-src 'self'",
    ['script-src', "'self'", "'wasm-unsafe-eval'", ...scripts, coralHost].join(' '),
    `style-src 'self' 'unsafe-inline' ${coralHost}`,
    `font-src 'self' ${coralHost}`,
    "img-src 'self' data: blob: https:",
    `frame-src ${frames} ${coralHost}`,
    `connect-src 'self' ${coralHost === '' ? '' : withSocket(coralHost)}`,
    ['form-action', "'self'", ...paymentOrigins].join(' '),
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ]
    .map((directive) => directive.trim())
    .join('; ');

/** Seconds. */
const YEAR = 365 * 24 * 60 * 60;

/** A worker obeys the content policy of its own script; the scripts of pages obey the page's. */
const SCRIPT = /^(?:text|application)\/javascript\b/;
const SCRIPT_POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/**
 * Styles, fonts and pictures run nothing. An SVG picture is a document when it is opened by itself.
 */
const INERT = /^(?:text\/css|font\/|image\/(?!svg))/;

/**
 * Headers of every answer; a route that sets its own content policy keeps it. A page loads some
 * forty files, each with headers of its own: those that are not documents go without the policies
 * of one.
 * @param scripts hashes of the inline scripts of pages
 */
export function securityHeaders(app: FastifyInstance, config: ServerConfig, scripts: readonly string[]): void {
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    const type = String(reply.getHeader('content-type') ?? '');
    const [isScript, isInert] = [SCRIPT.test(type), INERT.test(type)];
    if (!isScript && !isInert) reply.header('permissions-policy', PERMISSIONS_POLICY);
    // The test gateway’s pages are under the same name, and speak HTTP.
    if (config.paymentLiveMode && request.protocol === 'https') reply.header('strict-transport-security', `max-age=${YEAR}`);
    if (isInert || reply.hasHeader('content-security-policy')) return;
    reply.header('content-security-policy', isScript ? SCRIPT_POLICY : pagePolicy(config, scripts, mediaSource(request)));
  });
}
