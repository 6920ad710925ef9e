import type { Database } from '../database/open.ts';
import { endSessions } from './tokens.ts';

/** No provider opens the account any more. */
export async function forgetIdentities(trx: Database, storeId: string, userId: string): Promise<void> {
  await trx.deleteFrom('identities').where('store_id', '=', storeId).where('user_id', '=', userId).execute();
}

/** Ends whatever opens an account: its password, sessions and links, the devices that it knows, and what providers say of it. */
export async function endAccess(trx: Database, storeId: string, userId: string): Promise<void> {
  await trx.updateTable('users').set({ password_hash: null }).where('store_id', '=', storeId).where('id', '=', userId).execute();
  await trx
    .updateTable('devices')
    .set({ removed_at: new Date() })
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .execute();
  await endSessions(trx, { storeId, userId });
  await forgetIdentities(trx, storeId, userId);
}
