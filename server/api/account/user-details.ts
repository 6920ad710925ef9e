import { isEmail } from '../../../machines/model/account/email.ts';
import { writeAuditLog } from '../../kernel/audit.ts';
import { readPasswordHash } from '../../accounts/credential.ts';
import { readCustomFields } from '../../accounts/custom-fields.ts';
import { emailKey } from '../../base/email.ts';
import { lockForSession } from '../../kernel/lock-customer.ts';
import { endResetLinks, endSessions } from '../../accounts/tokens.ts';
import { isUniqueViolation, type Database } from '../../database/open.ts';
import { enqueueEmail } from '../../mail/queue.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { mergeFieldValues } from '../sign-in/custom-fields.ts';
import { readDeviceSecrets } from '../calls/device-cookie.ts';
import { okResult } from '../calls/ok-result.ts';
import { checkPasswordGuess } from '../calls/password-guess.ts';
import { limitCustomer } from '../calls/limits.ts';
import { checkNewPassword } from '../sign-in/new-password.ts';
import { DomainError, unauthorized } from '../../kernel/errors.ts';
import { requireRecentSignIn } from '../calls/require-recent-sign-in.ts';

type SaveCall = CustomerCall<'saveUserDetails'>;

const wrongPasswordError = (): DomainError =>
  new DomainError('bad_request', 'Your current password is incorrect.', { code: 'wrong_password' });

/**
 * Checks the current password, so that a stranger at a browser that was left signed in cannot take
 * over the account; guesses are counted. A customer without a password must have signed in a moment
 * ago, by any method.
 * @returns the hash that was checked, null if the account has no password; it must still be current
 * when the change is written
 */
async function checkPassword(call: SaveCall): Promise<string | null> {
  const { services, store, customer, request, body } = call;
  const hash = await readPasswordHash(services.db, { storeId: store.id, userId: customer.id });
  if (hash === undefined) throw unauthorized();
  if (hash === null) {
    if (body.NewPassword !== undefined)
      throw new DomainError('conflict', 'This account has no password yet.', { code: 'no_password' });
    await requireRecentSignIn(call);
    return null;
  }
  const { email, id: userId } = customer;
  const knownCustomer = { userId, by: 'session' } as const;
  const attempt = { storeId: store.id, email: emailKey(email), address: request.ip, known: knownCustomer };
  await checkPasswordGuess(services, attempt, { password: body.CurrentPassword ?? '', hash, userId }, wrongPasswordError);
  return hash;
}

/**
 * Saves the customer's details that the request contains. A new address or password requires the
 * current password, and the customer gets an e-mail about it. A new password ends all other
 * sessions and clears the secrets of all other devices.
 */
export async function saveUserDetails(call: SaveCall): Answer<'saveUserDetails'> {
  const { services, store, customer, request, body, spoken } = call;
  const email = body.Email?.trim() ?? customer.email;
  const isNewEmail = email !== customer.email;
  if (isNewEmail && !isEmail(email))
    throw new DomainError('bad_request', 'This isn’t a valid email address.', { code: 'bad_email' });
  if (body.NewPassword !== undefined) await checkNewPassword(call, body.NewPassword, email);
  const checkedHash = isNewEmail || body.NewPassword !== undefined ? await checkPassword(call) : undefined;
  if (isNewEmail) await limitCustomer(call, 'email-change');
  const hash = body.NewPassword === undefined ? undefined : await services.passwords.hash(body.NewPassword);
  const customFields = await readCustomFields(services.db, store.id, spoken);
  const owner = { storeId: store.id, userId: customer.id };
  const notification = { storeId: store.id, language: spoken.language, origin: getStoreOrigin(store, request, services.config) };
  const save = async (trx: Database): Promise<void> => {
    await lockForSession(trx, store.id, customer);
    if (checkedHash !== undefined && (await readPasswordHash(trx, owner)) !== checkedHash) throw wrongPasswordError();
    const fieldsQuery = trx.selectFrom('users').select('fields').where('store_id', '=', store.id).where('id', '=', customer.id);
    const { fields } = await fieldsQuery.executeTakeFirstOrThrow();
    await trx
      .updateTable('users')
      // A detail that is left out is not written: it may have changed since the customer was read.
      .set((eb) => ({
        name: body.Name === undefined ? eb.ref('name') : body.Name.trim(),
        // The new address is not verified yet.
        ...(isNewEmail ? { email, email_key: emailKey(email), email_verified_at: null } : {}),
        ...(body.CustomFields === undefined
          ? {}
          : { fields: JSON.stringify(mergeFieldValues(customFields, fields, body.CustomFields)) }),
        ...(hash === undefined ? {} : { password_hash: hash }),
      }))
      .where('store_id', '=', store.id)
      .where('id', '=', customer.id)
      .execute();
    if (isNewEmail) {
      await endResetLinks(trx, owner);
      await writeAuditLog(trx, 'email_changed', { ...owner, address: request.ip });
      // The e-mail about the change goes only to the old address.
      await enqueueEmail(trx, { ...notification, kind: 'email-changed', email: customer.email });
    }
    if (hash !== undefined) {
      await endSessions(trx, owner, { tokenHash: customer.tokenHash, deviceSecrets: readDeviceSecrets(call) });
      await writeAuditLog(trx, 'password_changed', { ...owner, address: request.ip });
      await enqueueEmail(trx, { ...notification, kind: 'password-changed', email });
    }
  };
  try {
    await services.db.transaction().execute(save);
  } catch (error) {
    if (!isUniqueViolation(error, 'users_by_email')) throw error;
    throw new DomainError('conflict', 'There’s already an account with this email address.', { code: 'email_taken' });
  }
  return okResult();
}
