import { unauthorized } from './errors.ts';
import type { Database } from '../database/open.ts';

/** Serialises transactions of one customer: others wait until this one ends. */
export async function lockCustomer(trx: Database, storeId: string, userId: string): Promise<void> {
  await trx
    .selectFrom('users')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/**
 * Locks the customer before a change of credentials. A session that ended after its call was
 * admitted changes nothing.
 * @throws DomainError unauthorized
 */
export async function lockForSession(
  trx: Database,
  storeId: string,
  { id, tokenHash }: { id: string; tokenHash: string },
): Promise<void> {
  await lockCustomer(trx, storeId, id);
  const session = await trx
    .selectFrom('tokens')
    .select('hash')
    .where('hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!session) throw unauthorized();
}
