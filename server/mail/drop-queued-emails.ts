import { sql } from 'kysely';
import { emailKey } from '../base/email.ts';
import type { Database } from '../database/open.ts';

/**
 * Removes a deleted customer's e-mails from the queue: e-mails to their address, and e-mails about
 * their payments. Paid gifts are still sent, and so is the warning to an account's earlier address:
 * a thief may have changed it, and may delete the account to suppress the warning.
 */
export async function dropQueuedEmails(
  trx: Database,
  { storeId, userId, email }: { storeId: string; userId: string; email: string },
): Promise<void> {
  await trx
    .deleteFrom('letters')
    .where('store_id', '=', storeId)
    .where('kind', '!=', 'email-changed')
    .where((eb) =>
      eb.or([
        eb.and([eb('email', '!=', ''), eb(sql<string>`lower(letters.email)`, '=', emailKey(email))]),
        eb(
          'transaction_id',
          'in',
          eb.selectFrom('transactions').select('transactions.id').where('store_id', '=', storeId).where('user_id', '=', userId),
        ),
      ]),
    )
    .execute();
}
