import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerConfig } from '../config.ts';
import { SCRIPT_HASHES } from './page-parts.ts';

/** Comments are a program of their own, which speaks with the host that it comes from and no other. */
const withSocket = (origin: string): string => `${origin} ${origin.replace(/^http/, 'ws')}`;

/**
 * What the storefront's pages may do. Styles are made while they run; covers may come from other hosts; PDFs decode their
 * pictures with WebAssembly and show some as blobs; forms go to this server or a payment page; comments come from their
 * host. Frames hold media and nothing else, wherever the page of a book would lead its frame.
 */
const pagePolicy = ({ paymentOrigins, coralHost = '' }: ServerConfig, frames: string): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval' ${SCRIPT_HASHES} ${coralHost}`,
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

/** The media folder at the requested host. Malformed hosts, which could add to the policy, are refused before. */
const mediaOf = ({ protocol, host }: FastifyRequest): string => (host === '' ? "'self'" : `${protocol}://${host}/media/`);

/** Features that the shop uses: films and their sound, passkeys, and ways to share an address. */
const USED_FEATURES = [
  'autoplay',
  'clipboard-write',
  'fullscreen',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'web-share',
];

/** Features that neither the shop nor a title uses. */
const DENIED_FEATURES = [
  'accelerometer',
  'bluetooth',
  'browsing-topics',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];

/** The W3C's Permissions Policy: used features are for the shop's own pages, not frames in them. */
const PERMISSIONS = [
  ...USED_FEATURES.map((feature) => `${feature}=(self)`),
  ...DENIED_FEATURES.map((feature) => `${feature}=()`),
].join(', ');

/** Seconds. */
const YEAR = 365 * 24 * 60 * 60;

/** Headers of every answer; a route that sets its own content policy keeps it. */
export function securityHeaders(app: FastifyInstance, config: ServerConfig): void {
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    reply.header('permissions-policy', PERMISSIONS);
    // The test gateway’s pages are under the same name, and speak HTTP.
    if (config.paymentLiveMode && request.protocol === 'https') reply.header('strict-transport-security', `max-age=${YEAR}`);
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', pagePolicy(config, mediaOf(request)));
  });
}
