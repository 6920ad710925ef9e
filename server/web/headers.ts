import type { FastifyInstance } from 'fastify';

/**
 * What the storefront's pages may do. Styles are made while they run; covers may come from other hosts; PDFs decode their
 * pictures with WebAssembly and show some as blobs; forms go to this server or a payment page.
 */
const pagePolicy = (paymentOrigins: readonly string[]): string =>
  [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "frame-src 'self'",
    "connect-src 'self'",
    ['form-action', "'self'", ...paymentOrigins].join(' '),
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

/** Headers of every answer; a route that sets its own content policy keeps it. */
export function securityHeaders(app: FastifyInstance, paymentOrigins: readonly string[]): void {
  const policy = pagePolicy(paymentOrigins);
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', policy);
  });
}
