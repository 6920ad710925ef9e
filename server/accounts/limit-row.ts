import type { operations } from '../../src/client/wire/schema.gen.ts';

export type OperationId = keyof operations;

export const QUARTER_MINUTES = 15;
export const HOUR_MINUTES = 60;
export const DAY_MINUTES = 24 * 60;

/** The key by which calls are counted. Counters are separate for each store. */
export type LimitKey =
  /**
   * counted separately: a customer's sessions, a customer's known devices, and strangers by
   * network; a device over its limit counts as a stranger
   */
  | 'caller'
  | 'customer'
  /** an IPv4 address, or an IPv6 /64; a /48 has eight times the limit */
  | 'network'
  | 'network and account'
  | 'network and phone'
  /** e-mail address of the account, existing or not */
  | 'account'
  /** e-mail address that a gift is sent to */
  | 'recipient'
  /** number in E.164 */
  | 'phone'
  /** country of the phone number, by ISO 3166-1 */
  | 'country';

export type RateLimit = {
  /**
   * calls within the window: for each key, or for customers and networks of a `caller`, or for
   * customers a day old with a verified address and others, or as the operator's setting says
   */
  max:
    | number
    | { customer: number; network: number }
    | { trusted: number; other: number }
    | 'SIGN_UPS_PER_HOUR'
    | 'SMS_PER_COUNTRY_DAY';
  /** length of the window, which the first call opens */
  minutes: number;
  /**
   * A call over the limit is delayed instead of refused: twice as long each time, from 2 s up to
   * `seconds`. `reopens`: the counter is reset `minutes` after the last delay.
   */
  waits?: { seconds: number; reopens: boolean };
  /** calls whose handlers count under this limit, as `why` describes */
  countedBy?: readonly OperationId[];
  why: string;
} & (
  | {
      per: 'caller' | 'customer';
      /** calls that the router counts before they run, but not repeats of an Idempotency-Key */
      calls?: readonly OperationId[];
    }
  | { per: Exclude<LimitKey, 'caller' | 'customer'>; calls?: never }
);
