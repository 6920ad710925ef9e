import { decrement, type Limit } from '../accounts/call-counters.ts';
import {
  type Caller,
  callerLimits,
  countInTurn,
  limitOf,
  networkLimitsOfCaller,
  pairLimits,
  secondsOf,
} from '../accounts/caller-limits.ts';
import type { LimitName } from '../accounts/rate-limits.ts';
import type { Database } from '../database/open.ts';

type CodeRequest = {
  /** in E.164 */
  phone: string;
  /** of the number, by ISO 3166-1 */
  country: string;
  /** the customer of the number, where the account knows the calling device */
  owner: { userId: string; isTrusted: boolean } | undefined;
  /**
   * messages to one country within a day for strangers, and as many again for customers on their
   * own devices
   */
  maxPerCountryDay: number;
};

/**
 * The limits of a number's customer on a known device, apart from all that strangers can use up.
 */
function ownLimits({ userId, isTrusted }: { userId: string; isTrusted: boolean }, { address }: Caller, phone: string): Limit[] {
  const ofNetwork = [...networkLimitsOfCaller('sms', address), ...networkLimitsOfCaller('sms-day', address)];
  return [limitOf('sms-own', userId), limitOf('sms-own-phone', phone), ...(isTrusted ? [] : ofNetwork)];
}

/** The limits of all others, in turn. */
function otherLimits(caller: Caller, phone: string): Limit[][] {
  const perDay = callerLimits('sms-day', caller);
  return callerLimits('sms', caller).map((limits, at) => [
    ...limits,
    ...(perDay[at] ?? []),
    // After those of the caller: over the number's own limits its shared code may be used.
    ...pairLimits('sms-pair', caller.address, phone),
    limitOf('sms-phone', phone),
  ]);
}

const isOf = (names: readonly LimitName[], { subject }: Limit): boolean => names.some((name) => subject.startsWith(`${name}:`));
/** The limits that strangers can use up by asking for one number. */
const OF_NUMBER: LimitName[] = ['sms-pair', 'sms-own-phone', 'sms-phone'];
const OF_COUNTRY: LimitName[] = ['sms-own-country', 'sms-country', 'sms-shared-country'];

/** `uncount` takes a code back that was not sent. */
export type CountedCode = {
  /** seconds to wait, 0 when a code may be sent */
  wait: number;
  /** over the limits of the number alone: its shared code may be used */
  isOfNumber: boolean;
  isOfCountry: boolean;
  /** name of a country's limit that this call is the first over */
  firstOver: string | undefined;
  uncount: () => Promise<void>;
};

const countedCode = (db: Database, storeId: string, counted: Awaited<ReturnType<typeof countInTurn>>): CountedCode => ({
  wait: secondsOf(counted),
  isOfNumber: counted.exceeded !== undefined && isOf(OF_NUMBER, counted.exceeded),
  isOfCountry: counted.exceeded !== undefined && isOf(OF_COUNTRY, counted.exceeded),
  firstOver: counted.passed.find((each) => isOf(OF_COUNTRY, each) && each.isFirst)?.subject,
  uncount: () => decrement(db, storeId, counted.subjects),
});

/**
 * Counts a code before it is sent. A number's customer on a known device is counted apart from
 * strangers in every limit, and like them once these are used up.
 */
export async function countCodeRequest(
  db: Database,
  caller: Caller,
  { phone, country, owner, maxPerCountryDay }: CodeRequest,
): Promise<CountedCode> {
  const own = limitOf('sms-own-country', country, maxPerCountryDay);
  const others = limitOf('sms-country', country, maxPerCountryDay);
  const turns = otherLimits(caller, phone).map((limits) => [...limits, others]);
  if (owner) turns.unshift([...ownLimits(owner, caller, phone), own]);
  return countedCode(db, caller.storeId, await countInTurn(db, caller.storeId, turns));
}

/**
 * Counts a number's shared code before it is sent. Those to numbers that open an account have a
 * limit of their own for each country, which requests for other numbers do not use up.
 */
export async function countSharedCode(
  db: Database,
  storeId: string,
  { phone, country, opensAccount }: { phone: string; country: string; opensAccount: boolean },
  maxPerCountryDay: number,
): Promise<CountedCode> {
  const ofCountry = limitOf(opensAccount ? 'sms-shared-country' : 'sms-country', country, maxPerCountryDay);
  return countedCode(db, storeId, await countInTurn(db, storeId, [[limitOf('sms-shared-phone', phone), ofCountry]]));
}
