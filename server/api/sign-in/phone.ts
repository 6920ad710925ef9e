import { randomBytes } from 'node:crypto';
import parsePhoneNumber, { type CountryCode, type PhoneNumber } from 'libphonenumber-js/max';
import { networkOf } from '../../base/network.ts';
import { translatorTo } from '../../base/words.ts';
import { knownDevice } from '../../accounts/devices.ts';
import { isTrusted } from '../../accounts/trusted-customer.ts';
import { hasOpenQuestions } from '../../accounts/custom-fields.ts';
import { hashToken } from '../../accounts/tokens.ts';
import { shopName } from '../../catalogue/shop-name.ts';
import { originOf } from '../../stores/origin.ts';
import { accountOf } from '../../providers/account-of.ts';
import { PHONE_ISSUER } from '../../providers/provider.ts';
import { type CountedCode, countCodeRequest, countSharedCode } from '../../sms/code-limits.ts';
import {
  beginSharedCode,
  type CodeKind,
  countTry,
  endCode,
  joinSharedCode,
  keepOwnCode,
  keepSharedCode,
  newCode,
  uncountTry,
} from '../../sms/codes.ts';
import { opensAccount, requireDestination } from '../../sms/destination.ts';
import { MessageRefused } from '../../sms/transport.ts';
import { codeMessage } from '../../sms/words.ts';
import { element, fields } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { callerOf } from '../calls/caller.ts';
import { deviceSecrets } from '../calls/device-cookie.ts';
import { countSignUp, limitCaller } from '../calls/limits.ts';
import { verifiedBy } from './providers.ts';
import { notFound, DomainError, requireNoWait } from '../../kernel/errors.ts';
import { checkApplication, openSession } from './sign-in.ts';

const REQUEST_ID_BYTES = 24;

const over = (): DomainError =>
  new DomainError('conflict', 'This code no longer works. Please ask for another one.', { code: 'code_over' });

/**
 * A number as it was typed; its `number` is in E.164.
 * @throws DomainError not_found in a store whose customers do not sign in by telephone, bad_request
 * bad_phone
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
  if (number?.isValid() !== true) throw new DomainError('bad_request', 'This is no phone number.', { code: 'bad_phone' });
  return number;
}

type Destination = {
  /** in E.164 */
  phone: string;
  /** of the number, by ISO 3166-1 */
  country: string;
  opensAccount: boolean;
};

/**
 * @throws DomainError too_many_requests, with code phone_country_full where it is the country's
 * limit
 */
function requireAllowed({ country }: Destination, { wait, isOfCountry }: CountedCode): void {
  if (!isOfCountry) return requireNoWait(wait);
  throw new DomainError('too_many_requests', `No more codes are sent to this country (${country}) today.`, {
    code: 'phone_country_full',
    details: { retryAfterSeconds: wait },
  });
}

function reportFirstOver({ services, store }: Call<'sendPhoneCode'>, { country }: Destination, counted: CountedCode): void {
  const { smsPerCountryDay: maxPerCountryDay } = services.config;
  const { firstOver: limit } = counted;
  if (limit !== undefined)
    services.log.error({ store: store.id, country, limit, maxPerCountryDay }, 'limit of text messages reached');
}

/**
 * Counts a message before it is sent.
 * @returns the kind of code that the caller may have; `uncount` takes the message back
 * @throws DomainError too_many_requests
 */
async function limitMessages(
  call: Call<'sendPhoneCode'>,
  destination: Destination,
): Promise<{ kind: CodeKind; uncount: () => Promise<void> }> {
  const { services, store } = call;
  const { phone, country, opensAccount } = destination;
  const device = await knownDevice(services.db, store.id, deviceSecrets(call), { issuer: PHONE_ISSUER, subject: phone });
  const owner = device && { userId: device.userId, isTrusted: await isTrusted(services.db, store.id, device.userId) };
  const maxPerCountryDay = services.config.smsPerCountryDay;
  const asked = { phone, country, owner, maxPerCountryDay };
  const counted = await countCodeRequest(services.db, await callerOf(call), asked);
  reportFirstOver(call, destination, counted);
  if (counted.wait === 0) return { kind: 'own', uncount: counted.uncount };
  // Strangers use these limits up, too; the owner of an account is let in all the same.
  if (counted.isOfNumber) return { kind: 'shared', uncount: counted.uncount };
  // The answer says whether the number opens an account, so it is limited like other guesses.
  if (counted.isOfCountry) await limitCaller(call, 'provider');
  if (!counted.isOfCountry || !opensAccount) requireAllowed(destination, counted);
  return { kind: 'shared', uncount: counted.uncount };
}

/**
 * Sends a code by text message.
 * @param onRefused runs where it was certainly not sent
 * @throws DomainError payment_unknown message_not_sent
 */
