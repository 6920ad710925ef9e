import type { Database } from '../database/open.ts';
import { BadOperation } from '../kernel/bad-operation.ts';

/** @throws BadOperation for a title that the store does not have, or that is named twice */
export async function assertTitlesExist(trx: Database, store: string, ids: string[]): Promise<void> {
  const repeatedId = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeatedId !== undefined) throw new BadOperation(`The title ${repeatedId} is named twice.`);
  if (ids.length === 0) return;
  const knownTitles = await trx.selectFrom('titles').select('id').where('store_id', '=', store).where('id', 'in', ids).execute();
  const unknownId = ids.find((id) => knownTitles.every((row) => row.id !== id));
  if (unknownId !== undefined) throw new BadOperation(`The store ${store} has no title ${unknownId}.`);
}
