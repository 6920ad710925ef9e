import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Requests that other sites, and frames without an origin, may make all the same. */
type Exception = { reason: string; allows: (request: FastifyRequest) => boolean };

/** By the route that answers, since an address can be spelled in many ways. */
const isBelow =
  (...folders: string[]) =>
  ({ routeOptions: { url = '' } }: FastifyRequest): boolean =>
    folders.some((folder) => url === folder || url.startsWith(`${folder}/`));

const isApi = isBelow('/api', '/admin');

const EXCEPTIONS: readonly Exception[] = [
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
 * Whether a browser says that a page of another origin asks (W3C Fetch Metadata). Apps and servers
 * say nothing.
 */
const isForeign = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site';

/**
 * Browsers without Fetch Metadata (Safari before 16.4) name the origin of a sandboxed frame `null`,
 * and that of a payment page without a referrer as well, which sends customers back by a POST. So
 * this counts for the API alone, which no page navigates to.
 */
const hasNoOrigin = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === undefined && headers.origin === 'null';

/**
 * Whether a page of the shop's own origin, such as a book's chapter, embeds a call as a picture, a
 * style or a frame.
 */
const isEmbedded = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && (headers['sec-fetch-dest'] ?? 'empty') !== 'empty';

/**
 * Refuses what other sites and walled-off frames ask for, before any handler runs: a browser sends
 * such requests even where their page cannot read the answer.
 */
export function refuseCrossSite(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const isRefused = isApi(request)
      ? isForeign(request) || hasNoOrigin(request) || isEmbedded(request)
      : isForeign(request) && !EXCEPTIONS.some(({ allows }) => allows(request));
    if (!isRefused) return undefined;
    return reply
      .code(403)
      .headers({ 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' })
      .send('This server answers only to pages of its own.');
  });
}
