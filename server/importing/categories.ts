import type { Database } from '../database/open.ts';
import { fold } from '../base/folding.ts';
import { toSlug } from '../../machines/model/paths.ts';

/** An unused id for a category of that name. */
function createUnusedId(name: string, usedIds: ReadonlySet<string>): string {
  const plain =
    fold(toSlug(name))
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 40) || 'category';
  for (let suffix = 1; ; suffix += 1) {
    const id = suffix === 1 ? plain : `${plain}-${suffix}`;
    if (!usedIds.has(id)) return id;
  }
}

/**
 * Adds a title to categories, given by id or name, and keeps its present ones. An unknown name
 * creates a category at the end. Runs inside the caller's transaction, which has locked the store.
 * @returns whether anything has changed
 */
export async function addToCategories(
  trx: Database,
  storeId: string,
  titleId: string,
  categories: readonly string[],
): Promise<boolean> {
  if (categories.length === 0) return false;
  const rows = await trx
    .selectFrom('categories')
    .select(['id', 'name', 'kind', 'position'])
    .where('store_id', '=', storeId)
    .execute();
  const ids = new Set(rows.map(({ id }) => id));
  const idByName = new Map(
    rows
      .filter(({ kind }) => kind === 'category')
      .flatMap(({ id, name }) => [[fold(name), id] as const, [fold(id), id] as const]),
  );
  let position = Math.max(-1, ...rows.map((row) => row.position));
  for (const name of categories) {
    if (idByName.has(fold(name))) continue;
    const id = createUnusedId(name, ids);
    await trx
      .insertInto('categories')
      .values({ store_id: storeId, id, name, position: (position += 1) })
      .execute();
    idByName.set(fold(name), id);
    ids.add(id);
  }
  const categoryIds = new Set(categories.map((name) => idByName.get(fold(name)) ?? ''));
  const insertedRows = await trx
    .insertInto('title_categories')
    .values([...categoryIds].map((id) => ({ store_id: storeId, category_id: id, title_id: titleId })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('category_id')
    .execute();
  return insertedRows.length > 0;
}
