import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readConfiguration } from '../api/store/properties.ts';
import type { Store } from '../stores/stores.ts';
import { getStoreOrigin, findRequestedStore } from '../stores/origin.ts';
import { categoryPath, collectionPath, pagePath, titlePath } from '../../machines/model/paths.ts';
import { listCategories } from '../catalogue/category-tree.ts';
import { routes } from '../../machines/flows/routes.ts';
import type { Services } from '../services.ts';
import { renderElement, renderFields, type Markup, renderDocument } from '../base/xml/write.ts';

const NAMESPACE = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' };
/** Titles per part; the protocol allows 50,000 addresses and 50 MB. */
const TITLES_PER_PART = 5000;

type Entry = { path: string; changedAt?: Date };

const renderUrl = (origin: string, { path, changedAt }: Entry): Markup =>
  renderElement('url', [renderFields({ loc: `${origin}${path}`, lastmod: changedAt?.toISOString() })]);

const listedPaths = routes.flatMap((route) => route.listed ?? []);

/** All public pages except the titles. */
async function readShopPages({ db, cache }: Services, store: Store): Promise<Entry[]> {
  const { record } = await readConfiguration(db, store, { language: store.language, main: store.language });
  const isSet = (property: string) => !['', 'false'].includes((record[property] ?? '').trim());
  const categories = await cache.getOrCompute(store, 'categories', () => listCategories(db, store.id));
  const sets = await db
    .selectFrom('categories')
    .select(['id', 'kind'])
    .where('store_id', '=', store.id)
    .where('kind', '<>', 'category')
    .where('parent_id', 'is', null)
    .orderBy('id')
    .execute();
  const pages = await db
    .selectFrom('pages')
    .select(['name', 'updated_at'])
    .where('store_id', '=', store.id)
    .where('is_private', '=', false)
    .orderBy('name')
    .execute();
  return [
    ...listedPaths.filter(({ where }) => where === undefined || isSet(where)).map(({ path }) => ({ path })),
    ...categories.filter(({ count }) => count > 0).map((category) => ({ path: categoryPath(category) })),
    ...sets.map(({ id, kind }) => ({ path: collectionPath(kind, id) })),
    ...pages.map(({ name, updated_at }) => ({ path: pagePath(name), changedAt: updated_at })),
  ];
}

async function readTitlePages({ db }: Services, store: Store, part: number): Promise<Entry[]> {
  const rows = await db
    .selectFrom('titles')
    .select(['id', 'name', 'added_at'])
    .where('store_id', '=', store.id)
    .where('offered', '=', true)
    .orderBy('id')
    .limit(TITLES_PER_PART)
    .offset((part - 1) * TITLES_PER_PART)
    .execute();
  return rows.map(({ id, name, added_at }) => ({ path: titlePath(id, name), changedAt: added_at }));
}

async function countTitles({ db, cache }: Services, store: Store): Promise<number> {
  return cache.getOrCompute(store, 'titles in all', async () => {
    const row = await db
      .selectFrom('titles')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('store_id', '=', store.id)
      .where('offered', '=', true)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  });
}

/**
 * A store's sitemap for search engines: one document, or an index of its parts where it is large.
 */
export function registerSitemap(app: FastifyInstance, services: Services): void {
  const send = (reply: FastifyReply, root: Markup) =>
    reply.type('application/xml; charset=utf-8').header('cache-control', 'no-cache').send(renderDocument(root));
  const readStoreAndOrigin = async (request: FastifyRequest) => {
    const store = await findRequestedStore(services, request);
    return store && { store, origin: getStoreOrigin(store, request, services.config) };
  };
  app.get('/sitemap.xml', async (request, reply) => {
    const requested = await readStoreAndOrigin(request);
    if (!requested) return reply.callNotFound();
    const { store, origin } = requested;
    const parts = Math.ceil((await countTitles(services, store)) / TITLES_PER_PART);
    if (parts > 1) {
      const files = Array.from({ length: parts + 1 }, (_, part) =>
        renderElement('sitemap', [renderFields({ loc: `${origin}/sitemap-${part}.xml` })]),
      );
      return send(reply, renderElement('sitemapindex', files, NAMESPACE));
    }
    const entries = [...(await readShopPages(services, store)), ...(await readTitlePages(services, store, 1))];
    const urls = entries.map((entry) => renderUrl(origin, entry));
    return send(reply, renderElement('urlset', urls, NAMESPACE));
  });
  // Part 0 has the pages, all others have titles.
  app.get<{ Params: { part: string } }>('/sitemap-:part(^\\d{1,4}).xml', async (request, reply) => {
    const requested = await readStoreAndOrigin(request);
    const part = Number(request.params.part);
    const entries = !requested
      ? []
      : part === 0
        ? await readShopPages(services, requested.store)
        : await readTitlePages(services, requested.store, part);
    if (!requested || entries.length === 0) return reply.callNotFound();
    const urls = entries.map((entry) => renderUrl(requested.origin, entry));
    return send(reply, renderElement('urlset', urls, NAMESPACE));
  });
}
