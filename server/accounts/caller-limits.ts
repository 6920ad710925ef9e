import { toNetworks } from '../base/network.ts';
import type { Database } from '../database/open.ts';
import { incrementCounter, type Limit } from './call-counters.ts';
import type { RateLimit } from './limit-row.ts';
import { type LimitName, type LimitNameBy, RATE_LIMITS } from './rate-limits.ts';

/**
 * The origin of a call. Rate limits count customers by themselves and strangers by their network.
 */
export type Caller = {
  storeId: string;
  /** the network address that the request came from */
  address: string;
  /** the customer of the session, or of the known device; undefined for a stranger */
  customer?: { userId: string; by: 'session' | 'device'; isTrusted: boolean } | undefined;
};

/**
 * Calls of an IPv6 /48 for each that one of its /64 may make: a provider may give either to a
 * single line.
 */
const CALLS_OF_48_PER_64 = 8;

/** The maximum of calls as an argument, where it depends on the caller or the operator. */
type Max<Name extends LimitName> = (typeof RATE_LIMITS)[Name]['max'] extends number ? [] : [max: number];

const toLimit = (name: LimitName, value: string, max: number | undefined): Limit => {
  const row: RateLimit = RATE_LIMITS[name];
  return { subject: `${name}:${value}`, maxCalls: max ?? Number(row.max), minutes: row.minutes };
};

const widerNetworkLimits = (address: string, limitOfNetwork: (network: string) => Limit): Limit[] =>
  toNetworks(address).map((network, index) => {
    const limit = limitOfNetwork(network);
    return { ...limit, maxCalls: limit.maxCalls * CALLS_OF_48_PER_64 ** index };
  });

/** The limit of a customer, an account, a phone number or another single value. */
export const getLimit = <Name extends LimitNameBy<'customer' | 'account' | 'recipient' | 'phone' | 'country'>>(
  name: Name,
  value: string,
  ...[max]: Max<Name>
): Limit => toLimit(name, value, max);

/** The limits of the networks of an address. */
export const networkLimits = <Name extends LimitNameBy<'network'>>(name: Name, address: string, ...[max]: Max<Name>): Limit[] =>
  widerNetworkLimits(address, (network) => toLimit(name, network, max));

/** The limits of one value from the networks of an address, such as a phone number. */
export const pairLimits = (
  name: LimitNameBy<'network and account' | 'network and phone'>,
  address: string,
  value: string,
): Limit[] => widerNetworkLimits(address, (network) => toLimit(name, `${network} ${value}`, undefined));

/** The limits of strangers by the networks of an address. */
export const networkLimitsOfCaller = (name: LimitNameBy<'caller'>, address: string): Limit[] =>
  widerNetworkLimits(address, (network) => toLimit(name, network, RATE_LIMITS[name].max.network));

/**
 * Alternative lists of limits for a caller, in the order in which they are tried: a customer's own,
 * independent of others in the same network, or those of a stranger's network. New and unverified
 * accounts are easily made, so they are counted under their network, too.
 */
export function callerLimits(name: LimitNameBy<'caller'>, { address, customer }: Caller): Limit[][] {
  const { max, minutes } = RATE_LIMITS[name];
  const network = networkLimitsOfCaller(name, address);
  if (customer === undefined) return [network];
  const { userId, by, isTrusted } = customer;
  const customerLimit = {
    subject: `${name}-${by === 'session' ? 'customer' : 'device'}:${userId}`,
    maxCalls: max.customer,
    minutes,
  };
  if (by === 'session') return [isTrusted ? [customerLimit] : [customerLimit, ...network]];
  return isTrusted ? [[customerLimit], network] : [network];
}

/** A limit that a call is over, and the seconds until its window ends. */
type ExceededLimit = Limit & { secondsLeft: number; isFirst: boolean };

/** A call that was counted under some subjects; `exceeded` where it is refused. */
type LimitCount = { subjects: string[]; exceeded: ExceededLimit | undefined };

/**
 * Counts a call under one limit after the other. A call over one of them does not use up those that
 * follow.
 */
export async function countCall(db: Database, storeId: string, limits: Limit[]): Promise<LimitCount> {
  const subjects: string[] = [];
  for (const limit of limits) {
    const { calls, secondsLeft } = await incrementCounter(db, storeId, limit);
    subjects.push(limit.subject);
    if (calls > limit.maxCalls) return { subjects, exceeded: { ...limit, secondsLeft, isFirst: calls === limit.maxCalls + 1 } };
  }
  return { subjects, exceeded: undefined };
}

/** Seconds to wait; 0 for a call within its limits. */
export const getWaitSeconds = ({ exceeded, exceededLimits = [] }: LimitCount & { exceededLimits?: ExceededLimit[] }): number =>
  exceeded === undefined ? 0 : Math.min(exceeded.secondsLeft, ...exceededLimits.map(({ secondsLeft }) => secondsLeft));

/**
 * Counts a call under the first limits that allow it: a device over its own limits is counted like
 * a stranger.
 */
export async function countWithFallback(
  db: Database,
  storeId: string,
  alternatives: Limit[][],
): Promise<LimitCount & { passed: ExceededLimit[] }> {
  const result: LimitCount & { passed: ExceededLimit[] } = { subjects: [], exceeded: undefined, passed: [] };
  for (const limits of alternatives) {
    const { subjects, exceeded } = await countCall(db, storeId, limits);
    result.subjects.push(...subjects);
    result.exceeded = exceeded;
    if (exceeded === undefined) break;
    result.passed.push(exceeded);
  }
  return result;
}
