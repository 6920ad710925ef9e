import { note } from '../kernel/audit.ts';
import { lockForSession } from '../kernel/lock-customer.ts';
import { partProvider } from './remove-way.ts';
import { requireWayIn } from './ways.ts';
import { notFound, DomainError } from '../kernel/errors.ts';
import { isUniqueViolation, type Database } from '../database/open.ts';
import type { LanguageCode } from '../base/language.ts';
import { queueLetter } from '../mail/queue.ts';
import type { Person } from './provider.ts';
import { noteVerified } from './verified-address.ts';

/**
 * The account, the session and network address of the request, and the address, language and link
 * origin for e-mails to the customer.
 */
type Setting = {
  storeId: string;
  userId: string;
  tokenHash: string;
  email: string;
  address: string;
  language: LanguageCode;
  origin: string;
};

const taken = (): DomainError => new DomainError('conflict', 'This opens another account already.', { code: 'provider_taken' });

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
 * @throws DomainError conflict provider_taken for a customer who has another account
 */
export async function joinProvider(db: Database, setting: Setting, person: Person): Promise<void> {
  const { storeId, userId, address } = setting;
  const join = async (trx: Database): Promise<void> => {
    await lockForSession(trx, storeId, { id: userId, tokenHash: setting.tokenHash });
    const known = await identitiesOf(trx, storeId, person).executeTakeFirst();
    if (known && known.user_id !== userId) throw taken();
    if (known) return;
    const { issuer, subject } = person;
    await trx.insertInto('identities').values({ store_id: storeId, issuer, subject, user_id: userId }).execute();
    await noteVerified(trx, { storeId, userId }, person);
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
 * @throws DomainError not_found for one that does not open it, conflict last_way_in
 */
export async function removeProvider(db: Database, setting: Setting, providerId: string): Promise<void> {
  const { storeId, userId } = setting;
  await db.transaction().execute(async (trx) => {
    await lockForSession(trx, storeId, { id: userId, tokenHash: setting.tokenHash });
    if (!(await partProvider(trx, setting, providerId))) throw notFound('provider');
    await requireWayIn(trx, setting);
    await writeTo(trx, setting, 'provider-removed');
  });
}
