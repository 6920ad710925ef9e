import { listCategories, partBelow } from '../catalogue/category-tree.ts';
import { element, fields } from '../xml/write.ts';
import type { Answer, Call } from './call.ts';
import { notFound } from './refusal.ts';

/** All categories, or the part of their tree below one. */
export async function categories({ services, store, query }: Call<'categories'>): Answer<'categories'> {
  const all = await services.kept.of(store, 'categories', () => listCategories(services.db, store.id));
  const above = query.categoryid;
  if (above !== undefined && !all.some((row) => row.id === above)) throw notFound('category');
  const rows = above === undefined ? all : partBelow(all, above);
  return element(
    'Categories',
    rows.map((row) =>
      element('Category', [fields({ Id: row.id, TagId: row.tag_id, Name: row.name, ParentId: row.parent_id, Count: row.count })]),
    ),
  );
}
