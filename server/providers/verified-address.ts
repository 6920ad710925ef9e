import { emailKey } from '../base/email.ts';
import type { Database } from '../database/open.ts';
import type { Person } from './provider.ts';
import { shopNow } from '../base/clock/time.ts';

/** Marks the account's address as verified if it is the one that the provider has verified. */
export async function markVerified(
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
