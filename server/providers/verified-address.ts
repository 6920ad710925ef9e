import { emailKey } from '../base/email.ts';
import type { Database } from '../database/open.ts';
import type { Person } from './provider.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Notes that a provider has seen that the account's address is the person's own: the address that
 * it names, and no other.
 */
export async function noteVerified(
  db: Database,
  { storeId, userId }: { storeId: string; userId: string },
  { email, emailVerified }: Person,
): Promise<void> {
  if (!emailVerified || email === '') return;
  await db
    .updateTable('users')
    .set({ email_verified_at: shopNow() })
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .where('email_key', '=', emailKey(email))
    .where('email_verified_at', 'is', null)
    .execute();
}
