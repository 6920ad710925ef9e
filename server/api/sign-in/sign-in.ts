import { writeAuditLog } from '../../kernel/audit.ts';
import { type Credential, isCurrentCredential } from '../../accounts/credential.ts';
import { findKnownDevice, registerDevice } from '../../accounts/devices.ts';
import { emailKey } from '../../base/email.ts';
import { lockCustomer } from '../../kernel/lock-customer.ts';
import { issueToken } from '../../accounts/tokens.ts';
import type { Database } from '../../database/open.ts';
import { renderElement, renderFields, type Markup } from '../../base/xml/write.ts';
import { readBasicCredentials } from './basic-credentials.ts';
import type { Answer, Call } from '../calls/call.ts';
import { readDeviceSecrets, setDeviceCookie } from '../calls/device-cookie.ts';
import { checkPasswordGuess } from '../calls/password-guess.ts';
import { DomainError } from '../../kernel/errors.ts';

type Device = { deviceid?: string | undefined; devicename?: string | undefined };

/** @throws DomainError bad_request for an application id of another store */
export function checkApplication(call: Call, appId: string): void {
  if (appId !== call.store.appId)
    throw new DomainError('bad_request', `appid ${appId} is not the application id of store ${call.store.id}.`);
}

/**
 * A customer who has just presented a valid credential; `createInvalidError` creates the error for
 * a credential that has become invalid since.
 */
export type VerifiedCredential = { userId: string; credential: Credential; createInvalidError: () => DomainError };

/**
 * Issues an access token, registers the requesting device, and sets its device secret. Every
 * session is opened here: in one transaction under the customer's lock, the credential must still
 * be the one that was verified.
 * @param hasOpenQuestions whether the store requires further details from the customer
 * @throws the error of `createInvalidError` if the credential was changed or removed since it was
 * verified
 */
export async function openSession(
  call: Call,
  { userId, credential, createInvalidError }: VerifiedCredential,
  { deviceid: id, devicename: name }: Device,
  hasOpenQuestions = false,
): Promise<Markup> {
  const { services, store, request } = call;
  const owner = { storeId: store.id, userId };
  const createSession = async (trx: Database): Promise<{ token: string; email: string; secret: string | undefined }> => {
    await lockCustomer(trx, store.id, userId);
    if (!(await isCurrentCredential(trx, owner, credential))) throw createInvalidError();
    const emailQuery = trx.selectFrom('users').select('email').where('store_id', '=', store.id).where('id', '=', userId);
    const { email } = await emailQuery.executeTakeFirstOrThrow();
    const ownerWithAddress = { ...owner, address: request.ip };
    const device = await registerDevice(trx, ownerWithAddress, { id, name, secrets: readDeviceSecrets(call) });
    const token = await issueToken(trx, { ...owner, deviceId: device?.id ?? null });
    await writeAuditLog(trx, 'signed_in', ownerWithAddress);
    return { token, email, secret: device?.secret };
  };
  const { token, email, secret } = await services.db.transaction().execute(createSession);
  if (secret !== undefined) setDeviceCookie(call, secret);
  return renderElement('Signin', [
    renderFields({ IdToken: token, EmailId: email, UserId: userId, QuestionsOpen: hasOpenQuestions ? true : undefined }),
  ]);
}

/**
 * Signs in by e-mail address and password; an unknown address and a wrong password get the same
 * error.
 */
export async function signIn(call: Call<'signIn'>): Answer<'signIn'> {
  const { services, store, request, query } = call;
  checkApplication(call, query.appid);
  const { email, password } = readBasicCredentials(request);
  const key = emailKey(email);
  const user = await services.db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('store_id', '=', store.id)
    .where('email_key', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const device = await findKnownDevice(services.db, store.id, readDeviceSecrets(call), { email: key });
  const knownCustomer = device && ({ userId: device.userId, by: 'device' } as const);
  const attempt = { storeId: store.id, email: key, address: request.ip, known: knownCustomer };
  const wrongCredentialsError = (): DomainError => new DomainError('unauthorized', 'The email address or password is incorrect.');
  await checkPasswordGuess(services, attempt, { password, hash: user?.password_hash, userId: user?.id }, wrongCredentialsError);
  if (!user || user.password_hash === null) throw wrongCredentialsError();
  const credential = { kind: 'password', hash: user.password_hash } as const;
  return openSession(call, { userId: user.id, credential, createInvalidError: wrongCredentialsError }, query);
}
