import { sql } from 'kysely';
import { emailKey } from '../base/email.ts';
import type { Database } from '../database/open.ts';

/**
 * Takes the e-mails to a customer whose account is being deleted out of the queue: those to their
 * address, and those about their payments. Gifts that they have paid for still go out, and so does
 * a warning to an address that an account had before: a thief may have changed it, and may open and
 * delete an account with it to suppress the warning.
 */
export async function dropLetters(
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
