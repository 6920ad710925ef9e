import type { ColumnType } from 'kysely';
import type { JsonWithDefault, Moment } from './columns.ts';

/** A passkey of a customer. */
export type PasskeysTable = {
  store_id: string;
  id: string;
  user_id: string;
  /** the device's id of the credential, base64url */
  credential_id: string;
  /** COSE, base64url */
  public_key: string;
  /** signature counter as the device reports it; devices that sync keys always report 0 */
  counter: number;
  /** transports by which a browser reaches the device, such as `internal` or `usb` */
  transports: JsonWithDefault<string[]>;
  name: string;
  created_at: Moment;
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
};

export type PasskeyChallengesTable = {
  challenge_hash: string;
  store_id: string;
  /** the customer who adds a passkey; null for a sign-in */
  user_id: string | null;
  expires_at: ColumnType<Date, Date, Date>;
};
