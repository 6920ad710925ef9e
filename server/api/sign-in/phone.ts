import { randomBytes } from 'node:crypto';
import parsePhoneNumber, { type CountryCode, type PhoneNumber } from 'libphonenumber-js/max';
import { toNetwork } from '../../base/network.ts';
import { getTranslator } from '../../base/words.ts';
import { findKnownDevice } from '../../accounts/devices.ts';
import { isTrusted } from '../../accounts/trusted-customer.ts';
import { hashToken } from '../../accounts/tokens.ts';
import { readShopName } from '../../catalogue/shop-name.ts';
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
import { renderElement, renderFields } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { findCaller } from '../calls/caller.ts';
import { readDeviceSecrets } from '../calls/device-cookie.ts';
import { limitCaller } from '../calls/limits.ts';
import { openSessionOfPerson } from './providers.ts';
import { notFound, DomainError, requireNoWait } from '../../kernel/errors.ts';
import { checkApplication } from './sign-in.ts';

const REQUEST_ID_BYTES = 24;

const codeOverError = (): DomainError =>
  new DomainError('conflict', 'This code no longer works. Please ask for another one.', { code: 'code_over' });

/**
 * Parses an entered number; `number` of the result is in E.164.
 * @throws DomainError not_found in a store without sign-in by telephone, bad_request bad_phone
 */
export async function parsePhone({ services, store }: Call, enteredNumber: string): Promise<PhoneNumber> {
  const provider = await services.db
    .selectFrom('providers')
    .select('settings')
    .where('store_id', '=', store.id)
    .where('kind', '=', 'phone')
    .executeTakeFirst();
  if (!provider) throw notFound('provider');
  const number = parsePhoneNumber(enteredNumber, provider.settings.country as CountryCode | undefined);
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
 * Refuses a code whose limits are exceeded.
 * @throws DomainError too_many_requests, with code phone_country_full for the limit of the country
 */
function requireAllowed({ country }: Destination, { waitSeconds, isCountryLimitExceeded }: CountedCode): void {
  if (!isCountryLimitExceeded) return requireNoWait(waitSeconds);
  throw new DomainError('too_many_requests', `No more codes are sent to this country (${country}) today.`, {
    code: 'phone_country_full',
    details: { retryAfterSeconds: waitSeconds },
  });
}

function logFirstExceeded({ services, store }: Call<'sendPhoneCode'>, { country }: Destination, countedCode: CountedCode): void {
  const { smsPerCountryDay: maxPerCountryDay } = services.config;
  const { firstExceededLimit: limit } = countedCode;
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
  const codeRequest = { phone, country, owner, maxPerCountryDay };
  const countedCode = await countCodeRequest(services.db, await findCaller(call), codeRequest);
  logFirstExceeded(call, destination, countedCode);
  if (countedCode.waitSeconds === 0) return { kind: 'own', uncount: countedCode.undoCount };
  // Strangers can exhaust these limits, too; an account's owner must still be able to sign in.
  if (countedCode.isPhoneLimitExceeded) return { kind: 'shared', uncount: countedCode.undoCount };
  // The response reveals whether the number has an account, so it is limited like other guesses.
  if (countedCode.isCountryLimitExceeded) await limitCaller(call, 'provider');
  if (!countedCode.isCountryLimitExceeded || !opensAccount) requireAllowed(destination, countedCode);
  return { kind: 'shared', uncount: countedCode.undoCount };
}

/**
 * Sends a code by text message.
 * @param onRefused called if the message was certainly not sent
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
    services.log.warn({ err: error, store: store.id }, 'sms.send.failed');
    throw new DomainError('payment_unknown', 'The message could not be sent.', { code: 'message_not_sent' });
  });
}

/**
 * Assigns the number's shared code to a request, and sends a new code if none is valid.
 * @returns the time at which the code was sent; undefined if it was sent now
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
  const countedCode = await countSharedCode(services.db, store.id, destination, services.config.smsPerCountryDay);
  logFirstExceeded(call, destination, countedCode);
  if (countedCode.waitSeconds > 0) requireAllowed(destination, countedCode);
  const { code, hash } = await createHashedCode(call, 'shared', countedCode.undoCount);
  if (!(await startSharedCode(services.db, request, hash))) {
    await countedCode.undoCount();
    return sendSharedCode(call, destination, requestHash);
  }
  await joinSharedCode(services.db, request);
  await sendMessage(call, { phone: destination.phone, kind: 'shared', code }, async () => {
    await countedCode.undoCount();
    await endCode(services.db, request, hash);
  });
  await activateSharedCode(services.db, request, hash);
  return undefined;
}

/** Creates a code and its hash, as slow to guess as a password's hash in case the table leaks. */
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
 * number affect neither its codes nor its tries. Once the number's limits are exceeded, which
 * strangers can cause, all browsers share one code: its message is sent at most every fifty
 * minutes, so that the holder of the telephone can sign in. The response does not reveal whether
 * the number has an account, except once a country has reached its daily limit.
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
    return renderElement('Result', [renderFields({ Status: 'Ok', RequestId: requestId, SentAt: sentAt?.toISOString() })]);
  }
  const { code, hash } = await createHashedCode(call, 'own', uncount);
  await saveOwnCode(services.db, { storeId: store.id, phone, requestHash }, hash);
  await sendMessage(call, { phone, kind: 'own', code }, uncount);
  return renderElement('Result', [renderFields({ Status: 'Ok', RequestId: requestId })]);
}

type EnteredCode = {
  /** in E.164 */
  phone: string;
  code: string;
  /** id in the response to the request for the code; without it, no code is found */
  requestId: string | undefined;
};

/**
 * Consumes the code that was sent to a number for a request. Wrong codes are counted per request;
 * unknown requests are counted as tries of the caller.
 * @throws DomainError conflict code_wrong, code_over; too_many_requests
 */
export async function consumePhoneCode(call: Call, { phone, code, requestId = '' }: EnteredCode): Promise<void> {
  const { services, store } = call;
  const request = { storeId: store.id, phone, requestHash: hashToken(requestId) };
  const codeHash = await countTry(services.db, request);
  if (codeHash === undefined) {
    await limitCaller(call, 'provider');
    throw codeOverError();
  }
  const owner = { key: toNetwork(call.request.ip), goesFirst: false };
  const isMatch = await services.passwords.matches(code, codeHash, owner).catch(async (error: unknown) => {
    await uncountTry(services.db, request);
    throw error;
  });
  if (!isMatch) throw new DomainError('conflict', 'This code is wrong.', { code: 'code_wrong' });
  const endedRequests = await endCode(services.db, request, codeHash);
  if (!endedRequests.includes(request.requestHash)) throw codeOverError();
}

/** Signs in by a number and the code sent to it; a number without an account gets one. */
export async function signInByPhone(call: Call<'signInByPhone'>): Answer<'signInByPhone'> {
  const { query, body } = call;
  checkApplication(call, query.appid);
  const { number: phone } = await parsePhone(call, body.Phone);
  await consumePhoneCode(call, { phone, code: body.Code, requestId: body.RequestId });
  const person = { issuer: PHONE_ISSUER, subject: phone, email: '', emailVerified: false, name: '' };
  return openSessionOfPerson(call, person);
}
