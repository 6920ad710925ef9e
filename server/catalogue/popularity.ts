import { sql } from 'kysely';
import type { Database } from '../database/open.ts';

/** Titles that one statement counts: customers who change them wait for no long one. */
const BATCH = 1000;

/**
 * Adds to the popularity of titles what was acquired of them since the last count. Not in the purchase itself: every change
 * of a title makes its store's kept answers stale, and purchases would wait for each other.
 * @param stopping ends it after the batch that it is at
 * @returns of how many titles
 */
export async function countPurchases(db: Database, stopping?: AbortSignal): Promise<number> {
  let counted = 0;
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
        limit ${BATCH}
      ) acquired
      where acquired.store_id = titles.store_id and acquired.id = titles.id`.execute(db);
    counted += Number(numAffectedRows);
    if (numAffectedRows < BATCH) break;
  }
  return counted;
}
