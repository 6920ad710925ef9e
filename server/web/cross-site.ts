import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Requests that other sites, and frames without an origin, may make. */
type CrossSiteException = { reason: string; allows: (request: FastifyRequest) => boolean };

/** Whether the matched route is one of the folders or below; a path itself has many spellings. */
const isBelow =
  (...folders: string[]) =>
  ({ routeOptions: { url = '' } }: FastifyRequest): boolean =>
    folders.some((folder) => url === folder || url.startsWith(`${folder}/`));

const isApi = isBelow('/api', '/admin');

const CROSS_SITE_EXCEPTIONS: readonly CrossSiteException[] = [
  {
    reason: 'Links, payment pages and sign-in providers lead customers to pages of the shop.',
    allows: (request) =>
      !isApi(request) && request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document',
  },
  {
    reason:
      'Interactive titles have no origin and load their files; e-mails and other sites show covers. The address is the permission.',
    allows: isBelow('/media'),
  },
  {
    reason: 'Reading apps made of a web view read the feeds, which are public and name no customer.',
    allows: isBelow('/opds'),
  },
  { reason: 'Gateways sign their webhooks; the signature is the permission.', allows: isBelow('/webhooks') },
];

/**
 * Whether a browser reports that a page of another origin makes the request (W3C Fetch Metadata).
 * Apps and servers send no such header.
 */
const isForeign = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site';

/**
 * Browsers without Fetch Metadata (Safari before 16.4) send the origin `null` for sandboxed frames,
 * but also for payment pages without a referrer, which send customers back by a POST. So this is
 * checked only for the API, which no page navigates to.
 */
const hasNoOrigin = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === undefined && headers.origin === 'null';

/**
 * Whether a page of the shop's own origin, such as a book's chapter, embeds an API call as a
 * picture, a style or a frame.
 */
const isEmbedded = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && (headers['sec-fetch-dest'] ?? 'empty') !== 'empty';

/**
 * Refuses requests of other sites and sandboxed frames, before any handler runs: browsers send such
 * requests even where the page cannot read the answer.
 */
export function rejectCrossSite(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const isRefused = isApi(request)
      ? isForeign(request) || hasNoOrigin(request) || isEmbedded(request)
      : isForeign(request) && !CROSS_SITE_EXCEPTIONS.some(({ allows }) => allows(request));
    if (!isRefused) return undefined;
    return reply
      .code(403)
      .headers({ 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' })
      .send('This server only answers requests from its own pages.');
  });
}
