import { randomUUID } from 'node:crypto';
import { note } from '../kernel/audit.ts';
import { emailKey } from '../base/email.ts';
import { endAccess } from '../accounts/end-access.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { isEmail } from '../../machines/model/account/email.ts';
import { DomainError, requireAccountsLeft } from '../kernel/errors.ts';
import { isUniqueViolation, type Database } from '../database/open.ts';
import { queueLetter } from '../mail/queue.ts';
import type { LanguageCode } from '../base/language.ts';
import type { Person } from './provider.ts';
import { noteVerified } from './verified-address.ts';
import { shopNow } from '../base/clock/time.ts';

type User = { id: string };

/**
 * The language and link origin of an e-mail about the account, the network address of the request;
 * `countNew` counts an account before it is made, and gives the seconds to wait.
 */
type Setting = { storeId: string; language: LanguageCode; origin: string; address: string; countNew: () => Promise<number> };

const LONGEST_NAME = 200;

const unverified = (): DomainError =>
  new DomainError('conflict', 'There’s already an account with this email address. Please sign in with your password.', {
    code: 'email_unverified',
  });

/** The account that the person had by this provider before; that its address is verified counts from now on. */
async function knownUser(db: Database, storeId: string, person: Person): Promise<User | undefined> {
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
  if (user?.email_verified_at === null) await noteVerified(db, { storeId, userId: user.id }, person);
  return user && { id: user.id };
}

const keepIdentity = (db: Database, storeId: string, { issuer, subject }: Person, userId: string) =>
  db.insertInto('identities').values({ store_id: storeId, issuer, subject, user_id: userId }).execute();

/**
 * Joins the person to the account that has their address. One whose address nobody has ever shown to be theirs may have been
 * made by somebody else: whatever opened it before opens it no more, and a letter says so.
 */
async function join(trx: Database, setting: Setting, person: Person, userId: string): Promise<User | undefined> {
  const { storeId, language, origin, address } = setting;
  await lockCustomer(trx, storeId, userId);
  const owner = await trx
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'email_verified_at'])
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  // Deleted, or given another address, while it was being locked.
  if (owner?.email_key !== emailKey(person.email)) return undefined;
  if (owner.email_verified_at === null) {
    await endAccess(trx, storeId, userId);
    await noteVerified(trx, { storeId, userId }, person);
    await queueLetter(trx, { storeId, kind: 'provider-joined', email: owner.email, language, origin });
  }
  await keepIdentity(trx, storeId, person, userId);
  await note(trx, 'provider_joined', { storeId, userId, address });
  return { id: owner.id };
}

const ownerOf = async (db: Database, storeId: string, email: string): Promise<{ id: string } | undefined> =>
  email === ''
    ? undefined
    : db
        .selectFrom('users')
        .select('id')
        .where('store_id', '=', storeId)
        .where('email_key', '=', emailKey(email))
        .where('deleted_at', 'is', null)
        .executeTakeFirst();

async function make(trx: Database, { storeId, address }: Setting, person: Person, email: string): Promise<User> {
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
      name: person.name.slice(0, LONGEST_NAME),
      deleted_at: null,
    })
    .execute();
  await keepIdentity(trx, storeId, person, user.id);
  await note(trx, 'signed_up', { storeId, userId: user.id, address });
  return user;
}

/** Somebody else has made the account, or joined it, at the same moment. */
const isRace = (error: unknown): boolean =>
  isUniqueViolation(error, 'users_by_email') || isUniqueViolation(error, 'identities_pkey');

const ATTEMPTS = 3;

/**
 * The account of somebody whom a provider vouches for: the one that they had by this provider before, else the one with their
 * address if the provider has seen that it is theirs, else a new one without a password.
 * @throws DomainError conflict email_unverified when there is an account with the address and the
 * provider has not seen that it is theirs
 */
export async function accountOf(db: Database, setting: Setting, person: Person): Promise<User> {
  const email = isEmail(person.email) ? person.email : '';
  const attempt = async (): Promise<User | undefined> => {
    const known = await knownUser(db, setting.storeId, person);
    if (known) return known;
    const owner = await ownerOf(db, setting.storeId, email);
    if (owner && !person.emailVerified) throw unverified();
    if (!owner) requireAccountsLeft(await setting.countNew());
    return db.transaction().execute((trx) => (owner ? join(trx, setting, person, owner.id) : make(trx, setting, person, email)));
  };
  for (let at = 0; at < ATTEMPTS; at += 1) {
    const user = await attempt().catch((error: unknown) => {
      if (!isRace(error)) throw error;
      return undefined;
    });
    if (user) return user;
  }
  throw new DomainError('conflict', 'Please try again.', { code: 'sign_in_over' });
}
