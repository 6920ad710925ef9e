import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../database/open.ts';
import type { LettersTable } from '../database/schema/people.ts';

/**
 * Puts an e-mail into the queue. Its text is found out when it is sent: a caller learns nothing of
 * whether a customer has that address, not even by the time that it takes, and no link that opens
 * an account is kept anywhere.
 */
export async function queueLetter(
  db: Database,
  letter: { storeId: string; not_me?: boolean } & Pick<Selectable<LettersTable>, 'kind' | 'email' | 'language' | 'origin'>,
): Promise<void> {
  const { storeId, ...rest } = letter;
  // A customer who came by a provider may have no address.
  if (letter.email === '') return;
  await db
    .insertInto('letters')
    .values({ id: randomUUID(), store_id: storeId, ...rest })
    .execute();
}
