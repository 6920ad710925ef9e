import { note } from '../accounts/audit.ts';
import { knownDevice, registerDevice } from '../accounts/devices.ts';
import { emailKey } from '../accounts/email.ts';
import { issueToken } from '../accounts/tokens.ts';
import { element, fields, type Markup } from '../xml/write.ts';
import { basicCredentials } from './basic-credentials.ts';
import type { Answer, Call } from './call.ts';
import { checkGuess } from './guess.ts';
import { Refusal } from './refusal.ts';

type Device = { deviceid?: string | undefined; devicename?: string | undefined };
type User = { id: string; email: string };

export function checkApplication(call: Call, appId: string): void {
  if (appId !== call.store.appId) throw new Refusal(400, 'The application id is not this store’s.');
}

/**
 * Gives the user an access token and registers the device that asked.
 * @param asks says whether the store still asks something of the user
 */
export async function openSession(call: Call, user: User, { deviceid, devicename }: Device, asks = false): Promise<Markup> {
  const { services, store } = call;
  const owner = { storeId: store.id, userId: user.id };
  const deviceId = await registerDevice(services.db, { ...owner, id: deviceid, name: devicename });
  const token = await issueToken(services.db, { ...owner, deviceId });
  await note(services.db, 'signed_in', { ...owner, address: call.request.ip });
  return element('Signin', [
    fields({ IdToken: token, EmailId: user.email, UserId: user.id, QuestionsOpen: asks ? true : undefined }),
  ]);
}

/** Signs in by e-mail address and password. An unknown address and a wrong password are answered alike. */
export async function signIn(call: Call<'signIn'>): Answer<'signIn'> {
  const { services, store, request, query } = call;
  checkApplication(call, query.appid);
  const { email, password } = basicCredentials(request);
  const key = emailKey(email);
  const user = await services.db
    .selectFrom('users')
    .select(['id', 'email', 'password_hash'])
    .where('store_id', '=', store.id)
    .where('email_key', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const device = await knownDevice(services.db, { storeId: store.id, userId: user?.id, id: query.deviceid });
  const attempt = { storeId: store.id, email: key, address: request.ip, knownDevice: device };
  const wrong = (): Refusal => new Refusal(401, 'The email address or password is incorrect.');
  await checkGuess(services, attempt, { password, hash: user?.password_hash, userId: user?.id }, wrong);
  if (!user) throw wrong();
  return openSession(call, user, query);
}
