import { randomBytes } from 'node:crypto';
import parsePhoneNumber, { type CountryCode, type PhoneNumber } from 'libphonenumber-js/max';
import { toNetwork } from '../../base/network.ts';
import { getTranslator } from '../../base/words.ts';
import { findKnownDevice } from '../../accounts/devices.ts';
import { isTrusted } from '../../accounts/trusted-customer.ts';
import { hasOpenQuestions } from '../../accounts/custom-fields.ts';
import { hashToken } from '../../accounts/tokens.ts';
import { readShopName } from '../../catalogue/shop-name.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import { findOrCreateAccount } from '../../providers/find-or-create-account.ts';
import { PHONE_ISSUER } from '../../providers/provider.ts';
import { type CountedCode, countCodeRequest, countSharedCode } from '../../sms/code-limits.ts';
import {
  startSharedCode,
  type CodeKind,
  countTry,
  endCode,
  joinSharedCode,
  saveOwnCode,
  activateSharedCode,
  generatePhoneCode,
  uncountTry,
} from '../../sms/codes.ts';
import { hasAccountOfPhone, requireDestination } from '../../sms/destination.ts';
import { MessageRefused } from '../../sms/transport.ts';
import { formatCodeMessage } from '../../sms/words.ts';
import { element, fields } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { findCaller } from '../calls/caller.ts';
import { readDeviceSecrets } from '../calls/device-cookie.ts';
import { countSignUp, limitCaller } from '../calls/limits.ts';
import { toVerifiedCredential } from './providers.ts';
import { notFound, DomainError, requireNoWait } from '../../kernel/errors.ts';
import { checkApplication, openSession } from './sign-in.ts';

const REQUEST_ID_BYTES = 24;

const codeOverError = (): DomainError =>
  new DomainError('conflict', 'This code no longer works. Please ask for another one.', { code: 'code_over' });

/**
 * Parses a typed number; its `number` is in E.164.
 * @throws DomainError not_found in a store without sign-in by telephone, bad_request bad_phone
 */
export async function parsePhone({ services, store }: Call, typed: string): Promise<PhoneNumber> {
  const provider = await services.db
    .selectFrom('providers')
    .select('settings')
    .where('store_id', '=', store.id)
    .where('kind', '=', 'phone')
    .executeTakeFirst();
  if (!provider) throw notFound('provider');
  const number = parsePhoneNumber(typed, provider.settings.country as CountryCode | undefined);
  if (number?.isValid() !== true)
    throw new DomainError('bad_request', 'This is not a valid phone number.', { code: 'bad_phone' });
  return number;
}

type Destination = {
  /** in E.164 */
  phone: string;
  /** country of the number, by ISO 3166-1 */
  country: string;
  opensAccount: boolean;
};

/**
 * @throws DomainError too_many_requests, with code phone_country_full for the limit of the country
 */
function requireAllowed({ country }: Destination, { wait, isOfCountry }: CountedCode): void {
  if (!isOfCountry) return requireNoWait(wait);
  throw new DomainError('too_many_requests', `No more codes are sent to this country (${country}) today.`, {
    code: 'phone_country_full',
    details: { retryAfterSeconds: wait },
  });
}

function logFirstExceeded({ services, store }: Call<'sendPhoneCode'>, { country }: Destination, counted: CountedCode): void {
  const { smsPerCountryDay: maxPerCountryDay } = services.config;
  const { firstOver: limit } = counted;
  if (limit !== undefined) services.log.warn({ store: store.id, country, limit, maxPerCountryDay }, 'sms.limit_reached');
}

/**
 * Counts a message before it is sent.
 * @returns the kind of code that the caller may have; `uncount` undoes the count
 * @throws DomainError too_many_requests
 */
async function limitMessages(
  call: Call<'sendPhoneCode'>,
  destination: Destination,
): Promise<{ kind: CodeKind; uncount: () => Promise<void> }> {
  const { services, store } = call;
  const { phone, country, opensAccount } = destination;
  const device = await findKnownDevice(services.db, store.id, readDeviceSecrets(call), { issuer: PHONE_ISSUER, subject: phone });
  const owner = device && { userId: device.userId, isTrusted: await isTrusted(services.db, store.id, device.userId) };
  const maxPerCountryDay = services.config.smsPerCountryDay;
  const asked = { phone, country, owner, maxPerCountryDay };
  const counted = await countCodeRequest(services.db, await findCaller(call), asked);
  logFirstExceeded(call, destination, counted);
  if (counted.wait === 0) return { kind: 'own', uncount: counted.uncount };
  // Strangers can use up these limits, too; the owner of an account must still be able to sign in.
  if (counted.isOfNumber) return { kind: 'shared', uncount: counted.uncount };
  // The answer reveals whether the number has an account, so it is limited like other guesses.
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
  const shop = await readShopName(services.db, store.id, { language: spoken.language });
  const text = formatCodeMessage(getTranslator(spoken.language), kind, { code, shop });
  await services.sms.send({ to: phone, text }, store.id).catch(async (error: unknown) => {
    if (error instanceof MessageRefused) await onRefused();
    services.log.warn({ err: error, store: store.id }, 'sms.send_failed');
    throw new DomainError('payment_unknown', 'The message could not be sent.', { code: 'message_not_sent' });
  });
}