async function sendMessage(
  call: Call<'sendPhoneCode'>,
  { phone, kind, code }: { phone: string; kind: CodeKind; code: string },
  onRefused: () => Promise<unknown>,
): Promise<void> {
  const { services, store, spoken } = call;
  const shop = await shopName(services.db, store.id, { language: spoken.language });
  const text = codeMessage(translatorTo(spoken.language), kind, { code, shop });
  await services.sms.send({ to: phone, text }, store.id).catch(async (error: unknown) => {
    if (error instanceof MessageRefused) await onRefused();
    services.log.error({ err: error }, 'a text message could not be sent');
    throw new DomainError('payment_unknown', 'The message could not be sent.', { code: 'message_not_sent' });
  });
}

/**
 * Lets a request use the number's shared code, and sends a new one where none works any more.
 * @returns when it was sent; undefined where that was now
 * @throws DomainError too_many_requests phone_country_full, payment_unknown message_not_sent
 */
async function sendSharedCode(
  call: Call<'sendPhoneCode'>,
  destination: Destination,
  requestHash: string,
): Promise<Date | undefined> {
  const { services, store } = call;
  const request = { storeId: store.id, phone: destination.phone, requestHash };
  const sentAt = await joinSharedCode(services.db, request);
  if (sentAt) return sentAt;
  const counted = await countSharedCode(services.db, store.id, destination, services.config.smsPerCountryDay);
  reportFirstOver(call, destination, counted);
  if (counted.wait > 0) requireAllowed(destination, counted);
  const { code, hash } = await hashedCode(call, 'shared', counted.uncount);
  if (!(await beginSharedCode(services.db, request, hash))) {
    await counted.uncount();
    return sendSharedCode(call, destination, requestHash);
  }
  await joinSharedCode(services.db, request);
  await sendMessage(call, { phone: destination.phone, kind: 'shared', code }, async () => {
    await counted.uncount();
    await endCode(services.db, request, hash);
  });
  await keepSharedCode(services.db, request, hash);
  return undefined;
}

/** A new code and its hash, as slow to guess as a password's, in case the table leaks. */
async function hashedCode(
  { services }: Call<'sendPhoneCode'>,
  kind: CodeKind,
  uncount: () => Promise<void>,
): Promise<{ code: string; hash: string }> {
  const code = newCode(kind);
  const hash = await services.passwords.hash(code).catch(async (error: unknown) => {
    await uncount();
    throw error;
  });
  return { code, hash };
}

/**
 * Sends a code to a telephone, for the browser that asks: strangers who ask for the same number
 * disturb neither its codes nor its tries. Over the number's limits, which strangers can use up,
 * all browsers share one code: its message comes at most every fifty minutes, and lets the holder
 * of the telephone in. The answer does not say whether the number has an account, except once a
 * country has had its messages of the day.
 */
export async function sendPhoneCode(call: Call<'sendPhoneCode'>): Answer<'sendPhoneCode'> {
  const { services, store, query, body } = call;
  checkApplication(call, query.appid);
  const number = await phoneOf(call, body.Phone);
  const phone = number.number;
  const country = await requireDestination(services, store.id, number).catch(async (refusal: unknown) => {
    // The refusal says that the number opens no account, so it is limited like other guesses.
    await limitCaller(call, 'provider');
    throw refusal;
  });
  const destination = { phone, country, opensAccount: await opensAccount(services, store.id, phone) };
  const { kind, uncount } = await limitMessages(call, destination);
  const requestId = randomBytes(REQUEST_ID_BYTES).toString('base64url');
  const requestHash = hashToken(requestId);
  if (kind === 'shared') {
    const sentAt = await sendSharedCode(call, destination, requestHash);
    return element('Result', [fields({ Status: 'Ok', RequestId: requestId, SentAt: sentAt?.toISOString() })]);
  }
  const { code, hash } = await hashedCode(call, 'own', uncount);
  await keepOwnCode(services.db, { storeId: store.id, phone, requestHash }, hash);
  await sendMessage(call, { phone, kind: 'own', code }, uncount);
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
 * @throws DomainError conflict code_wrong, code_over; 429
 */
export async function takeCode(call: Call, { phone, code, requestId = '' }: TypedCode): Promise<void> {
  const { services, store } = call;
  const request = { storeId: store.id, phone, requestHash: hashToken(requestId) };
  const codeHash = await countTry(services.db, request);
  if (codeHash === undefined) {
    await limitCaller(call, 'provider');
    throw over();
  }
  const owner = { key: networkOf(call.request.ip), goesFirst: false };
  const matches = await services.passwords.matches(code, codeHash, owner).catch(async (error: unknown) => {
    await uncountTry(services.db, request);
    throw error;
  });
  if (!matches) throw new DomainError('conflict', 'This code is wrong.', { code: 'code_wrong' });
  const ended = await endCode(services.db, request, codeHash);
  if (!ended.includes(request.requestHash)) throw over();
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
