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
  /** of the number, in ISO 3166-1 */
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
 * The limits for a number's customer on a known device; requests by strangers do not count for
 * them.
 */
function ownLimits({ userId, isTrusted }: { userId: string; isTrusted: boolean }, { address }: Caller, phone: string): Limit[] {
  const ofNetwork = [...networkLimitsOfCaller('sms', address), ...networkLimitsOfCaller('sms-day', address)];
  return [getLimit('sms-own', userId), getLimit('sms-own-phone', phone), ...(isTrusted ? [] : ofNetwork)];
}

/** The limits for all other callers, in the order in which they are tried. */
function otherLimits(caller: Caller, phone: string): Limit[][] {
  const perDay = callerLimits('sms-day', caller);
  return callerLimits('sms', caller).map((limits, at) => [
    ...limits,
    ...(perDay[at] ?? []),
    // After the caller's limits: if only the number's own limits are exceeded, its shared code may
    // be used.
    ...pairLimits('sms-pair', caller.address, phone),
    getLimit('sms-phone', phone),
  ]);
}

const isLimitNamed = (names: readonly LimitName[], { subject }: Limit): boolean =>
  names.some((name) => subject.startsWith(`${name}:`));
/** The limits that strangers can exhaust by requesting codes for one number. */
const PHONE_LIMITS: LimitName[] = ['sms-pair', 'sms-own-phone', 'sms-phone'];
const COUNTRY_LIMITS: LimitName[] = ['sms-own-country', 'sms-country', 'sms-shared-country'];

/** The result of counting a code; `uncount` undoes it for a code that was not sent. */
export type CountedCode = {
  /** seconds to wait; 0: a code may be sent */
  wait: number;
  /** only the number's limits are exceeded: its shared code may be used */
  isOfNumber: boolean;
  isOfCountry: boolean;
  /** name of the country's limit that this call is the first to exceed */
  firstOver: string | undefined;
  uncount: () => Promise<void>;
};

const toCountedCode = (db: Database, storeId: string, counted: Awaited<ReturnType<typeof countWithFallback>>): CountedCode => ({
  wait: getWaitSeconds(counted),
  isOfNumber: counted.exceeded !== undefined && isLimitNamed(PHONE_LIMITS, counted.exceeded),
  isOfCountry: counted.exceeded !== undefined && isLimitNamed(COUNTRY_LIMITS, counted.exceeded),
  firstOver: counted.passed.find((each) => isLimitNamed(COUNTRY_LIMITS, each) && each.isFirst)?.subject,
  uncount: () => decrementCounters(db, storeId, counted.subjects),
});

/**
 * Counts a code before it is sent. A number's customer on a known device has separate limits; once
 * these are exceeded, those for strangers apply.
 */
export async function countCodeRequest(
  db: Database,
  caller: Caller,
  { phone, country, owner, maxPerCountryDay }: CodeRequest,
): Promise<CountedCode> {
  const own = getLimit('sms-own-country', country, maxPerCountryDay);
  const others = getLimit('sms-country', country, maxPerCountryDay);
  const priorityGate = otherLimits(caller, phone).map((limits) => [...limits, others]);
  if (owner) priorityGate.unshift([...ownLimits(owner, caller, phone), own]);
  return toCountedCode(db, caller.storeId, await countWithFallback(db, caller.storeId, priorityGate));
}

/**
 * Counts a number's shared code before it is sent. Numbers that open an account have a separate
 * limit per country, which requests for other numbers do not use up.
 */
export async function countSharedCode(
  db: Database,
  storeId: string,
  { phone, country, opensAccount }: { phone: string; country: string; opensAccount: boolean },
  maxPerCountryDay: number,
): Promise<CountedCode> {
  const ofCountry = getLimit(opensAccount ? 'sms-shared-country' : 'sms-country', country, maxPerCountryDay);
  return toCountedCode(db, storeId, await countWithFallback(db, storeId, [[getLimit('sms-shared-phone', phone), ofCountry]]));
}