/**
 * Assigns the number's shared code to a request, and sends a new one where none is valid.
 * @returns when it was sent; undefined where it was sent now
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
  logFirstExceeded(call, destination, counted);
  if (counted.wait > 0) requireAllowed(destination, counted);
  const { code, hash } = await createHashedCode(call, 'shared', counted.uncount);
  if (!(await startSharedCode(services.db, request, hash))) {
    await counted.uncount();
    return sendSharedCode(call, destination, requestHash);
  }
  await joinSharedCode(services.db, request);
  await sendMessage(call, { phone: destination.phone, kind: 'shared', code }, async () => {
    await counted.uncount();
    await endCode(services.db, request, hash);
  });
  await activateSharedCode(services.db, request, hash);
  return undefined;
}

/** A new code and its hash, which is as slow to guess as a password's, in case the table leaks. */
async function createHashedCode(
  { services }: Call<'sendPhoneCode'>,
  kind: CodeKind,
  uncount: () => Promise<void>,
): Promise<{ code: string; hash: string }> {
  const code = generatePhoneCode(kind);
  const hash = await services.passwords.hash(code).catch(async (error: unknown) => {
    await uncount();
    throw error;
  });
  return { code, hash };
}

/**
 * Sends a code to a telephone, for the requesting browser: strangers who request one for the same
 * number affect neither its codes nor its tries. Over the number's limits, which strangers can use
 * up, all browsers share one code: its message is sent at most every fifty minutes, and lets the
 * holder of the telephone in. The answer does not reveal whether the number has an account, except
 * once a country has reached its daily limit.
 */
export async function sendPhoneCode(call: Call<'sendPhoneCode'>): Answer<'sendPhoneCode'> {
  const { services, store, query, body } = call;
  checkApplication(call, query.appid);
  const number = await parsePhone(call, body.Phone);
  const phone = number.number;
  const country = await requireDestination(services, store.id, number).catch(async (refusal: unknown) => {
    // The refusal reveals that the number has no account, so it is limited like other guesses.
    await limitCaller(call, 'provider');
    throw refusal;
  });
  const destination = { phone, country, opensAccount: await hasAccountOfPhone(services, store.id, phone) };
  const { kind, uncount } = await limitMessages(call, destination);
  const requestId = randomBytes(REQUEST_ID_BYTES).toString('base64url');
  const requestHash = hashToken(requestId);
  if (kind === 'shared') {
    const sentAt = await sendSharedCode(call, destination, requestHash);
    return element('Result', [fields({ Status: 'Ok', RequestId: requestId, SentAt: sentAt?.toISOString() })]);
  }
  const { code, hash } = await createHashedCode(call, 'own', uncount);
  await saveOwnCode(services.db, { storeId: store.id, phone, requestHash }, hash);
  await sendMessage(call, { phone, kind: 'own', code }, uncount);
  return element('Result', [fields({ Status: 'Ok', RequestId: requestId })]);
}

type TypedCode = {
  /** in E.164 */
  phone: string;
  code: string;
  /** id from the answer to the request for the code; no code is found without it */
  requestId: string | undefined;
};

/**
 * Uses up the code that was sent to a number for a request. Wrong codes are counted per request;
 * unknown requests as tries of the caller.
 * @throws DomainError conflict code_wrong, code_over; 429
 */
export async function consumePhoneCode(call: Call, { phone, code, requestId = '' }: TypedCode): Promise<void> {
  const { services, store } = call;
  const request = { storeId: store.id, phone, requestHash: hashToken(requestId) };
  const codeHash = await countTry(services.db, request);
  if (codeHash === undefined) {
    await limitCaller(call, 'provider');
    throw codeOverError();
  }
  const owner = { key: toNetwork(call.request.ip), goesFirst: false };
  const matches = await services.passwords.matches(code, codeHash, owner).catch(async (error: unknown) => {
    await uncountTry(services.db, request);
    throw error;
  });
  if (!matches) throw new DomainError('conflict', 'This code is wrong.', { code: 'code_wrong' });
  const ended = await endCode(services.db, request, codeHash);
  if (!ended.includes(request.requestHash)) throw codeOverError();
}

/** Signs in by a number and the code sent to it; a number without an account gets one. */
export async function signInByPhone(call: Call<'signInByPhone'>): Answer<'signInByPhone'> {
  const { services, store, request, query, body, spoken } = call;
  checkApplication(call, query.appid);
  const { number: phone } = await parsePhone(call, body.Phone);
  await consumePhoneCode(call, { phone, code: body.Code, requestId: body.RequestId });
  const setting = {
    storeId: store.id,
    language: spoken.language,
    origin: getStoreOrigin(store, request, services.config),
    address: request.ip,
    countNew: () => countSignUp(call),
  };
  const person = { issuer: PHONE_ISSUER, subject: phone, email: '', emailVerified: false, name: '' };
  const user = await findOrCreateAccount(services.db, setting, person);
  return openSession(call, toVerifiedCredential(person, user.id), query, await hasOpenQuestions(services.db, store.id, user.id));
}
