import { decrementCounters, type Limit } from '../accounts/call-counters.ts';
import {
  type Caller,
  callerLimits,
  countWithFallback,
  getLimit,
  networkLimitsOfCaller,
  pairLimits,
  getWaitSeconds,
} from '../accounts/caller-limits.ts';
import type { LimitName } from '../accounts/rate-limits.ts';
import type { Database } from '../database/open.ts';

type CodeRequest = {
  /** in E.164 */
  phone: string;
  /** the number's country, in ISO 3166-1 */
  country: string;
  /** the number's customer, if the account knows the calling device */
  owner: { userId: string; isTrusted: boolean } | undefined;
  /**
   * messages per country and day for strangers, and the same number again for customers on their
   * own devices
   */
  maxPerCountryDay: number;
};

/**
 * Returns the limits for a number's customer on a known device; requests by strangers do not count
 * against these limits.
 */
function getOwnerLimits(
  { userId, isTrusted }: { userId: string; isTrusted: boolean },
  { address }: Caller,
  phone: string,
): Limit[] {
  const networkLimits = [...networkLimitsOfCaller('sms', address), ...networkLimitsOfCaller('sms-day', address)];
  return [getLimit('sms-own', userId), getLimit('sms-own-phone', phone), ...(isTrusted ? [] : networkLimits)];
}

/**
 * Returns the alternative limits for all other callers, in the sequence in which they are tried.
 */
function getStrangerLimits(caller: Caller, phone: string): Limit[][] {
  const limitsPerDay = callerLimits('sms-day', caller);
  return callerLimits('sms', caller).map((limits, index) => [
    ...limits,
    ...(limitsPerDay[index] ?? []),
    // After the caller's limits: if only the number's own limits are exceeded, its shared code may
    // be used.
    ...pairLimits('sms-pair', caller.address, phone),
    getLimit('sms-phone', phone),
  ]);
}

const isLimitNamed = (names: readonly LimitName[], { subject }: Limit): boolean =>
  names.some((name) => subject.startsWith(`${name}:`));

/** The limits on codes to one number, beyond which its shared code may be used. */
const PHONE_LIMIT_NAMES: LimitName[] = ['sms-pair', 'sms-own-phone', 'sms-phone'];
/** The limits on codes to all numbers of a country. */
const COUNTRY_LIMIT_NAMES: LimitName[] = ['sms-own-country', 'sms-country', 'sms-shared-country'];

/** The result of counting a code against the limits. */
export type CountedCode = {
  /** seconds to wait; 0: a code may be sent */
  waitSeconds: number;
  /** only the number's limits are exceeded: its shared code may be used */
  isPhoneLimitExceeded: boolean;
  /** a limit of the number's country is exceeded */
  isCountryLimitExceeded: boolean;
  /** subject of the country's limit that this call is the first to exceed, like `sms-country:GB` */
  firstExceededLimit: string | undefined;
  /** undoes the count of a code that was not sent */
  undoCount: () => Promise<void>;
};

const toCountedCode = (
  db: Database,
  storeId: string,
  countResult: Awaited<ReturnType<typeof countWithFallback>>,
): CountedCode => ({
  waitSeconds: getWaitSeconds(countResult),
  isPhoneLimitExceeded: countResult.exceeded !== undefined && isLimitNamed(PHONE_LIMIT_NAMES, countResult.exceeded),
  isCountryLimitExceeded: countResult.exceeded !== undefined && isLimitNamed(COUNTRY_LIMIT_NAMES, countResult.exceeded),
  firstExceededLimit: countResult.passed.find((each) => isLimitNamed(COUNTRY_LIMIT_NAMES, each) && each.isFirst)?.subject,
  undoCount: () => decrementCounters(db, storeId, countResult.subjects),
});

/**
 * Counts a code before it is sent. A number's customer on a known device has separate limits; once
 * these are exceeded, the strangers' limits apply.
 */
export async function countCodeRequest(
  db: Database,
  caller: Caller,
  { phone, country, owner, maxPerCountryDay }: CodeRequest,
): Promise<CountedCode> {
  const ownerCountryLimit = getLimit('sms-own-country', country, maxPerCountryDay);
  const strangerCountryLimit = getLimit('sms-country', country, maxPerCountryDay);
  const alternatives = getStrangerLimits(caller, phone).map((limits) => [...limits, strangerCountryLimit]);
  if (owner) alternatives.unshift([...getOwnerLimits(owner, caller, phone), ownerCountryLimit]);
  return toCountedCode(db, caller.storeId, await countWithFallback(db, caller.storeId, alternatives));
}

/**
 * Counts a number's shared code before it is sent. Numbers that open an account have a separate
 * limit per country, which requests for other numbers cannot exhaust.
 */
export async function countSharedCode(
  db: Database,
  storeId: string,
  { phone, country, opensAccount }: { phone: string; country: string; opensAccount: boolean },
  maxPerCountryDay: number,
): Promise<CountedCode> {
  const countryLimit = getLimit(opensAccount ? 'sms-shared-country' : 'sms-country', country, maxPerCountryDay);
  return toCountedCode(db, storeId, await countWithFallback(db, storeId, [[getLimit('sms-shared-phone', phone), countryLimit]]));
}
