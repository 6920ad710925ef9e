import { sql } from 'kysely';
import type { Database } from '../database/open.ts';

/** Titles per UPDATE: customers who change the same rows do not wait for a long one. */
const BATCH_SIZE = 1000;

/**
 * Adds recent acquisitions to the popularity of titles. Not part of the purchase itself: each
 * change of a title invalidates the store's caches, and purchases would wait for each other's
 * locks.
 * @param stopping ends it after the current batch
 * @returns the number of titles updated
 */
export async function countPurchases(db: Database, stopping?: AbortSignal): Promise<number> {
  let updatedTitles = 0;
  while (!stopping?.aborted) {
    const { numAffectedRows = 0n } = await sql`
      update titles set
        popularity = titles.popularity + acquired.count - titles.purchases_counted,
        purchases_counted = acquired.count
      from (
        select counted.store_id, counted.id, count(*)::int as count
        from purchases join titles as counted on counted.store_id = purchases.store_id and counted.id = purchases.title_id
        group by counted.store_id, counted.id
        having count(*) <> counted.purchases_counted
        limit ${BATCH_SIZE}
      ) acquired
      where acquired.store_id = titles.store_id and acquired.id = titles.id`.execute(db);
    updatedTitles += Number(numAffectedRows);
    if (numAffectedRows < BATCH_SIZE) break;
  }
  return updatedTitles;
}
