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
    ...pairLimits('sms-pair', caller.address, phone),
    ...(perDay[at] ?? []),
    limitOf('sms-phone', phone),
  ]);
}

/**
 * Counts a code before it is sent. A number's customer on a known device is counted apart from
 * strangers in every limit, and like them once these are used up.
 * @returns seconds to wait, 0 when a code may be sent; whether it is the country's limit, and
 * whether this call is the first that is over it; `uncount` takes the code back that was not sent
 */
export async function countCodeRequest(
  db: Database,
  caller: Caller,
  { phone, country, owner, maxPerCountryDay }: CodeRequest,
): Promise<{ wait: number; isOfCountry: boolean; isFirstOver: boolean; uncount: () => Promise<void> }> {
  const own = limitOf('sms-own-country', country, maxPerCountryDay);
  const others = limitOf('sms-country', country, maxPerCountryDay);
  const turns = otherLimits(caller, phone).map((limits) => [...limits, others]);
  if (owner) turns.unshift([...ownLimits(owner, caller, phone), own]);
  const counted = await countInTurn(db, caller.storeId, turns);
  const isCountry = ({ subject }: Limit): boolean => subject === own.subject || subject === others.subject;
  return {
    wait: secondsOf(counted),
    isOfCountry: counted.exceeded !== undefined && isCountry(counted.exceeded),
    isFirstOver: counted.passed.some((each) => isCountry(each) && each.isFirst),
    uncount: () => decrement(db, caller.storeId, counted.subjects),
  };
}
