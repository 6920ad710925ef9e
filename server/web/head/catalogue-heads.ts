import { categoryPath, collectionPath, listPath, shelfQueries, slug } from '../../../machines/model/paths.ts';
import { type CategoryRow, listCategories, getCategoryName } from '../../catalogue/category-tree.ts';
import { findTitle, type FullTitle } from '../../catalogue/find-title.ts';
import { toIsbn13 } from '../../catalogue/isbn.ts';
import { isId, isName } from '../../base/ids.ts';
import { type HeadRequest, unlistedHead, notFoundHead } from './head-request.ts';
import { localizeText } from '../../base/language.ts';
import type { PageHead } from './page-head.ts';
import { titleHead } from './title-head.ts';

const LIST_NAMES: Record<string, string> = {
  all: 'TitlesDisplayText',
  ebook: 'EbooksDisplayText',
  audio: 'AudioTitlesDisplayText',
  video: 'VideoTitlesDisplayText',
};
const TYPE_CODES: Record<string, number> = { ebook: 1, audio: 2, video: 4 };

function createListHead({ setting }: HeadRequest, name: string, path: string): PageHead {
  const { words } = setting.language;
  return { status: 200, name, path, description: words.listDescription({ list: name, shop: setting.shop }) };
}

function createTitleHead(request: HeadRequest, title: FullTitle | undefined): PageHead {
  if (!title) return notFoundHead(request);
  const { store, spoken, record, setting } = request;
  const showsPrices = record['ShowTitlePrice'] === 'true' && record['ShowBuyTitle'] === 'true';
  const head = titleHead({ ...title, description: localizeText(title, 'description', spoken) }, setting, {
    storeId: store.id,
    showsPrices,
  });
  // Its buyers can still open it, but search engines must not list it.
  return title.listed ? head : unlistedHead(title.name);
}

/** `/id:{titleId}/{name?}` */
export async function readTitleHeadById(request: HeadRequest): Promise<PageHead> {
  const id = request.parts[0]?.slice('id:'.length);
  return isId(id)
    ? createTitleHead(request, await findTitle(request.services.db, request.store.id, { id }))
    : notFoundHead(request);
}

/** `/isbn:{isbn}/{name?}` */
export async function readTitleHeadByIsbn(request: HeadRequest): Promise<PageHead> {
  const isbn = toIsbn13((request.parts[0] ?? '').slice('isbn:'.length, 64));
  return isbn
    ? createTitleHead(request, await findTitle(request.services.db, request.store.id, { isbn }))
    : notFoundHead(request);
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

const isCalled = (part: string) => (category: CategoryRow) => category.id === part || category.tag_id === part;

/** The category at the end of an address: by its id or tag, or by its name where no id follows. */
async function findCategory({ services, store, parts }: HeadRequest): Promise<CategoryRow | undefined> {
  const all = await services.cache.getOrCompute(store, 'categories', () => listCategories(services.db, store.id));
  const last = parts.at(-1) ?? '';
  const namesOf = ({ name, translations }: CategoryRow) => [
    name,
    ...Object.values(translations).map((texts) => texts.name ?? ''),
  ];
  const byName = (category: CategoryRow) =>
    namesOf(category).some((name) => slug(name).toLowerCase() === slug(last).toLowerCase());
  return all.find(isCalled(last)) ?? (parts.length === 2 ? all.find(byName) : undefined);
}

/**
 * `/{type}` and all paths below it: a list, a category's list, or a title of that type by its name
 * or id.
 */
export async function readListOrTitleHead(request: HeadRequest): Promise<PageHead> {
  const [type = 'all', name] = request.parts;
  const listName = request.record[LIST_NAMES[type] ?? ''] ?? '';
  if (name === undefined) return createListHead(request, listName, listPath(type));
  const shelf = listPath(type) + listPath(name);
  if (request.name !== undefined && shelf in shelfQueries) return createListHead(request, request.name, shelf);
  const category = await findCategory(request);
  if (category) return createListHead(request, getCategoryName(category, request.spoken), categoryPath(category, type));
  const { services, store, parts } = request;
  if (type === 'all' || parts.length > 3) return notFoundHead(request);
  const id = parts[2];
  if (id !== undefined)
    return isId(id) ? createTitleHead(request, await findTitle(services.db, store.id, { id })) : notFoundHead(request);
  return isName(name) ? createTitleHead(request, await findTitleByName(request, type, name)) : notFoundHead(request);
}

/** `/catalog/titles/{id}` and `/titleset/titles/{id}` */
export async function readTitleSetHead(request: HeadRequest): Promise<PageHead> {
  const [first, , id] = request.parts;
  const kind = first === 'catalog' ? 'catalog' : 'titleset';
  if (!isId(id)) return notFoundHead(request);
  const row = await request.services.db
    .selectFrom('categories')
    .select(['name', 'translations'])
    .where('store_id', '=', request.store.id)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row ? createListHead(request, getCategoryName(row, request.spoken), collectionPath(kind, id)) : notFoundHead(request);
}
