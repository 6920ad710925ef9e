import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readConfiguration } from '../api/store/properties.ts';
import { DomainError } from '../kernel/errors.ts';
import { languages } from '../../machines/model/store/language-names.ts';
import { findPreferredLanguage, type LanguageCode } from '../base/language.ts';
import { getStoreOrigin, findRequestedStore } from '../stores/origin.ts';
import type { Services } from '../services.ts';
import { sendSharedAnswer, type SharedAnswer } from '../stores/shared-answer-cache.ts';
import type { Store } from '../stores/stores.ts';
import { isId } from '../base/ids.ts';
import { readCategoryFeed, readNamedFeed, readSearchFeed, readStartFeed, readTitleEntry, type FeedRequest } from './feeds.ts';
import { FEED_TYPE, PUBLICATION_TYPE, type OpdsFeed, type OpdsPublication } from './opds.ts';

/** Maximum characters of a search. */
const MAX_SEARCH_CHARS = 200;
const MAX_CURSOR_CHARS = 2000;

type Query = Readonly<Record<string, unknown>>;
type OpdsRequest = { Querystring: Query; Params: { name: string } };

const readText = (query: Query, name: string): string | undefined => {
  const value = query[name];
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000') ? value : undefined;
};

const sendNotFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).header('cache-control', 'no-cache').type('text/plain; charset=utf-8').send('Not found.');

const toSharedAnswer = (content: OpdsFeed | OpdsPublication | undefined, contentType: string): SharedAnswer =>
  content === undefined
    ? { status: 404, contentType: 'text/plain; charset=utf-8', body: Buffer.from('Not found.') }
    : { status: 200, contentType: `${contentType}; charset=utf-8`, body: Buffer.from(JSON.stringify(content)) };

/** Sends a shared answer, or 304 where the app has it already. */
async function sendFeed(request: FastifyRequest, reply: FastifyReply, answer: SharedAnswer): Promise<FastifyReply> {
  reply.header('vary', 'Accept-Language');
  reply.header('cache-control', 'no-cache');
  if (answer.status === 200) {
    const etag = `W/"${createHash('sha256').update(answer.body).digest('base64url').slice(0, 22)}"`;
    reply.header('etag', etag);
    const knownTags = (request.headers['if-none-match'] ?? '').split(',').map((each) => each.trim());
    if (knownTags.includes(etag)) return reply.code(304).send();
  }
  return sendSharedAnswer(request, reply, answer);
}

/** A plain cover in the shop's colour, for titles without one. */
async function renderPlainCover(color: string): Promise<SharedAnswer> {
  const background = /^#[0-9a-f]{6}$/i.test(color) ? color : '#0f6b6b';
  // The native module is loaded only by shops with titles without a cover.
  const { default: sharp } = await import('sharp');
  const picture = sharp({ create: { width: 400, height: 600, channels: 3, background } });
  return { status: 200, contentType: 'image/jpeg', body: await picture.jpeg({ quality: 80 }).toBuffer() };
}

/**
 * The shop for reading apps: OPDS 2.0 at `/opds`, for each store at its host, in the language of
 * `lang` or of Accept-Language.
 */
export function opdsRoutes(app: FastifyInstance, services: Services): void {
  const readFeedRequest = async (
    request: FastifyRequest<OpdsRequest>,
  ): Promise<(FeedRequest & { color: string }) | undefined> => {
    const store = await findRequestedStore(services, request);
    if (!store) return undefined;
    const requestedLanguage = languages.find((code) => code === readText(request.query, 'lang')?.toLowerCase());
    const language: LanguageCode =
      requestedLanguage ?? findPreferredLanguage(request.headers['accept-language']) ?? store.language;
    const storeLanguage = { language, main: store.language };
    const { record } = await readConfiguration(services.db, store, storeLanguage);
    const context = {
      storeId: store.id,
      origin: getStoreOrigin(store, request, services.config),
      storeLanguage,
      query: requestedLanguage === undefined ? '' : `?lang=${requestedLanguage}`,
      showsPrices: record['ShowTitlePrice'] === 'true' && record['ShowBuyTitle'] === 'true',
      sells: record['ShowBuyTitle'] === 'true',
    };
    return { services, store, context, shop: record['ShelfName'] ?? '', color: record['ShelfColor'] ?? '' };
  };
  const getOrCreateAnswer = (
    store: Store,
    { origin, storeLanguage, query }: FeedRequest['context'],
    path: string,
    work: () => Promise<SharedAnswer>,
  ) => services.sharedAnswers.getOrCreate(store, `opds ${origin} ${storeLanguage.language} ${query} ${path}`, work);

  /**
   * Serves a shared answer at a URL; its cache key within the store includes the path and the
   * cursor.
   */
  const serve = (
    url: string,
    createAnswer: (
      feedRequest: FeedRequest & { color: string },
      name: string,
      cursor: string | undefined,
    ) => Promise<SharedAnswer>,
  ): void => {
    app.get<OpdsRequest>(url, { exposeHeadRoute: true }, async (request, reply) => {
      const feedRequest = await readFeedRequest(request);
      const cursor = readText(request.query, 'cursor');
      const name = request.params.name ?? '';
      if (!feedRequest || (cursor ?? '').length > MAX_CURSOR_CHARS) return sendNotFound(reply);
      const path = `${request.url.split('?', 1)[0] ?? ''} ${cursor ?? ''}`;
      try {
        return await sendFeed(
          request,
          reply,
          await getOrCreateAnswer(feedRequest.store, feedRequest.context, path, () => createAnswer(feedRequest, name, cursor)),
        );
      } catch (error) {
        // The cursor is invalid, or belongs to another list.
        if (error instanceof DomainError && error.kind === 'bad_request') return sendNotFound(reply);
        throw error;
      }
    });
  };

  serve('/opds', async (feedRequest) => toSharedAnswer(await readStartFeed(feedRequest), FEED_TYPE));
  serve('/opds/:name', async (feedRequest, name, cursor) =>
    toSharedAnswer(await readNamedFeed(feedRequest, name, cursor), FEED_TYPE),
  );
  serve('/opds/categories/:name', async (feedRequest, name, cursor) =>
    toSharedAnswer(isId(name) ? await readCategoryFeed(feedRequest, name, cursor) : undefined, FEED_TYPE),
  );
  serve('/opds/titles/:name', async (feedRequest, name) =>
    toSharedAnswer(isId(name) ? await readTitleEntry(feedRequest, name) : undefined, PUBLICATION_TYPE),
  );
  serve('/opds/binding.jpg', ({ color }) => renderPlainCover(color));
  // Typed searches rarely repeat: they are not cached.
  app.get<OpdsRequest>('/opds/search', { exposeHeadRoute: true }, async (request, reply) => {
    const feedRequest = await readFeedRequest(request);
    const [words = '', cursor] = [readText(request.query, 'query'), readText(request.query, 'cursor')];
    if (!feedRequest || words.length > MAX_SEARCH_CHARS || (cursor ?? '').length > MAX_CURSOR_CHARS) return sendNotFound(reply);
    const feed = await services.priorityGate
      .runList(() => readSearchFeed(feedRequest, words, cursor))
      .catch((error: unknown) => {
        if (error instanceof DomainError && error.kind === 'bad_request') return undefined;
        throw error;
      });
    return sendFeed(request, reply, toSharedAnswer(feed, FEED_TYPE));
  });
}
