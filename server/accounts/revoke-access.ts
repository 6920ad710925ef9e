import type { Database } from '../database/open.ts';
import { endSessions } from './tokens.ts';
import { shopNow } from '../base/clock/time.ts';

/** Removes all provider identities, passkeys and known devices of the account. */
export async function removeOtherSignInMethods(trx: Database, storeId: string, userId: string): Promise<void> {
  for (const table of ['identities', 'passkeys'] as const)
    await trx.deleteFrom(table).where('store_id', '=', storeId).where('user_id', '=', userId).execute();
  await trx
    .updateTable('devices')
    .set({ removed_at: shopNow(), secret_hash: null })
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .execute();
}

/** Ends an account's password, passkeys, providers, devices, sessions and links. */
export async function endAccess(trx: Database, storeId: string, userId: string): Promise<void> {
  await trx.updateTable('users').set({ password_hash: null }).where('store_id', '=', storeId).where('id', '=', userId).execute();
  await endSessions(trx, { storeId, userId });
  await removeOtherSignInMethods(trx, storeId, userId);
}
