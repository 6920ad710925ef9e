import { type CategoryKey, findCategoryWithDescendants, getCategoryName } from '../../catalogue/category-tree.ts';
import { readCategoriesWithDescendants, type FacetChoice } from '../../catalogue/facets.ts';
import { listTitles, type TitleRowsPage } from '../../catalogue/list-titles.ts';
import { localizeText } from '../../base/language.ts';
import { renderTitleSummary } from '../../catalogue/title-xml.ts';
import { renderElement, type Markup, createStreamedDocument } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';

type CategoryQuery = Partial<Record<'titlesetid' | 'catalogid' | 'categoryid' | 'tagid', string>>;

/**
 * Returns the scope of a list: for each requested category its name, and the ids of the category
 * and its descendants.
 */
export async function readCategoryIds(
  { services, store, spoken }: Call,
  query: CategoryQuery,
): Promise<{ name: string; ids: string[] }[]> {
  const choices: (Omit<CategoryKey, 'value'> & { value: string | undefined })[] = [
    { kind: 'titleset', column: 'id', value: query.titlesetid },
    { kind: 'catalog', column: 'id', value: query.catalogid },
    { kind: 'category', column: 'id', value: query.categoryid },
    { kind: 'category', column: 'tag_id', value: query.tagid },
  ];
  const scopes = [];
  for (const { value, ...choice } of choices) {
    if (value === undefined) continue;
    const category = await findCategoryWithDescendants(services.db, store.id, { ...choice, value });
    if (!category) throw notFound(choice.kind === 'category' ? 'category' : 'list');
    scopes.push({ name: getCategoryName(category, spoken), ids: category.ids });
  }
  return scopes;
}

/** Reads the name of a plan, on offer or not. @throws DomainError not_found */
async function readPlanName(
  { services, store, spoken }: Pick<Call, 'services' | 'store' | 'spoken'>,
  id: string,
): Promise<string> {
  const plan = await services.db
    .selectFrom('plans')
    .select(['name', 'translations'])
    .where('store_id', '=', store.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!plan) throw notFound('plan');
  return localizeText(plan, 'name', spoken);
}

/**
 * Maximum titles of a page. Longer lists are streamed page by page, so that none fills the memory.
 */
export const MAX_PAGE_SIZE = 100;

type PageReader = {
  page: TitleRowsPage;
  readPage: (cursor: string | undefined, limit: number) => Promise<TitleRowsPage>;
};

const renderRows = (storeId: string, { rows }: TitleRowsPage): Markup[] => rows.map((row) => renderTitleSummary(storeId, row));

/** Yields the titles of a long list, page by page, and the cursor after them. */
async function* streamPages(storeId: string, limit: number, { page: firstPage, readPage }: PageReader): AsyncGenerator<Markup> {
  let page = firstPage;
  for (let remaining = limit; ; page = await readPage(page.next, Math.min(MAX_PAGE_SIZE, remaining))) {
    yield* renderRows(storeId, page);
    remaining -= page.rows.length;
    if (page.next === undefined) return;
    if (remaining <= 0) return void (yield renderElement('next', page.next));
  }
}

/** Returns the distinct items of a comma-separated text. */
const splitList = (text: string | undefined): string[] => [...new Set(text?.split(','))];

type TitleFilters = Partial<Record<'kinds' | 'languages' | 'categories', string>> & {
  pricefrom?: number;
  priceto?: number;
  free?: boolean;
};

/** Converts a query to the filters of the list. */
export const toFacetChoice = (query: TitleFilters): FacetChoice => ({
  kinds: splitList(query.kinds).map(Number),
  languages: splitList(query.languages).map((language) => language.toLowerCase()),
  categories: splitList(query.categories),
  priceFrom: query.pricefrom,
  priceTo: query.priceto,
  free: query.free,
});

/** Returns titles by type, category, price, language, author, series and words, sorted. */
export async function titles(call: Call<'titles'>): Answer<'titles'> {
  const { services, store, query } = call;
  const scopes = await readCategoryIds(call, query);
  const { categories, ...filters } = toFacetChoice(query);
  const selectedCategoryIds = await readCategoriesWithDescendants(services, store, categories);
  const filter = {
    ...filters,
    type: query.titletype,
    categories: [...scopes.map(({ ids }) => ids), ...(categories.length === 0 ? [] : [selectedCategoryIds])],
    search: query.search,
    slug: query.name,
    author: query.author,
    series: query.series,
    plan: query.plan,
  };
  const listPage: PageReader['readPage'] = (cursor, limit) =>
    listTitles(services, store, filter, { sort: query.sort, cursor, limit });
  const isLong = query.limit > MAX_PAGE_SIZE;
  // The call of a short list already has a slot; a long list takes a slot for each page.
  const readPage: PageReader['readPage'] = (cursor, limit) =>
    isLong ? services.priorityGate.runList(() => listPage(cursor, limit)) : listPage(cursor, limit);
  const page = await readPage(query.cursor, Math.min(query.limit, MAX_PAGE_SIZE));
  const name = scopes[0]?.name ?? (query.plan === undefined ? undefined : await readPlanName(call, query.plan));
  const attributes = { total: page.total, name, meant: page.correctedSearch, behindFirst: page.behindFirst };
  if (isLong && page.next !== undefined)
    return createStreamedDocument('Titles', attributes, streamPages(store.id, query.limit, { page, readPage }));
  return renderElement('Titles', renderRows(store.id, page), { ...attributes, next: page.next });
}
