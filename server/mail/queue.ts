import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../database/open.ts';
import type { LettersTable } from '../database/schema/people.ts';

/**
 * Adds an e-mail to the e-mail queue. Its text is composed when it is sent: so a caller cannot find
 * out, not even by timing, whether a customer has that address, and no link that opens an account
 * is stored.
 */
export async function queueLetter(
  db: Database,
  letter: { storeId: string; not_me?: boolean } & Pick<Selectable<LettersTable>, 'kind' | 'email' | 'language' | 'origin'>,
): Promise<void> {
  const { storeId, ...rest } = letter;
  // Customers who signed in by a provider may have no address.
  if (letter.email === '') return;
  await db
    .insertInto('letters')
    .values({ id: randomUUID(), store_id: storeId, ...rest })
    .execute();
}
