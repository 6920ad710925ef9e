import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../database/open.ts';
import type { EmailQueueTable } from '../database/schema/people.ts';

/**
 * Adds an e-mail to the e-mail queue; does nothing for an empty address. Its text is composed when
 * it is sent: so a caller cannot find out, even by timing, whether a customer has that address, and
 * no link that opens an account is stored.
 */
export async function enqueueEmail(
  db: Database,
  queuedEmail: { storeId: string; not_me?: boolean } & Pick<
    Selectable<EmailQueueTable>,
    'kind' | 'email' | 'language' | 'origin'
  >,
): Promise<void> {
  const { storeId, ...columns } = queuedEmail;
  // Customers who signed in by a provider may have no address.
  if (queuedEmail.email === '') return;
  await db
    .insertInto('letters')
    .values({ id: randomUUID(), store_id: storeId, ...columns })
    .execute();
}
