import { sql } from 'kysely';
import type { Database } from '../database/open.ts';

/**
 * Adds to the popularity of titles what was acquired of them since the last count. Not in the purchase itself: every change
 * of a title makes its store's kept answers stale, and purchases would wait for each other.
 */
export async function countPurchases(db: Database): Promise<void> {
  await sql`
    update titles set
      popularity = titles.popularity + acquired.count - titles.purchases_counted,
      purchases_counted = acquired.count
    from (select store_id, title_id, count(*)::int as count from purchases group by store_id, title_id) acquired
    where acquired.store_id = titles.store_id and acquired.title_id = titles.id
      and acquired.count <> titles.purchases_counted`.execute(db);
}
