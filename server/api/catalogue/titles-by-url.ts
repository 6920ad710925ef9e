import { getStoreOrigin } from '../../stores/origin.ts';
import { Markup, xmlDocument } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { DomainError } from '../../kernel/errors.ts';

const LIST_PATH = /^\/api\/titles(?:\/[^/]+\/related)?$/;
const declaration = xmlDocument(new Markup(''));

const notAListUrl = () => new DomainError('bad_request', 'url must be the address of a list of titles on this server.');

/** Parses the address as one of this server; other servers are never requested. */
function parseOwnUrl(text: string, own: string, storeId: string): URL {
  const url = URL.canParse(text, own) ? new URL(text, own) : undefined;
  const store = url?.searchParams.get('shelfid');
  const fits = url?.origin === URL.parse(own)?.origin && url?.username === '' && LIST_PATH.test(url.pathname);
  if (!url || !fits || (store !== null && store !== storeId)) throw notAListUrl();
  return url;
}

/**
 * The list behind an address that the server has given out, as if the same caller had requested it
 * directly.
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
  const answer = await request.server.inject({
    url: `${url.pathname}${url.search}`,
    remoteAddress: request.ip,
    headers: { 'accept-language': request.headers['accept-language'] ?? '' },
  });
  if (answer.statusCode === 404) throw new DomainError('not_found', 'There is no list at this address.');
  if (answer.statusCode !== 200) throw notAListUrl();
  return new Markup(answer.body.slice(declaration.length));
}
