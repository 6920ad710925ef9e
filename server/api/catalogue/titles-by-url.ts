import { getStoreOrigin } from '../../stores/origin.ts';
import { Markup, renderDocument } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { DomainError } from '../../kernel/errors.ts';

const LIST_PATH = /^\/api\/titles(?:\/[^/]+\/related)?$/;
const declaration = renderDocument(new Markup(''));

const notAListUrlError = () => new DomainError('bad_request', 'url must be the address of a list of titles on this server.');

/** Parses a URL of this server; other servers are never requested. */
function parseOwnUrl(text: string, origin: string, storeId: string): URL {
  const url = URL.canParse(text, origin) ? new URL(text, origin) : undefined;
  const store = url?.searchParams.get('shelfid');
  const isListUrl = url?.origin === URL.parse(origin)?.origin && url?.username === '' && LIST_PATH.test(url.pathname);
  if (!url || !isListUrl || (store !== null && store !== storeId)) throw notAListUrlError();
  return url;
}

/**
 * Returns the list at a URL of this server, as if the same caller had requested it directly.
 */
export async function titlesByUrl(call: Call<'titlesByUrl'>): Answer<'titlesByUrl'> {
  const { services, request, store, query } = call;
  const url = parseOwnUrl(query.url, getStoreOrigin(store, request, services.config), store.id);
  url.searchParams.set('shelfid', store.id);
  url.searchParams.delete('accesstoken');
  if (url.pathname === '/api/titles') {
    if (query.cursor !== undefined) url.searchParams.set('cursor', query.cursor);
    url.searchParams.set('limit', String(query.limit));
  }
  const response = await request.server.inject({
    url: `${url.pathname}${url.search}`,
    remoteAddress: request.ip,
    headers: { 'accept-language': request.headers['accept-language'] ?? '' },
  });
  if (response.statusCode === 404) throw new DomainError('not_found', 'There is no list at this address.');
  if (response.statusCode !== 200) throw notAListUrlError();
  return new Markup(response.body.slice(declaration.length));
}
