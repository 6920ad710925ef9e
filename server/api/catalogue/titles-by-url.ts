import { getStoreOrigin } from '../../stores/origin.ts';
import { readXml } from '../../base/xml/read.ts';
import { Markup, renderDocument } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { findErrorKind } from '../calls/error-answers.ts';
import { DomainError } from '../../kernel/errors.ts';

const LIST_PATH = /^\/api\/titles(?:\/[^/]+\/related)?$/;
const MAX_SHOWN_CHARS = 100;
const declaration = renderDocument(new Markup(''));

/** The fields of an error's document that the caller gets too. */
const errorSchema = { properties: { Code: { type: 'string' }, Message: { type: 'string' } } };

/** Parses a URL of this server; other servers are never requested. */
function parseOwnUrl(text: string, origin: string, storeId: string): URL {
  const url = URL.canParse(text, origin) ? new URL(text, origin) : undefined;
  const store = url?.searchParams.get('shelfid');
  const isListUrl = url?.origin === URL.parse(origin)?.origin && url?.username === '' && LIST_PATH.test(url.pathname);
  if (!url || !isListUrl || (store !== null && store !== storeId)) {
    const address = text.replace(/\?.*/s, '').slice(0, MAX_SHOWN_CHARS);
    const expected = `${origin}/api/titles or ${origin}/api/titles/{titleId}/related, with the shelfid of this store or none`;
    throw new DomainError('bad_request', `url has the address ${address}: expected ${expected}.`);
  }
  return url;
}

/** Creates the error that the call of the list has answered. */
function toListError(status: number, body: string, retryAfter: unknown): DomainError {
  const { Code: code, Message: message = `HTTP ${status}` } = readXml(body, errorSchema) as { Code?: string; Message?: string };
  return new DomainError(findErrorKind(status), message, {
    ...(code === undefined ? {} : { code }),
    ...(retryAfter === undefined ? {} : { details: { retryAfterSeconds: Number(retryAfter) } }),
  });
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
  const { statusCode, headers, body } = await request.server.inject({
    url: `${url.pathname}${url.search}`,
    remoteAddress: request.ip,
    headers: { 'accept-language': request.headers['accept-language'] ?? '' },
  });
  if (statusCode === 404) throw new DomainError('not_found', 'There is no list at this address.');
  if (statusCode !== 200) throw toListError(statusCode, body, headers['retry-after']);
  return new Markup(body.slice(declaration.length));
}
