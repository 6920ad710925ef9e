import { originOf } from '../../stores/origin.ts';
import { Markup, xmlDocument } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { DomainError } from '../../kernel/errors.ts';

const LISTS = /^\/api\/titles(?:\/[^/]+\/related)?$/;
const declaration = xmlDocument(new Markup(''));

const refused = () => new DomainError('bad_request', 'The address is not that of a list of titles of this server.');

/** The address as one of this server; nothing is ever fetched from another. */
function ownAddress(text: string, own: string, storeId: string): URL {
  const url = URL.canParse(text, own) ? new URL(text, own) : undefined;
  const store = url?.searchParams.get('shelfid');
  const fits = url?.origin === URL.parse(own)?.origin && url?.username === '' && LISTS.test(url.pathname);
  if (!url || !fits || (store !== null && store !== storeId)) throw refused();
  return url;
}

/** The list of titles behind an address that the server gave out: as if it had been asked for itself, by the same caller. */
export async function titlesByUrl(call: Call<'titlesByUrl'>): Answer<'titlesByUrl'> {
  const { services, request, store, query } = call;
  const url = ownAddress(query.url, originOf(store, request, services.config), store.id);
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
  if (answer.statusCode !== 200) throw refused();
  return new Markup(answer.body.slice(declaration.length));
}
