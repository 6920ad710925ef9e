import { randomBytes } from 'node:crypto';
import type { Database } from './open.ts';

/**
 * The secret of that name, of 32 random bytes: made by whoever asks first, and the same for every process on this database
 * and after every start.
 */
export async function sharedSecret(db: Database, name: string): Promise<Buffer> {
  await db
    .insertInto('secrets')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return Buffer.from(value, 'base64url');
}
