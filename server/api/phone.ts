import { randomInt } from 'node:crypto';
import parsePhoneNumber, { type CountryCode } from 'libphonenumber-js/min';
import { sql } from 'kysely';
import { countCodeRequest, countProviderTry, countSignUp } from '../accounts/attempts.ts';
import { hasOpenQuestions } from '../accounts/custom-fields.ts';
import { shopName } from '../catalogue/shop-name.ts';
import { originOf } from '../origin.ts';
import { accountOf } from '../providers/account-of.ts';
import { PHONE_ISSUER } from '../providers/provider.ts';
import { codeWords } from '../sms/words.ts';
import type { Answer, Call } from './call.ts';
import { done } from './done.ts';
import { verifiedBy } from './providers.ts';
import { notFound, Refusal } from './refusal.ts';
import { checkApplication, openSession } from './sign-in.ts';

/** Minutes for which a code works, which the message says. */
const MINUTES = 10;
const DIGITS = 6;
const MOST_TRIES = 5;

const tooMany = (seconds: number): Refusal =>
  new Refusal(429, 'Too many attempts. Please try again later.', { extra: { retryAfterSeconds: seconds } });

const over = (): Refusal => new Refusal(409, 'This code no longer works. Please ask for another one.', { code: 'code_over' });

/**
 * A number as somebody has typed it, in E.164.
 * @throws Refusal 404 in a store whose customers do not sign in by telephone, 400 bad_phone
 */
export async function phoneOf({ services, store }: Call, typed: string): Promise<string> {
  const provider = await services.db
    .selectFrom('providers')
    .select('settings')
    .where('store_id', '=', store.id)
    .where('kind', '=', 'phone')
    .executeTakeFirst();
  if (!provider) throw notFound('provider');
  const number = parsePhoneNumber(typed, provider.settings.country as CountryCode | undefined);
  if (number?.isValid() !== true) throw new Refusal(400, 'This is no phone number.', { code: 'bad_phone' });
  return number.number;
}

/** Sends a code to a telephone, in the place of the one before. Nobody learns whether there is an account with the number. */
export async function sendPhoneCode(call: Call<'sendPhoneCode'>): Answer<'sendPhoneCode'> {
  const { services, store, request, query, body, spoken } = call;
  checkApplication(call, query.appid);
  const phone = await phoneOf(call, body.Phone);
  const wait = await countCodeRequest(services.db, store.id, request.ip, phone);
  if (wait > 0) throw tooMany(wait);
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const row = {
    // As slow to guess as a password, for who should ever read the table.
    code_hash: await services.passwords.hash(code),
    tries: 0,
    expires_at: new Date(Date.now() + MINUTES * 60_000),
  };
  await services.db
    .insertInto('phone_codes')
    .values({ ...row, store_id: store.id, phone })
    .onConflict((conflict) => conflict.columns(['store_id', 'phone']).doUpdateSet(row))
    .execute();
  const shop = await shopName(services.db, store.id, { language: spoken.language });
  const text = codeWords[spoken.language].replace('{code}', code).replace('{shop}', () => shop);
  await services.sms.send({ to: phone, text }, store.id).catch((error: unknown) => {
    services.log.error({ err: error }, 'a text message could not be sent');
    throw new Refusal(502, 'The message could not be sent.', { code: 'message_not_sent' });
  });
  return done();
}

/**
 * Uses the code up that was sent to a number.
 * @param phone in E.164
 * @throws Refusal 409 code_wrong, code_over
 */
export async function takeCode({ services, store }: Call, phone: string, code: string): Promise<void> {
  // Counted before it is looked at: tries at the same moment are tries, too.
  const sent = await services.db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('store_id', '=', store.id)
    .where('phone', '=', phone)
    .where('tries', '<', MOST_TRIES)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('code_hash')
    .executeTakeFirst();
  if (!sent) throw over();
  if (!(await services.passwords.matches(code, sent.code_hash)))
    throw new Refusal(409, 'This code is wrong.', { code: 'code_wrong' });
  const used = await services.db
    .deleteFrom('phone_codes')
    .where('store_id', '=', store.id)
    .where('phone', '=', phone)
    .where('code_hash', '=', sent.code_hash)
    .executeTakeFirst();
  if (used.numDeletedRows === 0n) throw over();
}

/** Signs in by a number and the code that was sent to it; a number that has no account gets one. */
export async function signInByPhone(call: Call<'signInByPhone'>): Answer<'signInByPhone'> {
  const { services, store, request, query, body, spoken } = call;
  checkApplication(call, query.appid);
  const phone = await phoneOf(call, body.Phone);
  const wait = await countProviderTry(services.db, store.id, request.ip);
  if (wait > 0) throw tooMany(wait);
  await takeCode(call, phone, body.Code);
  const setting = {
    storeId: store.id,
    language: spoken.language,
    origin: originOf(store, request, services.config),
    address: request.ip,
    mayMake: () => countSignUp(services.db, store.id, request.ip, services.config.signUpsPerHour),
  };
  const person = { issuer: PHONE_ISSUER, subject: phone, email: '', emailVerified: false, name: '' };
  const user = await accountOf(services.db, setting, person);
  return openSession(call, verifiedBy(person, user.id), query, await hasOpenQuestions(services.db, store.id, user.id));
}
