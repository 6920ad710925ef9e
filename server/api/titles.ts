import { type Choice, categoryAndBelow } from '../catalogue/category-tree.ts';
import { listTitles } from '../catalogue/list-titles.ts';
import { titleSummary } from '../catalogue/title-xml.ts';
import { element } from '../xml/write.ts';
import type { Answer, Call } from './call.ts';
import { notFound } from './refusal.ts';

/** The categories that the call narrows to: each choice with what lies below it. */
async function chosenCategories({ services, store, query }: Call<'titles'>): Promise<{ name: string; ids: string[] }[]> {
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
    chosen.push(found);
  }
  return chosen;
}

/** A page of titles by type, category, price, words and order. */
export async function titles(call: Call<'titles'>): Answer<'titles'> {
  const { services, store, query } = call;
  const chosen = await chosenCategories(call);
  const page = await listTitles(
    services,
    store,
    {
      type: query.titletype,
      categories: chosen.map(({ ids }) => ids),
      search: query.search,
      slug: query.name,
      priceFrom: query.pricefrom,
      priceTo: query.priceto,
      free: query.free,
    },
    { sort: query.sort, cursor: query.cursor, limit: query.limit },
  );
  return element(
    'Titles',
    page.rows.map((row) => titleSummary(store.id, row)),
    { total: page.total, next: page.next, name: chosen[0]?.name },
  );
}
