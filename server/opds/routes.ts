import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { propertiesOf } from '../api/store/properties.ts';
import { DomainError } from '../kernel/errors.ts';
import { languages } from '../../machines/model/store/language-names.ts';
import { languageWanted, type LanguageCode } from '../base/language.ts';
import { originOf, storeAsked } from '../stores/origin.ts';
import type { Services } from '../services.ts';
import { sendShared, type SharedAnswer } from '../stores/shared-answers.ts';
import type { Store } from '../stores/stores.ts';
import { isId } from '../base/ids.ts';
import { categoryFeed, listFeed, searchFeed, startFeed, titleEntry, type FeedRequest } from './feeds.ts';
import { FEED, PUBLICATION, type OpdsFeed, type OpdsPublication } from './opds.ts';

/** Letters of a search; nobody types more. */
const LONGEST_SEARCH = 200;
const LONGEST_CURSOR = 2000;

type Query = Readonly<Record<string, unknown>>;
type Asked = { Querystring: Query; Params: { name: string } };

const textIn = (query: Query, name: string): string | undefined => {
  const value = query[name];
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000') ? value : undefined;
};

const notThere = (reply: FastifyReply): FastifyReply =>
  reply.code(404).header('cache-control', 'no-cache').type('text/plain; charset=utf-8').send('Not found.');

const answerOf = (what: OpdsFeed | OpdsPublication | undefined, contentType: string): SharedAnswer =>
  what === undefined
    ? { status: 404, contentType: 'text/plain; charset=utf-8', body: Buffer.from('Not found.') }
    : { status: 200, contentType: `${contentType}; charset=utf-8`, body: Buffer.from(JSON.stringify(what)) };

/** Sends what everybody gets, or that it is still what the app has. */
async function send(request: FastifyRequest, reply: FastifyReply, answer: SharedAnswer): Promise<FastifyReply> {
  reply.header('vary', 'Accept-Language');
  reply.header('cache-control', 'no-cache');
  if (answer.status === 200) {
    const etag = `W/"${createHash('sha256').update(answer.body).digest('base64url').slice(0, 22)}"`;
    reply.header('etag', etag);
    const known = (request.headers['if-none-match'] ?? '').split(',').map((each) => each.trim());
    if (known.includes(etag)) return reply.code(304).send();
  }
  return sendShared(request, reply, answer);
}

/** A cover for titles that have none, in the colour of the shop. */
async function binding(color: string): Promise<SharedAnswer> {
  const background = /^#[0-9a-f]{6}$/i.test(color) ? color : '#0f6b6b';
  // Native code, for those shops alone that have such titles.
  const { default: sharp } = await import('sharp');
  const picture = sharp({ create: { width: 400, height: 600, channels: 3, background } });
  return { status: 200, contentType: 'image/jpeg', body: await picture.jpeg({ quality: 80 }).toBuffer() };
}

/** The shop for reading apps: OPDS 2.0 at `/opds`, for each store at its host, in the language that `lang` or the app asks for. */
export function opdsRoutes(app: FastifyInstance, services: Services): void {
  const open = async (request: FastifyRequest<Asked>): Promise<(FeedRequest & { color: string }) | undefined> => {
    const store = await storeAsked(services, request);
    if (!store) return undefined;
    const asked = languages.find((code) => code === textIn(request.query, 'lang')?.toLowerCase());
    const language: LanguageCode = asked ?? languageWanted(request.headers['accept-language']) ?? store.language;
    const spoken = { language, main: store.language };
    const { record } = await propertiesOf(services.db, store, spoken);
    const shelf = {
      storeId: store.id,
      origin: originOf(store, request, services.config),
      spoken,
      query: asked === undefined ? '' : `?lang=${asked}`,
      showsPrices: record['ShowTitlePrice'] === 'true' && record['ShowBuyTitle'] === 'true',
      sells: record['ShowBuyTitle'] === 'true',
    };
    return { services, store, shelf, shop: record['ShelfName'] ?? '', color: record['ShelfColor'] ?? '' };
  };
  const shared = (
    store: Store,
    { origin, spoken, query }: FeedRequest['shelf'],
    path: string,
    work: () => Promise<SharedAnswer>,
  ) => services.sharedAnswers.of(store, `opds ${origin} ${spoken.language} ${query} ${path}`, work);

  /** @param answer makes the answer to an address of a store; `path` tells it from all others */
  const serve = (
    url: string,
    answer: (asked: FeedRequest & { color: string }, name: string, cursor: string | undefined) => Promise<SharedAnswer>,
  ): void => {
    app.get<Asked>(url, { exposeHeadRoute: true }, async (request, reply) => {
      const asked = await open(request);
      const cursor = textIn(request.query, 'cursor');
      const name = request.params.name ?? '';
      if (!asked || (cursor ?? '').length > LONGEST_CURSOR) return notThere(reply);
      const path = `${request.url.split('?', 1)[0] ?? ''} ${cursor ?? ''}`;
      try {
        return await send(request, reply, await shared(asked.store, asked.shelf, path, () => answer(asked, name, cursor)));
      } catch (error) {
        // A cursor of another list.
        if (error instanceof DomainError && error.kind === 'bad_request') return notThere(reply);
        throw error;
      }
    });
  };

  serve('/opds', async (asked) => answerOf(await startFeed(asked), FEED));
  serve('/opds/:name', async (asked, name, cursor) => answerOf(await listFeed(asked, name, cursor), FEED));
  serve('/opds/categories/:name', async (asked, name, cursor) =>
    answerOf(isId(name) ? await categoryFeed(asked, name, cursor) : undefined, FEED),
  );
  serve('/opds/titles/:name', async (asked, name) =>
    answerOf(isId(name) ? await titleEntry(asked, name) : undefined, PUBLICATION),
  );
  serve('/opds/binding.jpg', ({ color }) => binding(color));
  // What people type is asked for once: it is not kept.
  app.get<Asked>('/opds/search', { exposeHeadRoute: true }, async (request, reply) => {
    const asked = await open(request);
    const [words = '', cursor] = [textIn(request.query, 'query'), textIn(request.query, 'cursor')];
    if (!asked || words.length > LONGEST_SEARCH || (cursor ?? '').length > LONGEST_CURSOR) return notThere(reply);
    const feed = await services.turns
      .list(() => searchFeed(asked, words, cursor))
      .catch((error: unknown) => {
        if (error instanceof DomainError && error.kind === 'bad_request') return undefined;
        throw error;
      });
    return send(request, reply, answerOf(feed, FEED));
  });
}
