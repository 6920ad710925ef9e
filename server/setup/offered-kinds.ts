import { sql } from 'kysely';
import { toWireValue } from '../stores/store-properties.ts';
import type { Database } from '../database/open.ts';
import type { Log } from '../base/log.ts';

/**
 * The properties that enable kinds of titles, by the number of the kind; interactive is always
 * enabled.
 */
const FLAGS_BY_KIND: Readonly<Record<number, string>> = { 1: 'EnableEbook', 2: 'EnableAudioTitle', 4: 'EnableVideoTitle' };

export const kindFlags: readonly string[] = Object.values(FLAGS_BY_KIND);

/** The property that enables a kind of titles; undefined where it is always enabled. */
export const getKindFlag = (type: number): string | undefined => FLAGS_BY_KIND[type];

/**
 * Updates which of a store's titles are of an enabled kind; runs inside the caller's transaction,
 * whenever titles or these properties have changed.
 * @param ids of the changed titles; left out, all titles
 */
export async function updateKindFlags(trx: Database, storeId: string, ids?: readonly string[]): Promise<void> {
  const flagRows = await trx
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', storeId)
    .where('name', 'in', kindFlags)
    .execute();
  const values = new Map(flagRows.map(({ name, value }) => [name, value]));
  const disabledTypes = Object.entries(FLAGS_BY_KIND).flatMap(([type, flag]) =>
    toWireValue(flag, values.get(flag)) === 'true' ? [] : [Number(type)],
  );
  const isEnabled = disabledTypes.length === 0 ? sql<boolean>`true` : sql<boolean>`type not in (${sql.join(disabledTypes)})`;
  const update = trx
    .updateTable('titles')
    .set({ kind_on: isEnabled })
    .where('store_id', '=', storeId)
    .where(sql<boolean>`kind_on <> (${isEnabled})`);
  if (ids !== undefined) return void (await update.where('id', 'in', ids).execute());
  const { numUpdatedRows } = await update.executeTakeFirstOrThrow();
  // The embedded database has no autovacuum to update its statistics.
  if (numUpdatedRows > 0n) await sql`analyze titles`.execute(trx);
}

/** Logs, per store, how many listed titles are hidden by a property that disables their kind. */
export async function reportHiddenTitles({ db, log }: { db: Database; log: Log }): Promise<void> {
  const hiddenCounts = await db
    .selectFrom('titles')
    .select(['store_id', 'type', sql<number>`count(*)::int`.as('titles')])
    .where('listed', '=', true)
    .where('kind_on', '=', false)
    .groupBy(['store_id', 'type'])
    .orderBy('store_id')
    .orderBy('type')
    .execute();
  for (const { store_id: store, type, titles } of hiddenCounts)
    log.warn({ store, property: getKindFlag(type), titles }, 'store.titles.hidden');
}
