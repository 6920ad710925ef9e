import { randomUUID } from 'node:crypto';
import { isEmail } from '../../../machines/model/account/email.ts';
import { writeAuditLog } from '../../kernel/audit.ts';
import { readCustomFields } from '../../accounts/custom-fields.ts';
import { emailKey } from '../../base/email.ts';
import { isUniqueViolation } from '../../database/open.ts';
import { readBasicCredentials } from './basic-credentials.ts';
import type { Answer, Call } from '../calls/call.ts';
import { mergeFieldValues } from './custom-fields.ts';
import { countSignUp } from '../calls/limits.ts';
import { checkNewPassword } from './new-password.ts';
import { DomainError, requireAccountsLeft } from '../../kernel/errors.ts';
import { checkApplication, openSession } from './sign-in.ts';

const emailTakenError = (): DomainError =>
  new DomainError('conflict', 'There’s already an account with this email address.', { code: 'email_taken' });

/** Creates an account in the store and signs it in. */
export async function signUp(call: Call<'signUp'>): Answer<'signUp'> {
  const { services, store, request, query, body, spoken } = call;
  checkApplication(call, query.appid);
  const { email, password } = readBasicCredentials(request);
  if (!isEmail(email)) throw new DomainError('bad_request', 'This isn’t a valid email address.', { code: 'bad_email' });
  if (emailKey(body.Email) !== emailKey(email))
    throw new DomainError('bad_request', 'The email address differs from the one in the credentials.', { code: 'bad_email' });
  await checkNewPassword(call, password, email);
  if (!body.AgreeTerms)
    throw new DomainError('bad_request', 'You need to agree to the terms of service.', { code: 'terms_not_agreed' });
  const fieldValues = mergeFieldValues(await readCustomFields(services.db, store.id, spoken), {}, body.CustomFields ?? []);
  requireAccountsLeft(await countSignUp(call));
  const userId = randomUUID();
  const hash = await services.passwords.hash(password);
  try {
    await services.db
      .insertInto('users')
      .values({
        store_id: store.id,
        id: userId,
        email,
        email_key: emailKey(email),
        password_hash: hash,
        name: body.Name.trim(),
        fields: JSON.stringify(fieldValues),
        deleted_at: null,
      })
      .execute();
  } catch (error) {
    if (!isUniqueViolation(error, 'users_by_email')) throw error;
    throw emailTakenError();
  }
  await writeAuditLog(services.db, 'signed_up', { storeId: store.id, userId, address: request.ip });
  // A provider that verified the same address may already have removed the new password.
  return openSession(call, { userId, credential: { kind: 'password', hash }, createInvalidError: emailTakenError }, query);
}
