import { writeAuditLog } from '../../kernel/audit.ts';
import { type Credential, isCurrentCredential } from '../../accounts/credential.ts';
import { findKnownDevice, registerDevice } from '../../accounts/devices.ts';
import { emailKey } from '../../base/email.ts';
import { lockCustomer } from '../../kernel/lock-customer.ts';
import { issueToken } from '../../accounts/tokens.ts';
import type { Database } from '../../database/open.ts';
import { element, fields, type Markup } from '../../base/xml/write.ts';
import { basicCredentials } from './basic-credentials.ts';
import type { Answer, Call } from '../calls/call.ts';
import { readDeviceSecrets, setDeviceCookie } from '../calls/device-cookie.ts';
import { checkPasswordGuess } from '../calls/password-guess.ts';
import { DomainError } from '../../kernel/errors.ts';

type Device = { deviceid?: string | undefined; devicename?: string | undefined };
export function checkApplication(call: Call, appId: string): void {
  if (appId !== call.store.appId) throw new DomainError('bad_request', 'The application id does not belong to this store.');
}

/**
 * A customer who has just presented a credential; `over` makes the error where it is no longer
 * valid.
 */
export type VerifiedCredential = { userId: string; credential: Credential; over: () => DomainError };

/**
 * Issues an access token, registers the requesting device, and sets its device secret. The only way
 * to open a session: in one transaction under the customer's lock, the credential must still be the
 * one that was verified.
 * @param asks whether the store requires further details from the customer
 * @throws the error of `over` when the credential was changed or removed since it was verified
 */
export async function openSession(
  call: Call,
  { userId, credential, over }: VerifiedCredential,
  { deviceid: id, devicename: name }: Device,
  asks = false,
): Promise<Markup> {
  const { services, store, request } = call;
  const owner = { storeId: store.id, userId };
  const open = async (trx: Database): Promise<{ token: string; email: string; secret: string | undefined }> => {
    await lockCustomer(trx, store.id, userId);
    if (!(await isCurrentCredential(trx, owner, credential))) throw over();
    const users = trx.selectFrom('users').select('email').where('store_id', '=', store.id).where('id', '=', userId);
    const { email } = await users.executeTakeFirstOrThrow();
    const asking = { ...owner, address: request.ip };
    const device = await registerDevice(trx, asking, { id, name, secrets: readDeviceSecrets(call) });
    const token = await issueToken(trx, { ...owner, deviceId: device?.id ?? null });
    await writeAuditLog(trx, 'signed_in', asking);
    return { token, email, secret: device?.secret };
  };
  const { token, email, secret } = await services.db.transaction().execute(open);
  if (secret !== undefined) setDeviceCookie(call, secret);
  return element('Signin', [fields({ IdToken: token, EmailId: email, UserId: userId, QuestionsOpen: asks ? true : undefined })]);
}

/**
 * Signs in by e-mail address and password; an unknown address and a wrong password get the same
 * answer.
 */
export async function signIn(call: Call<'signIn'>): Answer<'signIn'> {
  const { services, store, request, query } = call;
  checkApplication(call, query.appid);
  const { email, password } = basicCredentials(request);
  const key = emailKey(email);
  const user = await services.db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('store_id', '=', store.id)
    .where('email_key', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const device = await findKnownDevice(services.db, store.id, readDeviceSecrets(call), { email: key });
  const known = device && ({ userId: device.userId, by: 'device' } as const);
  const attempt = { storeId: store.id, email: key, address: request.ip, known };
  const wrong = (): DomainError => new DomainError('unauthorized', 'The email address or password is incorrect.');
  await checkPasswordGuess(services, attempt, { password, hash: user?.password_hash, userId: user?.id }, wrong);
  if (!user || user.password_hash === null) throw wrong();
  const credential = { kind: 'password', hash: user.password_hash } as const;
  return openSession(call, { userId: user.id, credential, over: wrong }, query);
}
