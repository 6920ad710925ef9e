import { listCategories, getCategoryName, listDescendants } from '../../catalogue/category-tree.ts';
import type { StoreLanguage } from '../../base/language.ts';
import type { Services } from '../../services.ts';
import type { Store } from '../../stores/stores.ts';
import { renderElement, renderFields, type Markup } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';

/**
 * Renders all categories, or the descendants of one; `isTranslated`: the document depends on the
 * language.
 */
export async function renderCategories(
  { cache, db }: Services,
  store: Store,
  spoken: StoreLanguage,
  ancestorId?: string,
): Promise<{ document: Markup; isTranslated: boolean }> {
  const allCategories = await cache.getOrCompute(store, 'categories', () => listCategories(db, store.id));
  if (ancestorId !== undefined && !allCategories.some((row) => row.id === ancestorId)) throw notFound('category');
  const rows = ancestorId === undefined ? allCategories : listDescendants(allCategories, ancestorId);
  const document = renderElement(
    'Categories',
    rows.map((row) =>
      renderElement('Category', [
        renderFields({
          Id: row.id,
          TagId: row.tag_id,
          Name: getCategoryName(row, spoken),
          ParentId: row.parent_id,
          Count: row.count,
        }),
      ]),
    ),
  );
  return { document, isTranslated: rows.some(({ translations }) => Object.keys(translations).length > 0) };
}

export async function categories({ services, store, spoken, query }: Call<'categories'>): Answer<'categories'> {
  return (await renderCategories(services, store, spoken, query.categoryid)).document;
}
