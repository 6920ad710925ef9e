import { type CategoryKey, findCategoryAndBelow, getCategoryName } from '../../catalogue/category-tree.ts';
import { readCategoriesAndBelow, type FacetChoice } from '../../catalogue/facets.ts';
import { listTitles, type TitleRowsPage } from '../../catalogue/list-titles.ts';
import { localizeText } from '../../base/language.ts';
import { renderTitleSummary } from '../../catalogue/title-xml.ts';
import { element, type Markup, streamedDocument } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';

type CategoryQuery = Partial<Record<'titlesetid' | 'catalogid' | 'categoryid' | 'tagid', string>>;

/** The scope of a list: each of its categories with its descendants. */
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
  const chosen = [];
  for (const { value, ...choice } of choices) {
    if (value === undefined) continue;
    const found = await findCategoryAndBelow(services.db, store.id, { ...choice, value });
    if (!found) throw notFound(choice.kind === 'category' ? 'category' : 'list');
    chosen.push({ name: getCategoryName(found, spoken), ids: found.ids });
  }
  return chosen;
}

/** The name of a plan, on offer or not. @throws DomainError not_found */
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

/** Titles read at once: longer answers are streamed, so that no list fills the memory. */
export const MAX_PAGE_SIZE = 100;

type PageReader = {
  page: TitleRowsPage;
  go: (cursor: string | undefined, limit: number) => Promise<TitleRowsPage>;
};

const renderRows = (storeId: string, { rows }: TitleRowsPage): Markup[] => rows.map((row) => renderTitleSummary(storeId, row));

/** The titles of a long answer, portion by portion, and the cursor after them. */
async function* streamPages(storeId: string, limit: number, { page: first, go }: PageReader): AsyncGenerator<Markup> {
  let page = first;
  for (let left = limit; ; page = await go(page.next, Math.min(MAX_PAGE_SIZE, left))) {
    yield* renderRows(storeId, page);
    left -= page.rows.length;
    if (page.next === undefined) return;
    if (left <= 0) return void (yield element('next', page.next));
  }
}

/** The items of a comma-separated text. */
const splitList = (text: string | undefined): string[] => [...new Set(text?.split(','))];

type TitleFilters = Partial<Record<'kinds' | 'languages' | 'categories', string>> & {
  pricefrom?: number;
  priceto?: number;
  free?: boolean;
};

/** The filters of the list. */
export const toFacetChoice = (query: TitleFilters): FacetChoice => ({
  kinds: splitList(query.kinds).map(Number),
  languages: splitList(query.languages).map((language) => language.toLowerCase()),
  categories: splitList(query.categories),
  priceFrom: query.pricefrom,
  priceTo: query.priceto,
  free: query.free,
});

/** Titles by type, category, price, language, author, series, words and order. */
export async function titles(call: Call<'titles'>): Answer<'titles'> {
  const { services, store, query } = call;
  const places = await readCategoryIds(call, query);
  const { categories, ...narrowed } = toFacetChoice(query);
  const within = await readCategoriesAndBelow(services, store, categories);
  const filter = {
    ...narrowed,
    type: query.titletype,
    categories: [...places.map(({ ids }) => ids), ...(categories.length === 0 ? [] : [within])],
    search: query.search,
    slug: query.name,
    author: query.author,
    series: query.series,
    plan: query.plan,
  };
  const read: PageReader['go'] = (cursor, limit) => listTitles(services, store, filter, { sort: query.sort, cursor, limit });
  const isLong = query.limit > MAX_PAGE_SIZE;
  // A short list already has its slot, a long one takes a slot for each portion.
  const go: PageReader['go'] = (cursor, limit) =>
    isLong ? services.priorityGate.runList(() => read(cursor, limit)) : read(cursor, limit);
  const page = await go(query.cursor, Math.min(query.limit, MAX_PAGE_SIZE));
  const name = places[0]?.name ?? (query.plan === undefined ? undefined : await readPlanName(call, query.plan));
  const about = { total: page.total, name, meant: page.meant, behindFirst: page.behindFirst };
  if (isLong && page.next !== undefined)
    return streamedDocument('Titles', about, streamPages(store.id, query.limit, { page, go }));
  return element('Titles', renderRows(store.id, page), { ...about, next: page.next });
}
