import { writeAuditLog } from '../kernel/audit.ts';
import { lockForSession } from '../kernel/lock-customer.ts';
import { unlinkProvider } from './sign-in-methods.ts';
import { requireSignInMethod } from './linked-providers.ts';
import { notFound, DomainError } from '../kernel/errors.ts';
import { isUniqueViolation, type Database } from '../database/open.ts';
import type { LanguageCode } from '../base/language.ts';
import { enqueueEmail } from '../mail/queue.ts';
import type { Person } from './provider.ts';
import { markVerified } from './verified-address.ts';

/**
 * The account, the session and network address of the request, and the address, language and link
 * origin for e-mails to the customer.
 */
type JoinContext = {
  storeId: string;
  userId: string;
  tokenHash: string;
  email: string;
  address: string;
  language: LanguageCode;
  origin: string;
};

const providerTakenError = (): DomainError =>
  new DomainError('conflict', 'This opens another account already.', { code: 'provider_taken' });

const selectIdentities = (db: Database, storeId: string, { issuer, subject }: Pick<Person, 'issuer' | 'subject'>) =>
  db
    .selectFrom('identities')
    .select('user_id')
    .where('store_id', '=', storeId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject);

async function enqueueProviderEmail(
  trx: Database,
  context: JoinContext,
  kind: 'provider-added' | 'provider-removed',
): Promise<void> {
  const { storeId, email, language, origin } = context;
  await enqueueEmail(trx, { storeId, kind, email, language, origin });
}

/**
 * Links the identity that a provider has just confirmed to the account, and notifies the customer
 * by e-mail; idempotent.
 * @throws DomainError conflict provider_taken for an identity of another account, unauthorized when
 * the session has ended
 */
export async function linkProvider(db: Database, context: JoinContext, person: Person): Promise<void> {
  const { storeId, userId, address } = context;
  const insertIdentity = async (trx: Database): Promise<void> => {
    await lockForSession(trx, storeId, { id: userId, tokenHash: context.tokenHash });
    const linkedIdentity = await selectIdentities(trx, storeId, person).executeTakeFirst();
    if (linkedIdentity && linkedIdentity.user_id !== userId) throw providerTakenError();
    if (linkedIdentity) return;
    const { issuer, subject } = person;
    await trx.insertInto('identities').values({ store_id: storeId, issuer, subject, user_id: userId }).execute();
    await markVerified(trx, { storeId, userId }, person);
    await writeAuditLog(trx, 'provider_joined', { storeId, userId, address });
    await enqueueProviderEmail(trx, context, 'provider-added');
  };
  try {
    await db.transaction().execute(insertIdentity);
  } catch (error) {
    if (!isUniqueViolation(error, 'identities_pkey')) throw error;
    throw providerTakenError();
  }
}

/**
 * Unlinks a provider from the account, and notifies the customer by e-mail.
 * @throws DomainError not_found for a provider that is not linked, conflict last_way_in,
 * unauthorized when the session has ended
 */
export async function removeLinkedProvider(db: Database, context: JoinContext, providerId: string): Promise<void> {
  const { storeId, userId } = context;
  await db.transaction().execute(async (trx) => {
    await lockForSession(trx, storeId, { id: userId, tokenHash: context.tokenHash });
    if (!(await unlinkProvider(trx, context, providerId))) throw notFound('provider');
    await requireSignInMethod(trx, context);
    await enqueueProviderEmail(trx, context, 'provider-removed');
  });
}
