import { randomBytes, randomInt } from 'node:crypto';
import parsePhoneNumber, { type CountryCode, type PhoneNumber } from 'libphonenumber-js/max';
import { sql } from 'kysely';
import { knownDevice } from '../accounts/devices.ts';
import { isTrusted } from '../accounts/trusted-customer.ts';
import { hasOpenQuestions } from '../accounts/custom-fields.ts';
import { hashToken } from '../accounts/tokens.ts';
import { shopName } from '../catalogue/shop-name.ts';
import { originOf } from '../origin.ts';
import { accountOf } from '../providers/account-of.ts';
import { PHONE_ISSUER } from '../providers/provider.ts';
import { countCodeRequest } from '../sms/code-limits.ts';
import { requireDestination } from '../sms/destination.ts';
import { codeWords } from '../sms/words.ts';
import { element, fields } from '../xml/write.ts';
import type { Answer, Call } from './call.ts';
import { callerOf } from './caller.ts';
import { deviceSecrets } from './device-cookie.ts';
import { countSignUp, limitCaller } from './limits.ts';
import { verifiedBy } from './providers.ts';
import { notFound, Refusal, requireNoWait } from './refusal.ts';
import { checkApplication, openSession } from './sign-in.ts';

/** For which a code works, as the message says. */
const CODE_MINUTES = 10;
const CODE_DIGITS = 6;
const TRIES_PER_CODE = 5;
const REQUEST_ID_BYTES = 24;

const over = (): Refusal => new Refusal(409, 'This code no longer works. Please ask for another one.', { code: 'code_over' });

/**
 * A number as it was typed; its `number` is in E.164.
 * @throws Refusal 404 in a store whose customers do not sign in by telephone, 400 bad_phone
 */
export async function phoneOf({ services, store }: Call, typed: string): Promise<PhoneNumber> {
  const provider = await services.db
    .selectFrom('providers')
    .select('settings')
    .where('store_id', '=', store.id)
    .where('kind', '=', 'phone')
    .executeTakeFirst();
  if (!provider) throw notFound('provider');
  const number = parsePhoneNumber(typed, provider.settings.country as CountryCode | undefined);
  if (number?.isValid() !== true) throw new Refusal(400, 'This is no phone number.', { code: 'bad_phone' });
  return number;
}

/**
 * Counts a message before it is sent.
 * @returns takes it back, where it is not sent after all
 * @throws Refusal 429, with code phone_country_full where it is the country's limit
 */
async function limitMessages(call: Call<'sendPhoneCode'>, phone: string, country: string): Promise<() => Promise<void>> {
  const { services, store } = call;
  const identity = { issuer: PHONE_ISSUER, subject: phone };
  const device = await knownDevice(services.db, store.id, deviceSecrets(call), identity);
  const owner = device && { userId: device.userId, isTrusted: await isTrusted(services.db, store.id, device.userId) };
  const maxPerCountryDay = services.config.smsPerCountryDay;
  const asked = { phone, country, owner, maxPerCountryDay };
  const { wait, isOfCountry, isFirstOver, uncount } = await countCodeRequest(services.db, await callerOf(call), asked);
  if (isFirstOver) services.log.error({ store: store.id, country, maxPerCountryDay }, 'limit of text messages reached');
  if (wait === 0) return uncount;
  if (!isOfCountry) requireNoWait(wait);
  throw new Refusal(429, `No more codes are sent to this country (${country}) today.`, {
    code: 'phone_country_full',
    extra: { retryAfterSeconds: wait },
  });
}

/**
 * Sends a code to a telephone, for the browser that asks and no other: strangers who ask for the
 * same number disturb neither its codes nor its tries. The answer does not say whether the number
 * has an account.
 */
export async function sendPhoneCode(call: Call<'sendPhoneCode'>): Answer<'sendPhoneCode'> {
  const { services, store, query, body, spoken } = call;
  checkApplication(call, query.appid);
  const number = await phoneOf(call, body.Phone);
  const phone = number.number;
  const country = await requireDestination(services, store.id, number).catch(async (refusal: unknown) => {
    // The refusal says that the number opens no account, so it is limited like other guesses.
    await limitCaller(call, 'provider');
    throw refusal;
  });
  const uncount = await limitMessages(call, phone, country);
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const requestId = randomBytes(REQUEST_ID_BYTES).toString('base64url');
  const row = {
    request_hash: hashToken(requestId),
    store_id: store.id,
    phone,
    // As slow to guess as a password, in case the table leaks.
    code_hash: await services.passwords.hash(code).catch(async (error: unknown) => {
      await uncount();
      throw error;
    }),
    expires_at: sql<Date>`now() + make_interval(mins => ${CODE_MINUTES}::int)`,
  };
  await services.db.insertInto('phone_codes').values(row).execute();
  const shop = await shopName(services.db, store.id, { language: spoken.language });
  const text = codeWords[spoken.language].replace('{code}', code).replace('{shop}', () => shop);
  await services.sms.send({ to: phone, text }, store.id).catch((error: unknown) => {
    services.log.error({ err: error }, 'a text message could not be sent');
    throw new Refusal(502, 'The message could not be sent.', { code: 'message_not_sent' });
  });
  return element('Result', [fields({ Status: 'Ok', RequestId: requestId })]);
}

type TypedCode = {
  /** in E.164 */
  phone: string;
  code: string;
  /** as the answer to the request for the code had it; without it no code is found */
  requestId: string | undefined;
};

/**
 * Uses the code up that was sent to a number for a request. Wrong ones are counted by the request;
 * unknown requests as tries of the caller.
 * @throws Refusal 409 code_wrong, code_over; 429
 */
export async function takeCode(call: Call, { phone, code, requestId = '' }: TypedCode): Promise<void> {
  const { services, store } = call;
  const hash = hashToken(requestId);
  // Counted before it is looked at: tries at the same moment are tries, too.
  const sent = await services.db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('request_hash', '=', hash)
    .where('store_id', '=', store.id)
    .where('phone', '=', phone)
    .where('tries', '<', TRIES_PER_CODE)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('code_hash')
    .executeTakeFirst();
  if (!sent) {
    await limitCaller(call, 'provider');
    throw over();
  }
  const matches = await services.passwords.matches(code, sent.code_hash).catch(async (error: unknown) => {
    const uncounted = services.db.updateTable('phone_codes').set((eb) => ({ tries: eb('tries', '-', 1) }));
    await uncounted.where('request_hash', '=', hash).execute();
    throw error;
  });
  if (!matches) throw new Refusal(409, 'This code is wrong.', { code: 'code_wrong' });
  const used = await services.db.deleteFrom('phone_codes').where('request_hash', '=', hash).executeTakeFirst();
  if (used.numDeletedRows === 0n) throw over();
}

/** Signs in by a number and the code that was sent to it; a number that has no account gets one. */
export async function signInByPhone(call: Call<'signInByPhone'>): Answer<'signInByPhone'> {
  const { services, store, request, query, body, spoken } = call;
  checkApplication(call, query.appid);
  const { number: phone } = await phoneOf(call, body.Phone);
  await takeCode(call, { phone, code: body.Code, requestId: body.RequestId });
  const setting = {
    storeId: store.id,
    language: spoken.language,
    origin: originOf(store, request, services.config),
    address: request.ip,
    countNew: () => countSignUp(call),
  };
  const person = { issuer: PHONE_ISSUER, subject: phone, email: '', emailVerified: false, name: '' };
  const user = await accountOf(services.db, setting, person);
  return openSession(call, verifiedBy(person, user.id), query, await hasOpenQuestions(services.db, store.id, user.id));
}
