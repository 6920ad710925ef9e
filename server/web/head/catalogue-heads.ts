import { categoryPath, collectionPath, listPath, shelfQueries, toSlug } from '../../../machines/model/paths.ts';
import { type CategoryRow, listCategories, getCategoryName } from '../../catalogue/category-tree.ts';
import { findTitle, type FullTitle } from '../../catalogue/find-title.ts';
import { toIsbn13 } from '../../catalogue/isbn.ts';
import { isId, isName } from '../../base/ids.ts';
import { type HeadRequest, createUnlistedHead, createNotFoundHead } from './head-request.ts';
import { localizeText } from '../../base/language.ts';
import type { PageHead } from './page-head.ts';
import { toTitleHead } from './title-head.ts';

const LIST_NAMES: Record<string, string> = {
  all: 'TitlesDisplayText',
  ebook: 'EbooksDisplayText',
  audio: 'AudioTitlesDisplayText',
  video: 'VideoTitlesDisplayText',
};
const TYPE_CODES: Record<string, number> = { ebook: 1, audio: 2, video: 4 };

function createListHead({ context }: HeadRequest, name: string, path: string): PageHead {
  const { words } = context.language;
  return { status: 200, name, path, description: words.listDescription({ list: name, shop: context.shop }) };
}

function createTitleHead(request: HeadRequest, title: FullTitle | undefined): PageHead {
  if (!title) return createNotFoundHead(request);
  const { store, storeLanguage, record, context } = request;
  const showsPrices = record['ShowTitlePrice'] === 'true' && record['ShowBuyTitle'] === 'true';
  const head = toTitleHead({ ...title, description: localizeText(title, 'description', storeLanguage) }, context, {
    storeId: store.id,
    showsPrices,
  });
  // Buyers of an unlisted title can still open it, but search engines must not list it.
  return title.listed ? head : createUnlistedHead(title.name);
}

/** `/id:{titleId}/{name?}` */
export async function readTitleHeadById(request: HeadRequest): Promise<PageHead> {
  const id = request.segments[0]?.slice('id:'.length);
  return isId(id)
    ? createTitleHead(request, await findTitle(request.services.db, request.store.id, { id }))
    : createNotFoundHead(request);
}

/** `/isbn:{isbn}/{name?}` */
export async function readTitleHeadByIsbn(request: HeadRequest): Promise<PageHead> {
  const isbn = toIsbn13((request.segments[0] ?? '').slice('isbn:'.length, 64));
  return isbn
    ? createTitleHead(request, await findTitle(request.services.db, request.store.id, { isbn }))
    : createNotFoundHead(request);
}

async function findTitleByName({ services, store }: HeadRequest, type: string, name: string): Promise<FullTitle | undefined> {
  const row = await services.db
    .selectFrom('titles')
    .select('id')
    .where('store_id', '=', store.id)
    .where('offered', '=', true)
    .where('type', '=', TYPE_CODES[type] ?? 0)
    .where('slug', '=', name.toLowerCase())
    .orderBy('id')
    .executeTakeFirst();
  return row && findTitle(services.db, store.id, { id: row.id });
}

const hasIdOrTag = (idOrTag: string) => (category: CategoryRow) => category.id === idOrTag || category.tag_id === idOrTag;

/** The category at the end of an address: by its id or tag, or by its name where no id follows. */
async function findCategory({ services, store, segments }: HeadRequest): Promise<CategoryRow | undefined> {
  const categories = await services.cache.getOrCompute(store, 'categories', () => listCategories(services.db, store.id));
  const lastSegment = segments.at(-1) ?? '';
  const listNames = ({ name, translations }: CategoryRow) => [
    name,
    ...Object.values(translations).map((texts) => texts.name ?? ''),
  ];
  const hasName = (category: CategoryRow) =>
    listNames(category).some((name) => toSlug(name).toLowerCase() === toSlug(lastSegment).toLowerCase());
  return categories.find(hasIdOrTag(lastSegment)) ?? (segments.length === 2 ? categories.find(hasName) : undefined);
}

/**
 * `/{type}` and all paths below it: a list, a category's list, or a title of that type by its name
 * or id.
 */
export async function readListOrTitleHead(request: HeadRequest): Promise<PageHead> {
  const [type = 'all', name] = request.segments;
  const listName = request.record[LIST_NAMES[type] ?? ''] ?? '';
  if (name === undefined) return createListHead(request, listName, listPath(type));
  const shelfPath = listPath(type) + listPath(name);
  if (request.name !== undefined && shelfPath in shelfQueries) return createListHead(request, request.name, shelfPath);
  const category = await findCategory(request);
  if (category) return createListHead(request, getCategoryName(category, request.storeLanguage), categoryPath(category, type));
  const { services, store, segments } = request;
  if (type === 'all' || segments.length > 3) return createNotFoundHead(request);
  const id = segments[2];
  if (id !== undefined)
    return isId(id) ? createTitleHead(request, await findTitle(services.db, store.id, { id })) : createNotFoundHead(request);
  return isName(name) ? createTitleHead(request, await findTitleByName(request, type, name)) : createNotFoundHead(request);
}

/** `/catalog/titles/{id}` and `/titleset/titles/{id}` */
export async function readTitleSetHead(request: HeadRequest): Promise<PageHead> {
  const [kindSegment, , id] = request.segments;
  const kind = kindSegment === 'catalog' ? 'catalog' : 'titleset';
  if (!isId(id)) return createNotFoundHead(request);
  const row = await request.services.db
    .selectFrom('categories')
    .select(['name', 'translations'])
    .where('store_id', '=', request.store.id)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row
    ? createListHead(request, getCategoryName(row, request.storeLanguage), collectionPath(kind, id))
    : createNotFoundHead(request);
}
