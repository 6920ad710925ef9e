import { note } from '../../kernel/audit.ts';
import { type Credential, isCurrent } from '../../accounts/credential.ts';
import { knownDevice, registerDevice } from '../../accounts/devices.ts';
import { emailKey } from '../../base/email.ts';
import { lockCustomer } from '../../kernel/lock-customer.ts';
import { issueToken } from '../../accounts/tokens.ts';
import type { Database } from '../../database/open.ts';
import { element, fields, type Markup } from '../../base/xml/write.ts';
import { basicCredentials } from './basic-credentials.ts';
import type { Answer, Call } from '../calls/call.ts';
import { deviceSecrets, giveDeviceSecret } from '../calls/device-cookie.ts';
import { checkGuess } from '../calls/guess.ts';
import { DomainError } from '../../kernel/errors.ts';

type Device = { deviceid?: string | undefined; devicename?: string | undefined };
export function checkApplication(call: Call, appId: string): void {
  if (appId !== call.store.appId) throw new DomainError('bad_request', 'The application id is not this store’s.');
}

/**
 * A customer who has just shown a credential; `over` is the answer where it opens the account no
 * more.
 */
export type Verified = { userId: string; credential: Credential; over: () => DomainError };

/**
 * Issues an access token, registers the device that asked, and gives it the secret that makes it
 * known. The only way to a session: in one transaction under the customer's lock, the credential
 * must still be the one that was verified.
 * @param asks says whether the store still asks something of the user
 * @throws the error of `over` when the credential was changed or removed since it was verified
 */
export async function openSession(
  call: Call,
  { userId, credential, over }: Verified,
  { deviceid: id, devicename: name }: Device,
  asks = false,
): Promise<Markup> {
  const { services, store, request } = call;
  const owner = { storeId: store.id, userId };
  const open = async (trx: Database): Promise<{ token: string; email: string; secret: string | undefined }> => {
    await lockCustomer(trx, store.id, userId);
    if (!(await isCurrent(trx, owner, credential))) throw over();
    const users = trx.selectFrom('users').select('email').where('store_id', '=', store.id).where('id', '=', userId);
    const { email } = await users.executeTakeFirstOrThrow();
    const asking = { ...owner, address: request.ip };
    const device = await registerDevice(trx, asking, { id, name, secrets: deviceSecrets(call) });
    const token = await issueToken(trx, { ...owner, deviceId: device?.id ?? null });
    await note(trx, 'signed_in', asking);
    return { token, email, secret: device?.secret };
  };
  const { token, email, secret } = await services.db.transaction().execute(open);
  if (secret !== undefined) giveDeviceSecret(call, secret);
  return element('Signin', [fields({ IdToken: token, EmailId: email, UserId: userId, QuestionsOpen: asks ? true : undefined })]);
}

/** Signs in by e-mail address and password; an unknown one and a wrong one are answered alike. */
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
  const device = await knownDevice(services.db, store.id, deviceSecrets(call), { email: key });
  const known = device && ({ userId: device.userId, by: 'device' } as const);
  const attempt = { storeId: store.id, email: key, address: request.ip, known };
  const wrong = (): DomainError => new DomainError('unauthorized', 'The email address or password is incorrect.');
  await checkGuess(services, attempt, { password, hash: user?.password_hash, userId: user?.id }, wrong);
  if (!user || user.password_hash === null) throw wrong();
  const credential = { kind: 'password', hash: user.password_hash } as const;
  return openSession(call, { userId: user.id, credential, over: wrong }, query);
}
