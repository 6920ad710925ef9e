import { note } from '../accounts/audit.ts';
import { emailKey } from '../accounts/email.ts';
import { lockCustomer } from '../accounts/lock-customer.ts';
import { providerWays, requireWayIn } from '../accounts/ways.ts';
import { notFound, Refusal } from '../api/refusal.ts';
import { isUniqueViolation, type Database } from '../database/open.ts';
import type { LanguageCode } from '../language.ts';
import { queueLetter } from '../mail/letters.ts';
import type { Person } from './provider.ts';

/** Whose account it is, from which network address they ask, and how and from where a letter is written to them. */
type Setting = { storeId: string; userId: string; email: string; address: string; language: LanguageCode; origin: string };

const taken = (): Refusal => new Refusal(409, 'This opens another account already.', { code: 'provider_taken' });

const identitiesOf = (db: Database, storeId: string, { issuer, subject }: Pick<Person, 'issuer' | 'subject'>) =>
  db
    .selectFrom('identities')
    .select('user_id')
    .where('store_id', '=', storeId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject);

async function writeTo(trx: Database, setting: Setting, kind: 'provider-added' | 'provider-removed'): Promise<void> {
  const { storeId, email, language, origin } = setting;
  await queueLetter(trx, { storeId, kind, email, language, origin });
}

/**
 * Lets a provider open the account from now on, as whom it has just vouched for; a letter says so. Once is enough.
 * @throws Refusal 409 provider_taken for somebody who has another account
 */
export async function joinProvider(db: Database, setting: Setting, person: Person): Promise<void> {
  const { storeId, userId, address } = setting;
  const join = async (trx: Database): Promise<void> => {
    await lockCustomer(trx, storeId, userId);
    const known = await identitiesOf(trx, storeId, person).executeTakeFirst();
    if (known && known.user_id !== userId) throw taken();
    if (known) return;
    const { issuer, subject } = person;
    await trx.insertInto('identities').values({ store_id: storeId, issuer, subject, user_id: userId }).execute();
    if (person.emailVerified && person.email !== '')
      await trx
        .updateTable('users')
        .set({ email_verified_at: new Date() })
        .where('store_id', '=', storeId)
        .where('id', '=', userId)
        .where('email_key', '=', emailKey(person.email))
        .where('email_verified_at', 'is', null)
        .execute();
    await note(trx, 'provider_joined', { storeId, userId, address });
    await writeTo(trx, setting, 'provider-added');
  };
  try {
    await db.transaction().execute(join);
  } catch (error) {
    if (!isUniqueViolation(error, 'identities_pkey')) throw error;
    throw taken();
  }
}

/**
 * Lets a provider open the account no more; a letter says so.
 * @throws Refusal 404 for one that does not open it, 409 last_way_in
 */
export async function removeProvider(db: Database, setting: Setting, providerId: string): Promise<void> {
  const { storeId, userId, address } = setting;
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, storeId, userId);
    const ways = await providerWays(trx, setting);
    const identities = ways.find(({ provider }) => provider.id === providerId)?.identities ?? [];
    if (identities.length === 0) throw notFound('provider');
    for (const { issuer, subject } of identities)
      await trx
        .deleteFrom('identities')
        .where('store_id', '=', storeId)
        .where('user_id', '=', userId)
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute();
    await requireWayIn(trx, setting);
    await note(trx, 'provider_removed', { storeId, userId, address });
    await writeTo(trx, setting, 'provider-removed');
  });
}
