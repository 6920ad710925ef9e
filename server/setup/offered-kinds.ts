import { sql } from 'kysely';
import { valueOf } from '../stores/store-properties.ts';
import type { Database } from '../database/open.ts';
import type { Log } from '../base/log.ts';

/**
 * The properties that turn kinds of titles on, by the number of the kind; interactive is always
 * on.
 */
const FLAGS: Readonly<Record<number, string>> = { 1: 'EnableEbook', 2: 'EnableAudioTitle', 4: 'EnableVideoTitle' };

export const kindFlags: readonly string[] = Object.values(FLAGS);

/** The property that turns a kind of titles on; undefined where it is always on. */
export const flagOfKind = (type: number): string | undefined => FLAGS[type];

/**
 * Notes which of a store's titles are of a kind that is on; inside the caller's transaction,
 * whenever titles or these properties have changed.
 * @param ids of the titles that have changed; left out, all may have
 */
export async function applyKinds(trx: Database, storeId: string, ids?: readonly string[]): Promise<void> {
  const set = await trx
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', storeId)
    .where('name', 'in', kindFlags)
    .execute();
  const values = new Map(set.map(({ name, value }) => [name, value]));
  const off = Object.entries(FLAGS).flatMap(([type, flag]) => (valueOf(flag, values.get(flag)) === 'true' ? [] : [Number(type)]));
  const isOnNow = off.length === 0 ? sql<boolean>`true` : sql<boolean>`type not in (${sql.join(off)})`;
  const changed = trx
    .updateTable('titles')
    .set({ kind_on: isOnNow })
    .where('store_id', '=', storeId)
    .where(sql<boolean>`kind_on <> (${isOnNow})`);
  if (ids !== undefined) return void (await changed.where('id', 'in', ids).execute());
  const { numUpdatedRows } = await changed.executeTakeFirstOrThrow();
  // The embedded database never counts its rows by itself.
  if (numUpdatedRows > 0n) await sql`analyze titles`.execute(trx);
}

/** Logs, for each store, how many listed titles a property hides that turns their kind off. */
export async function reportHiddenTitles({ db, log }: { db: Database; log: Log }): Promise<void> {
  const hidden = await db
    .selectFrom('titles')
    .select(['store_id', 'type', sql<number>`count(*)::int`.as('titles')])
    .where('listed', '=', true)
    .where('kind_on', '=', false)
    .groupBy(['store_id', 'type'])
    .orderBy('store_id')
    .orderBy('type')
    .execute();
  for (const { store_id: store, type, titles } of hidden)
    log.info({ store, property: flagOfKind(type), titles }, 'titles are hidden by a property that is off');
}
