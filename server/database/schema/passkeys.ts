import type { ColumnType } from 'kysely';
import type { JsonWithDefault, Moment } from './columns.ts';

/** A key by which a customer signs in. */
export type PasskeysTable = {
  store_id: string;
  id: string;
  user_id: string;
  /** what the customer's device calls it, base64url */
  credential_id: string;
  /** COSE, base64url */
  public_key: string;
  /** how often it has signed, as the device says; devices that copy keys among themselves always say 0 */
  counter: number;
  /** how a browser reaches the device, such as `internal` or `usb` */
  transports: JsonWithDefault<string[]>;
  name: string;
  created_at: Moment;
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
};

export type PasskeyChallengesTable = {
  challenge_hash: string;
  store_id: string;
  /** who adds a passkey; null for whoever signs in by one */
  user_id: string | null;
  expires_at: ColumnType<Date, Date, Date>;
};
