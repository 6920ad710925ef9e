import { listCategories, partBelow } from '../catalogue/category-tree.ts';
import type { Services } from '../services.ts';
import type { Store } from '../stores.ts';
import { element, fields, type Markup } from '../xml/write.ts';
import type { Answer, Call } from './call.ts';
import { notFound } from './refusal.ts';

/** All categories, or the part of their tree below one. */
export async function categoriesOf({ cache, db }: Services, store: Store, above?: string): Promise<Markup> {
  const all = await cache.of(store, 'categories', () => listCategories(db, store.id));
  if (above !== undefined && !all.some((row) => row.id === above)) throw notFound('category');
  const rows = above === undefined ? all : partBelow(all, above);
  return element(
    'Categories',
    rows.map((row) =>
      element('Category', [fields({ Id: row.id, TagId: row.tag_id, Name: row.name, ParentId: row.parent_id, Count: row.count })]),
    ),
  );
}

export async function categories({ services, store, query }: Call<'categories'>): Answer<'categories'> {
  return categoriesOf(services, store, query.categoryid);
}
