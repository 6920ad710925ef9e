import type { Database } from '../database/open.ts';

/**
 * The credential that a customer has shown to sign in: a password by its hash, a passkey, or a
 * provider's or telephone's identity.
 */
export type Credential =
  | { kind: 'password'; hash: string }
  | { kind: 'passkey'; id: string }
  | { kind: 'identity'; issuer: string; subject: string };

type Owner = { storeId: string; userId: string };

/**
 * Whether a credential that was verified still opens the account. Called under the customer's lock.
 */
export async function isCurrentCredential(trx: Database, { storeId, userId }: Owner, credential: Credential): Promise<boolean> {
  if (credential.kind === 'password') return (await readPasswordHash(trx, { storeId, userId })) === credential.hash;
  const row =
    credential.kind === 'passkey'
      ? await trx
          .selectFrom('passkeys')
          .select('user_id')
          .where('store_id', '=', storeId)
          .where('id', '=', credential.id)
          .executeTakeFirst()
      : await trx
          .selectFrom('identities')
          .select('user_id')
          .where('store_id', '=', storeId)
          .where('issuer', '=', credential.issuer)
          .where('subject', '=', credential.subject)
          .executeTakeFirst();
  return row?.user_id === userId;
}

/** @returns null where the account has no password, undefined where there is no account */
export async function readPasswordHash(db: Database, { storeId, userId }: Owner): Promise<string | null | undefined> {
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return user?.password_hash;
}
