import type { Database } from '../database/open.ts';
import { fold } from '../base/folding.ts';
import { slug } from '../../machines/model/paths.ts';

/** An unused id for a category of that name. */
function newId(name: string, taken: ReadonlySet<string>): string {
  const plain =
    fold(slug(name))
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 40) || 'category';
  for (let nth = 1; ; nth += 1) {
    const id = nth === 1 ? plain : `${plain}-${nth}`;
    if (!taken.has(id)) return id;
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
  named: readonly string[],
): Promise<boolean> {
  if (named.length === 0) return false;
  const rows = await trx
    .selectFrom('categories')
    .select(['id', 'name', 'kind', 'position'])
    .where('store_id', '=', storeId)
    .execute();
  const ids = new Set(rows.map(({ id }) => id));
  const known = new Map(
    rows
      .filter(({ kind }) => kind === 'category')
      .flatMap(({ id, name }) => [[fold(name), id] as const, [fold(id), id] as const]),
  );
  let position = Math.max(-1, ...rows.map((row) => row.position));
  for (const name of named) {
    if (known.has(fold(name))) continue;
    const id = newId(name, ids);
    await trx
      .insertInto('categories')
      .values({ store_id: storeId, id, name, position: (position += 1) })
      .execute();
    known.set(fold(name), id);
    ids.add(id);
  }
  const wanted = new Set(named.map((name) => known.get(fold(name)) ?? ''));
  const filed = await trx
    .insertInto('title_categories')
    .values([...wanted].map((id) => ({ store_id: storeId, category_id: id, title_id: titleId })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('category_id')
    .execute();
  return filed.length > 0;
}
