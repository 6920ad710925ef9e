import { randomUUID } from 'node:crypto';
import { writeAuditLog } from '../kernel/audit.ts';
import { emailKey } from '../base/email.ts';
import { endAccess } from '../accounts/revoke-access.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { isEmail } from '../../machines/model/account/email.ts';
import { DomainError, requireAccountsLeft } from '../kernel/errors.ts';
import { isUniqueViolation, type Database } from '../database/open.ts';
import { enqueueEmail } from '../mail/queue.ts';
import type { LanguageCode } from '../base/language.ts';
import type { Person } from './provider.ts';
import { markVerified } from './verified-address.ts';
import { shopNow } from '../base/clock/time.ts';

type User = { id: string };

/**
 * The language and link origin of an e-mail about the account, and the IP address of the
 * request; `countNew` counts a sign-up before the account is created, and returns the seconds to
 * wait.
 */
type SignInContext = {
  storeId: string;
  language: LanguageCode;
  origin: string;
  ipAddress: string;
  countNew: () => Promise<number>;
};

const MAX_NAME_CHARS = 200;

const unverifiedError = (): DomainError =>
  new DomainError('conflict', 'There’s already an account with this email address. Please sign in with your password.', {
    code: 'email_unverified',
  });

/**
 * The account that the identity already belongs to; an address that the provider has verified
 * counts as verified from now on.
 */
async function findKnownUser(db: Database, storeId: string, person: Person): Promise<User | undefined> {
  const user = await db
    .selectFrom('identities')
    .innerJoin('users', (join) =>
      join.onRef('users.store_id', '=', 'identities.store_id').onRef('users.id', '=', 'identities.user_id'),
    )
    .select(['users.id', 'users.email_key', 'users.email_verified_at'])
    .where('identities.store_id', '=', storeId)
    .where('identities.issuer', '=', person.issuer)
    .where('identities.subject', '=', person.subject)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();
  if (user?.email_verified_at === null) await markVerified(db, { storeId, userId: user.id }, person);
  return user && { id: user.id };
}

const saveIdentity = (db: Database, storeId: string, { issuer, subject }: Person, userId: string) =>
  db.insertInto('identities').values({ store_id: storeId, issuer, subject, user_id: userId }).execute();

/**
 * Links the identity to the account with the same address. An account whose address was never
 * verified may have been made by another person: all its previous credentials are removed, and an
 * e-mail informs the owner of the address.
 */
async function joinExistingAccount(
  trx: Database,
  context: SignInContext,
  person: Person,
  userId: string,
): Promise<User | undefined> {
  const { storeId, language, origin, ipAddress } = context;
  await lockCustomer(trx, storeId, userId);
  const owner = await trx
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'email_verified_at'])
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  // The account was deleted, or its address changed, while waiting for the lock.
  if (owner?.email_key !== emailKey(person.email)) return undefined;
  if (owner.email_verified_at === null) {
    await endAccess(trx, storeId, userId);
    await markVerified(trx, { storeId, userId }, person);
    await enqueueEmail(trx, { storeId, kind: 'provider-joined', email: owner.email, language, origin });
  }
  await saveIdentity(trx, storeId, person, userId);
  await writeAuditLog(trx, 'provider_joined', { storeId, userId, address: ipAddress });
  return { id: owner.id };
}

const findAddressOwner = async (db: Database, storeId: string, email: string): Promise<{ id: string } | undefined> =>
  email === ''
    ? undefined
    : db
        .selectFrom('users')
        .select('id')
        .where('store_id', '=', storeId)
        .where('email_key', '=', emailKey(email))
        .where('deleted_at', 'is', null)
        .executeTakeFirst();

async function createAccount(trx: Database, { storeId, ipAddress }: SignInContext, person: Person, email: string): Promise<User> {
  const user = { id: randomUUID() };
  await trx
    .insertInto('users')
    .values({
      ...user,
      email,
      store_id: storeId,
      email_key: emailKey(email),
      email_verified_at: email !== '' && person.emailVerified ? shopNow() : null,
      password_hash: null,
      name: person.name.slice(0, MAX_NAME_CHARS),
      deleted_at: null,
    })
    .execute();
  await saveIdentity(trx, storeId, person, user.id);
  await writeAuditLog(trx, 'signed_up', { storeId, userId: user.id, address: ipAddress });
  return user;
}

/** Another request has created or linked the account at the same moment. */
const isRace = (error: unknown): boolean =>
  isUniqueViolation(error, 'users_by_email') || isUniqueViolation(error, 'identities_pkey');

const MAX_ATTEMPTS = 3;

/**
 * The account of a person whom a provider has authenticated: the account that the identity belongs
 * to, else the one with the same address if the provider has verified it, else a new one without a
 * password.
 * @throws DomainError conflict email_unverified when there is an account with the address and the
 * provider has not verified it, conflict sign_in_over when other sign-ins change the account at the
 * same moment, too_many_requests
 */
export async function findOrCreateAccount(db: Database, context: SignInContext, person: Person): Promise<User> {
  const email = isEmail(person.email) ? person.email : '';
  const attempt = async (): Promise<User | undefined> => {
    const knownUser = await findKnownUser(db, context.storeId, person);
    if (knownUser) return knownUser;
    const owner = await findAddressOwner(db, context.storeId, email);
    if (owner && !person.emailVerified) throw unverifiedError();
    if (!owner) requireAccountsLeft(await context.countNew());
    return db
      .transaction()
      .execute((trx) =>
        owner ? joinExistingAccount(trx, context, person, owner.id) : createAccount(trx, context, person, email),
      );
  };
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const user = await attempt().catch((error: unknown) => {
      if (!isRace(error)) throw error;
      return undefined;
    });
    if (user) return user;
  }
  throw new DomainError('conflict', 'Another sign-in changed this account at the same moment. Please sign in again.', {
    code: 'sign_in_over',
  });
}
