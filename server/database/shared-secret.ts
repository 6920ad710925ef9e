import { randomBytes } from 'node:crypto';
import type { Database } from './open.ts';

/**
 * Returns the secret with this name: 32 random bytes, created by the first caller, and the same for
 * every process on this database across restarts.
 */
export async function getOrCreateSecret(db: Database, name: string): Promise<Buffer> {
  await db
    .insertInto('secrets')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return Buffer.from(value, 'base64url');
}
