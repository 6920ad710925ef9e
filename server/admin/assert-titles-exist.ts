import type { Database } from '../database/open.ts';
import { BadOperation } from '../kernel/bad-operation.ts';

/** @throws BadOperation for a title that the store does not have, or that is named twice */
export async function assertTitlesExist(trx: Database, store: string, ids: string[]): Promise<void> {
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new BadOperation(`The title ${twice} is named twice.`);
  if (ids.length === 0) return;
  const known = await trx.selectFrom('titles').select('id').where('store_id', '=', store).where('id', 'in', ids).execute();
  const unknown = ids.find((id) => known.every((row) => row.id !== id));
  if (unknown !== undefined) throw new BadOperation(`The store ${store} has no title ${unknown}.`);
}
