import { isEmail } from '../../../machines/model/account/email.ts';
import { note } from '../../kernel/audit.ts';
import { passwordHash } from '../../accounts/credential.ts';
import { customFieldsOf } from '../../accounts/custom-fields.ts';
import { emailKey } from '../../base/email.ts';
import { lockForSession } from '../../kernel/lock-customer.ts';
import { endLinks, endSessions } from '../../accounts/tokens.ts';
import { isUniqueViolation, type Database } from '../../database/open.ts';
import { queueLetter } from '../../mail/queue.ts';
import { originOf } from '../../stores/origin.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { valuesWith } from '../sign-in/custom-fields.ts';
import { deviceSecrets } from '../calls/device-cookie.ts';
import { done } from '../calls/done.ts';
import { checkGuess } from '../calls/guess.ts';
import { limitCustomer } from '../calls/limits.ts';
import { checkNewPassword } from '../sign-in/new-password.ts';
import { DomainError, unauthorized } from '../../kernel/errors.ts';
import { requireFresh } from '../calls/require-fresh.ts';

type SaveCall = CustomerCall<'saveUserDetails'>;

const wrongPassword = (): DomainError =>
  new DomainError('bad_request', 'Your current password is incorrect.', { code: 'wrong_password' });

/**
 * Another person who finds a browser signed in cannot take the account over: its password is asked
 * for, and guesses are counted. A customer without one must have signed in a moment ago, in any
 * way.
 * @returns the hash that was checked, null where the account has no password; it has to be current
 * when the change is written
 */
async function checkPassword(call: SaveCall): Promise<string | null> {
  const { services, store, customer, request, body } = call;
  const hash = await passwordHash(services.db, { storeId: store.id, userId: customer.id });
  if (hash === undefined) throw unauthorized();
  if (hash === null) {
    if (body.NewPassword !== undefined)
      throw new DomainError('conflict', 'This account has no password yet.', { code: 'no_password' });
    await requireFresh(call);
    return null;
  }
  const { email, id: userId } = customer;
  const known = { userId, by: 'session' } as const;
  const attempt = { storeId: store.id, email: emailKey(email), address: request.ip, known };
  await checkGuess(services, attempt, { password: body.CurrentPassword ?? '', hash, userId }, wrongPassword);
  return hash;
}

/**
 * Saves what is given of the customer's details. A new address or password needs the current
 * password, and its owner gets an e-mail about it. A new password ends every other session and
 * makes every other device unknown.
 */
export async function saveUserDetails(call: SaveCall): Answer<'saveUserDetails'> {
  const { services, store, customer, request, body, spoken } = call;
  const email = body.Email?.trim() ?? customer.email;
  const isMoved = email !== customer.email;
  if (isMoved && !isEmail(email))
    throw new DomainError('bad_request', 'This isn’t a valid email address.', { code: 'bad_email' });
  if (body.NewPassword !== undefined) await checkNewPassword(call, body.NewPassword, email);
  const checked = isMoved || body.NewPassword !== undefined ? await checkPassword(call) : undefined;
  if (isMoved) await limitCustomer(call, 'email-change');
  const hash = body.NewPassword === undefined ? undefined : await services.passwords.hash(body.NewPassword);
  const asked = await customFieldsOf(services.db, store.id, spoken);
  const owner = { storeId: store.id, userId: customer.id };
  const letter = { storeId: store.id, language: spoken.language, origin: originOf(store, request, services.config) };
  const save = async (trx: Database): Promise<void> => {
    await lockForSession(trx, store.id, customer);
    if (checked !== undefined && (await passwordHash(trx, owner)) !== checked) throw wrongPassword();
    const users = trx.selectFrom('users').select('fields').where('store_id', '=', store.id).where('id', '=', customer.id);
    const { fields } = await users.executeTakeFirstOrThrow();
    await trx
      .updateTable('users')
      // A detail that is left out is not written: it may have changed since the customer was read.
      .set((eb) => ({
        name: body.Name === undefined ? eb.ref('name') : body.Name.trim(),
        // The new address is not verified yet.
        ...(isMoved ? { email, email_key: emailKey(email), email_verified_at: null } : {}),
        ...(body.CustomFields === undefined ? {} : { fields: JSON.stringify(valuesWith(asked, fields, body.CustomFields)) }),
        ...(hash === undefined ? {} : { password_hash: hash }),
      }))
      .where('store_id', '=', store.id)
      .where('id', '=', customer.id)
      .execute();
    if (isMoved) {
      await endLinks(trx, owner);
      await note(trx, 'email_changed', { ...owner, address: request.ip });
      // The e-mail about the change goes to the old address alone.
      await queueLetter(trx, { ...letter, kind: 'email-changed', email: customer.email });
    }
    if (hash !== undefined) {
      await endSessions(trx, owner, { tokenHash: customer.tokenHash, deviceSecrets: deviceSecrets(call) });
      await note(trx, 'password_changed', { ...owner, address: request.ip });
      await queueLetter(trx, { ...letter, kind: 'password-changed', email });
    }
  };
  try {
    await services.db.transaction().execute(save);
  } catch (error) {
    if (!isUniqueViolation(error, 'users_by_email')) throw error;
    throw new DomainError('conflict', 'There’s already an account with this email address.', { code: 'email_taken' });
  }
  return done();
}
