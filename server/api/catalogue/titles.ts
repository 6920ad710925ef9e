import { type Choice, categoryAndBelow, nameIn } from '../../catalogue/category-tree.ts';
import { categoriesAndBelow, type Chosen } from '../../catalogue/facets.ts';
import { listTitles, type TitleRowsPage } from '../../catalogue/list-titles.ts';
import { textIn } from '../../base/language.ts';
import { titleSummary } from '../../catalogue/title-xml.ts';
import { element, type Markup, streamedDocument } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';

type Place = Partial<Record<'titlesetid' | 'catalogid' | 'categoryid' | 'tagid', string>>;

/** What the list is of: each of its categories with what lies below it. */
export async function placesOf({ services, store, spoken }: Call, query: Place): Promise<{ name: string; ids: string[] }[]> {
  const choices: (Omit<Choice, 'value'> & { value: string | undefined })[] = [
    { kind: 'titleset', column: 'id', value: query.titlesetid },
    { kind: 'catalog', column: 'id', value: query.catalogid },
    { kind: 'category', column: 'id', value: query.categoryid },
    { kind: 'category', column: 'tag_id', value: query.tagid },
  ];
  const chosen = [];
  for (const { value, ...choice } of choices) {
    if (value === undefined) continue;
    const found = await categoryAndBelow(services.db, store.id, { ...choice, value });
    if (!found) throw notFound(choice.kind === 'category' ? 'category' : 'list');
    chosen.push({ name: nameIn(found, spoken), ids: found.ids });
  }
  return chosen;
}

/** The name of a plan, whether it is still sold or not. @throws DomainError not_found */
async function planName({ services, store, spoken }: Pick<Call, 'services' | 'store' | 'spoken'>, id: string): Promise<string> {
  const plan = await services.db
    .selectFrom('plans')
    .select(['name', 'translations'])
    .where('store_id', '=', store.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!plan) throw notFound('plan');
  return textIn(plan, 'name', spoken);
}

/** Titles that are read at once: longer answers are sent as they are read, so that no list fills the memory. */
export const PORTION = 100;

type Reading = {
  page: TitleRowsPage;
  go: (cursor: string | undefined, limit: number) => Promise<TitleRowsPage>;
};

const written = (storeId: string, { rows }: TitleRowsPage): Markup[] => rows.map((row) => titleSummary(storeId, row));

/** The titles of a long answer, portion by portion, and the cursor behind them. */
async function* portions(storeId: string, limit: number, { page: first, go }: Reading): AsyncGenerator<Markup> {
  let page = first;
  for (let left = limit; ; page = await go(page.next, Math.min(PORTION, left))) {
    yield* written(storeId, page);
    left -= page.rows.length;
    if (page.next === undefined) return;
    if (left <= 0) return void (yield element('next', page.next));
  }
}

/** The parts of a list in a text: `a,b`. */
const partsIn = (text: string | undefined): string[] => [...new Set(text?.split(','))];

type Narrowing = Partial<Record<'kinds' | 'languages' | 'categories', string>> & {
  pricefrom?: number;
  priceto?: number;
  free?: boolean;
};

/** What the list is narrowed by. */
export const chosenIn = (query: Narrowing): Chosen => ({
  kinds: partsIn(query.kinds).map(Number),
  languages: partsIn(query.languages).map((language) => language.toLowerCase()),
  categories: partsIn(query.categories),
  priceFrom: query.pricefrom,
  priceTo: query.priceto,
  free: query.free,
});

/** Titles by type, category, price, language, author, series, words and order. */
export async function titles(call: Call<'titles'>): Answer<'titles'> {
  const { services, store, query } = call;
  const places = await placesOf(call, query);
  const { categories, ...narrowed } = chosenIn(query);
  const within = await categoriesAndBelow(services, store, categories);
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
  const read: Reading['go'] = (cursor, limit) => listTitles(services, store, filter, { sort: query.sort, cursor, limit });
  const isLong = query.limit > PORTION;
  // A short list has been given its turn already, a long one takes one for each portion.
  const go: Reading['go'] = (cursor, limit) => (isLong ? services.turns.list(() => read(cursor, limit)) : read(cursor, limit));
  const page = await go(query.cursor, Math.min(query.limit, PORTION));
  const name = places[0]?.name ?? (query.plan === undefined ? undefined : await planName(call, query.plan));
  const about = { total: page.total, name, meant: page.meant, behindFirst: page.behindFirst };
  if (isLong && page.next !== undefined) return streamedDocument('Titles', about, portions(store.id, query.limit, { page, go }));
  return element('Titles', written(store.id, page), { ...about, next: page.next });
}
