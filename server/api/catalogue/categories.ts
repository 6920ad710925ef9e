import { listCategories, getCategoryName, listBelow } from '../../catalogue/category-tree.ts';
import type { StoreLanguage } from '../../base/language.ts';
import type { Services } from '../../services.ts';
import type { Store } from '../../stores/stores.ts';
import { element, fields, type Markup } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';

/**
 * All categories, or the descendants of one; `isTranslated`: the answer depends on the language.
 */
export async function renderCategories(
  { cache, db }: Services,
  store: Store,
  spoken: StoreLanguage,
  above?: string,
): Promise<{ document: Markup; isTranslated: boolean }> {
  const all = await cache.getOrCompute(store, 'categories', () => listCategories(db, store.id));
  if (above !== undefined && !all.some((row) => row.id === above)) throw notFound('category');
  const rows = above === undefined ? all : listBelow(all, above);
  const document = element(
    'Categories',
    rows.map((row) =>
      element('Category', [
        fields({ Id: row.id, TagId: row.tag_id, Name: getCategoryName(row, spoken), ParentId: row.parent_id, Count: row.count }),
      ]),
    ),
  );
  return { document, isTranslated: rows.some(({ translations }) => Object.keys(translations).length > 0) };
}

export async function categories({ services, store, spoken, query }: Call<'categories'>): Answer<'categories'> {
  return (await renderCategories(services, store, spoken, query.categoryid)).document;
}
