import { categoryAndBelow, listCategories } from '../catalogue/category-tree.ts';
import { element, fields } from '../xml/write.ts';
import type { Answer, Call } from './call.ts';
import { notFound } from './refusal.ts';

/** All categories, or the sub-categories of one. */
export async function categories({ services, store, query }: Call<'categories'>): Answer<'categories'> {
  const parent = query.categoryid;
  if (parent !== undefined) {
    const known = await categoryAndBelow(services.db, store.id, { kind: 'category', column: 'id', value: parent });
    if (!known) throw notFound('category');
  }
  const rows = await listCategories(services.db, store.id, parent);
  return element(
    'Categories',
    rows.map((row) =>
      element('Category', [fields({ Id: row.id, TagId: row.tag_id, Name: row.name, ParentId: row.parent_id, Count: row.count })]),
    ),
  );
}
