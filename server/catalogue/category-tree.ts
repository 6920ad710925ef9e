import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import { type StoreLanguage, localizeText, type Translations } from '../base/language.ts';

/** The name of a category, in each language. */
type CategoryName = { name: string; translations: Translations<'name'> };

/** The name of a category in the given language. */
export const getCategoryName = (category: CategoryName, storeLanguage: Pick<StoreLanguage, 'language'>): string =>
  localizeText(category, 'name', storeLanguage);

export type CategoryKey = { kind: 'category' | 'catalog' | 'titleset'; column: 'id' | 'tag_id'; value: string };

/**
 * The name of the category with that id or tag, and the ids of it and all its descendants;
 * undefined for an unknown category. Each is visited once, so that a cycle of categories ends.
 */
export async function findCategoryWithDescendants(
  db: Database,
  storeId: string,
  choice: CategoryKey,
): Promise<(CategoryName & { ids: string[] }) | undefined> {
  const { rows } = await sql<{ id: string; name: string | null; translations: Translations<'name'> | null }>`
    with recursive tree as (
      select id from categories
      where store_id = ${storeId} and kind = ${choice.kind} and ${sql.ref(choice.column)} = ${choice.value}
      union
      select child.id from categories child join tree on child.parent_id = tree.id
      where child.store_id = ${storeId}
    ) select tree.id, named.name, named.translations from tree
      left join categories named on named.store_id = ${storeId} and named.id = tree.id
        and named.${sql.ref(choice.column)} = ${choice.value}`.execute(db);
  if (rows.length === 0) return undefined;
  const namedRow = rows.find(({ name }) => name !== null);
  return { name: namedRow?.name ?? '', translations: namedRow?.translations ?? {}, ids: rows.map(({ id }) => id) };
}

export type CategoryRow = CategoryName & {
  id: string;
  tag_id: string | null;
  /** another of these categories; null where the parent is not one of them */
  parent_id: string | null;
  /** listed titles in it and its descendants, each counted once */
  count: number;
};

/** Every category of the store, in its order. */
export async function listCategories(db: Database, storeId: string): Promise<CategoryRow[]> {
  const { rows } = await sql<CategoryRow>`
    with recursive below as (
      select id as root, id from categories where store_id = ${storeId} and kind = 'category'
      union
      select below.root, child.id from categories child join below on child.parent_id = below.id
      where child.store_id = ${storeId}
    ), counts as (
      select below.root, count(distinct titles.id) as count
      from below
      join title_categories on title_categories.store_id = ${storeId} and title_categories.category_id = below.id
      join titles on titles.store_id = ${storeId} and titles.id = title_categories.title_id and titles.offered
      group by below.root
    )
    select each.id, each.tag_id, each.name, each.translations, parent.id as parent_id, coalesce(counts.count, 0)::int as count
    from categories each
    left join categories parent on parent.store_id = each.store_id and parent.id = each.parent_id and parent.kind = 'category'
    left join counts on counts.root = each.id
    where each.store_id = ${storeId} and each.kind = 'category'
    order by each.position, each.name, each.id`.execute(db);
  return rows;
}

/** The descendants of a category, in the store's order; without the category itself. */
export function listDescendants(rows: CategoryRow[], id: string): CategoryRow[] {
  const visitedIds = new Set([id]);
  for (let previousSize = 0; previousSize !== visitedIds.size;) {
    previousSize = visitedIds.size;
    for (const row of rows) if (row.parent_id !== null && visitedIds.has(row.parent_id)) visitedIds.add(row.id);
  }
  return rows.filter((row) => row.id !== id && visitedIds.has(row.id));
}
