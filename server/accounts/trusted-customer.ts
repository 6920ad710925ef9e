import type { Database } from '../database/open.ts';
import { realNow } from '../base/clock/time.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Whether an account is a day old with a verified address. New accounts can be made for free, so
 * they are limited like strangers.
 */
export async function isTrusted(db: Database, storeId: string, userId: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select(['created_at', 'email_verified_at'])
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!user || user.email_verified_at === null) return false;
  return realNow() - user.created_at.getTime() >= DAY_MS;
}
