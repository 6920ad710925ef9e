import { categoryAndBelow } from '../catalogue/category-tree.ts';
import { listTitles } from '../catalogue/list-titles.ts';
import { titleSummary } from '../catalogue/title-xml.ts';
import { element } from '../xml/write.ts';
import type { Answer, Call } from './call.ts';
import { notFound } from './refusal.ts';

/** The categories that the call narrows to: within each choice any of them, and all choices together. */
async function chosenCategories({ services, store, query }: Call<'titles'>): Promise<string[] | undefined> {
  const choices = [
    { kind: 'category', column: 'id', value: query.categoryid },
    { kind: 'category', column: 'tag_id', value: query.tagid },
    { kind: 'catalog', column: 'id', value: query.catalogid },
    { kind: 'titleset', column: 'id', value: query.titlesetid },
  ] as const;
  let chosen: string[] | undefined;
  for (const { value, ...choice } of choices) {
    if (value === undefined) continue;
    const found = await categoryAndBelow(services.db, store.id, { ...choice, value });
    if (!found) throw notFound(choice.kind === 'category' ? 'category' : 'list');
    chosen = chosen ? chosen.filter((id) => found.includes(id)) : found;
  }
  return chosen;
}

/** A page of titles by type, category, words and order. */
export async function titles(call: Call<'titles'>): Answer<'titles'> {
  const { services, store, query } = call;
  const page = await listTitles(
    services.db,
    {
      storeId: store.id,
      type: query.titletype,
      categoryIds: await chosenCategories(call),
      search: query.search,
    },
    { sort: query.sort, cursor: query.cursor, limit: query.limit },
  );
  return element(
    'Titles',
    page.rows.map((row) => titleSummary(store.id, row)),
    { total: page.total, next: page.next },
  );
}
