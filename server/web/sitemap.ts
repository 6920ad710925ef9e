import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { propertiesOf } from '../api/store/properties.ts';
import type { Store } from '../stores/stores.ts';
import { originOf, storeAsked } from '../stores/origin.ts';
import { categoryPath, collectionPath, pagePath, titlePath } from '../../machines/model/paths.ts';
import { listCategories } from '../catalogue/category-tree.ts';
import { routes } from '../../machines/flows/routes.ts';
import type { Services } from '../services.ts';
import { element, fields, type Markup, xmlDocument } from '../base/xml/write.ts';

const NAMESPACE = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' };
/** Titles of one part; the protocol allows 50,000 addresses and 50 MB. */
const PART = 5000;

type Entry = { path: string; changed?: Date };

const address = (origin: string, { path, changed }: Entry): Markup =>
  element('url', [fields({ loc: `${origin}${path}`, lastmod: changed?.toISOString() })]);

const listed = routes.flatMap((route) => route.listed ?? []);

/** Everything that is to be found but the titles themselves. */
async function shopPages({ db, cache }: Services, store: Store): Promise<Entry[]> {
  const { record } = await propertiesOf(db, store, { language: store.language, main: store.language });
  const isThere = (property: string) => !['', 'false'].includes((record[property] ?? '').trim());
  const categories = await cache.of(store, 'categories', () => listCategories(db, store.id));
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
    ...listed.filter(({ where }) => where === undefined || isThere(where)).map(({ path }) => ({ path })),
    ...categories.filter(({ count }) => count > 0).map((category) => ({ path: categoryPath(category) })),
    ...sets.map(({ id, kind }) => ({ path: collectionPath(kind, id) })),
    ...pages.map(({ name, updated_at }) => ({ path: pagePath(name), changed: updated_at })),
  ];
}

async function titlePages({ db }: Services, store: Store, part: number): Promise<Entry[]> {
  const rows = await db
    .selectFrom('titles')
    .select(['id', 'name', 'added_at'])
    .where('store_id', '=', store.id)
    .where('offered', '=', true)
    .orderBy('id')
    .limit(PART)
    .offset((part - 1) * PART)
    .execute();
  return rows.map(({ id, name, added_at }) => ({ path: titlePath(id, name), changed: added_at }));
}

async function countTitles({ db, cache }: Services, store: Store): Promise<number> {
  return cache.of(store, 'titles in all', async () => {
    const row = await db
      .selectFrom('titles')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('store_id', '=', store.id)
      .where('offered', '=', true)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  });
}

/** What there is in a store for search engines: the whole in one document, or an index of its parts where it is large. */
export function sitemap(app: FastifyInstance, services: Services): void {
  const send = (reply: FastifyReply, root: Markup) =>
    reply.type('application/xml; charset=utf-8').header('cache-control', 'no-cache').send(xmlDocument(root));
  const open = async (request: FastifyRequest) => {
    const store = await storeAsked(services, request);
    return store && { store, origin: originOf(store, request, services.config) };
  };
  app.get('/sitemap.xml', async (request, reply) => {
    const asked = await open(request);
    if (!asked) return reply.callNotFound();
    const { store, origin } = asked;
    const parts = Math.ceil((await countTitles(services, store)) / PART);
    if (parts > 1) {
      const files = Array.from({ length: parts + 1 }, (_, part) =>
        element('sitemap', [fields({ loc: `${origin}/sitemap-${part}.xml` })]),
      );
      return send(reply, element('sitemapindex', files, NAMESPACE));
    }
    const entries = [...(await shopPages(services, store)), ...(await titlePages(services, store, 1))];
    const urls = entries.map((entry) => address(origin, entry));
    return send(reply, element('urlset', urls, NAMESPACE));
  });
  // Part 0 has the pages, every further one titles.
  app.get<{ Params: { part: string } }>('/sitemap-:part(^\\d{1,4}).xml', async (request, reply) => {
    const asked = await open(request);
    const part = Number(request.params.part);
    const entries = !asked
      ? []
      : part === 0
        ? await shopPages(services, asked.store)
        : await titlePages(services, asked.store, part);
    if (!asked || entries.length === 0) return reply.callNotFound();
    const urls = entries.map((entry) => address(asked.origin, entry));
    return send(reply, element('urlset', urls, NAMESPACE));
  });
}
