import { sql } from 'kysely';
import type { Database } from '../database/open.ts';

type Choice = { kind: 'category' | 'catalog' | 'titleset'; column: 'id' | 'tag_id'; value: string };

/** The category of that id or tag, and everything below it; undefined when there is none. */
export async function categoryAndBelow(db: Database, storeId: string, choice: Choice): Promise<string[] | undefined> {
  const { rows } = await sql<{ id: string }>`
    with recursive tree as (
      select id from categories
      where store_id = ${storeId} and kind = ${choice.kind} and ${sql.ref(choice.column)} = ${choice.value}
      union
      select child.id from categories child join tree on child.parent_id = tree.id
      where child.store_id = ${storeId}
    ) select id from tree`.execute(db);
  return rows.length === 0 ? undefined : rows.map((row) => row.id);
}

export type CategoryRow = {
  id: string;
  tag_id: string | null;
  name: string;
  parent_id: string | null;
  /** listed titles in it and below, each counted once */
  count: number;
};

/** Every category of the store, or those directly below one, in the store's order. */
export async function listCategories(db: Database, storeId: string, parentId: string | undefined): Promise<CategoryRow[]> {
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
      join titles on titles.store_id = ${storeId} and titles.id = title_categories.title_id and titles.listed
      group by below.root
    )
    select categories.id, tag_id, name, parent_id, coalesce(counts.count, 0)::int as count
    from categories left join counts on counts.root = categories.id
    where store_id = ${storeId} and kind = 'category'
      and (${parentId ?? null}::text is null or parent_id = ${parentId ?? null})
    order by position, name, id`.execute(db);
  return rows;
}
