import type { ColumnType, GeneratedAlways } from 'kysely';
import type { CustomField } from '../../../machines/model/account/custom-field.ts';
import type { LanguageCode, Translations } from '../../base/language.ts';
import type { Generated, Json, JsonWithDefault, Moment } from './columns.ts';

export type UsersTable = {
  store_id: string;
  id: string;
  /** as it was typed; empty where the customer came by a provider that knows none */
  email: string;
  /** the address folded for comparison */
  email_key: string;
  /** when somebody showed that the address is theirs: by the link of a letter, or by a provider's word */
  email_verified_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** null for who has always come by a provider */
  password_hash: string | null;
  name: Generated<string>;
  fields: JsonWithDefault<Record<string, string>>;
  created_at: Moment;
  deleted_at: Date | null;
};

/** What the store asks its customers for; a choice is kept as its `value`. */
export type CustomFieldsTable = {
  store_id: string;
  id: string;
  kind: CustomField['kind'];
  label: string;
  translations: JsonWithDefault<Translations<'label'>>;
  is_required: Generated<boolean>;
  choices: JsonWithDefault<{ value: string; text: string; translations: Translations<'text'> }[]>;
  position: Generated<number>;
};

export type DevicesTable = {
  store_id: string;
  user_id: string;
  id: string;
  name: string;
  registered_at: Moment;
  last_seen_at: Moment;
  removed_at: Date | null;
  /** of the secret in the cookie of its browser; null where the account does not know it */
  secret_hash: ColumnType<string | null, string | null | undefined, string | null>;
};

export type TokensTable = {
  hash: string;
  store_id: string;
  user_id: string;
  kind: 'access' | 'reset';
  device_id: string | null;
  /** of `reset`: the address, folded, that the link was sent to; it is good for no other */
  email_key: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Moment;
  expires_at: ColumnType<Date, Date, Date>;
  revoked_at: Date | null;
};

export type RateLimitCountersTable = {
  store_id: string;
  /** name of the limit, a colon, and the customer, network or another key that is counted */
  subject: string;
  calls: number;
  window_ends_at: ColumnType<Date, Date, Date>;
  /** the end of the wait that the last call has cost */
  retry_at: Moment;
};

export type IdempotencyKeysTable = {
  store_id: string;
  key: string;
  fingerprint: string;
  status: number;
  content_type: string;
  body: string;
  created_at: Moment;
};

export type ProgressTable = {
  store_id: string;
  user_id: string;
  title_id: string;
  context_key: string;
  position: Json<unknown>;
  saved_at: Moment;
  /** counts the saves */
  version: Generated<number>;
  /** of the browser that saved it, as it names itself; null where it did not */
  device_id: string | null;
  device_name: string | null;
  /** the places before it, the newest first, each as the contract's SavedPlace */
  earlier: JsonWithDefault<unknown>;
};

/** What was done with an account, by whom it was or whoever passed for them. */
export type AuditKind =
  | 'signed_up'
  | 'signed_in'
  | 'provider_joined'
  | 'provider_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_refused'
  | 'wrong_password'
  | 'password_link_sent'
  | 'password_reset'
  | 'password_changed'
  | 'email_changed'
  | 'signed_out'
  | 'device_signed_out'
  | 'card_added'
  | 'card_removed'
  | 'subscribed'
  | 'subscription_cancelled'
  | 'subscription_resumed'
  | 'code_redeemed'
  | 'credits_given'
  | 'data_downloaded'
  | 'account_deleted';

export type AuditLogTable = {
  id: GeneratedAlways<string>;
  store_id: string;
  /** null where nobody has the address that was typed */
  user_id: string | null;
  kind: AuditKind;
  /** An IPv4 address, or the first 64 bits of an IPv6 one; empty where no browser asked, and once the account is deleted. */
  network: string;
  at: Moment;
};

/**
 * E-mails about payments, which are written of what was booked. Later ones begin with `payment-`;
 * `jobs/payment-emails.ts` lists all.
 */
export type AboutPayments = 'receipt' | 'refund' | 'renewal' | 'renewal-failed' | 'plan-changed' | `payment-${string}`;

/** A letter that is to be sent; what it says is written when it is. */
export type LettersTable = {
  id: string;
  store_id: string;
  kind:
    | 'reset-password'
    | 'password-changed'
    | 'email-changed'
    | 'account-deleted'
    | 'provider-joined'
    | 'provider-added'
    | 'provider-removed'
    | 'passkey-added'
    | 'passkey-removed'
    | 'gift'
    | AboutPayments;
  /** as it was typed: it may be nobody's; empty for a gift and for what is about payments, which know their own */
  email: string;
  language: LanguageCode;
  /** where the customer was in the shop, as an origin */
  origin: string;
  created_at: Moment;
  attempts: Generated<number>;
  due_at: Moment;
  /** the gift that it brings */
  gift_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** the payment that it is about, or the first one of the subscription */
  transaction_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** the number of the renewal that it is about; 0 where it is about none */
  renewal: Generated<number>;
  /**
   * of `reset-password`: asked for by a customer who says that another person changed the account
   */
  not_me: Generated<boolean>;
};

/**
 * An address of a deleted account, as the outbox keys it: files to it that were written before are
 * removed by every process.
 */
export type ForgottenRecipientsTable = {
  store_id: string;
  recipient_key: string;
  forgotten_at: ColumnType<Date, Date, Date>;
};

/** A title that a customer has saved for later. */
export type WishesTable = { store_id: string; user_id: string; title_id: string; saved_at: Moment };
