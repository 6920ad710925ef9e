import type { ColumnType, GeneratedAlways } from 'kysely';
import type { CustomField } from '../../../machines/model/account/custom-field.ts';
import type { LanguageCode, Translations } from '../../base/language.ts';
import type { Generated, Json, JsonWithDefault, Moment } from './columns.ts';

export type UsersTable = {
  store_id: string;
  id: string;
  /** as typed; empty where the customer's provider knows no address */
  email: string;
  /** the address folded for comparison */
  email_key: string;
  /**
   * when the customer proved that the address is theirs: by a link in an e-mail, or by a provider's
   * assertion
   */
  email_verified_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** null for customers who have only signed in by a provider */
  password_hash: string | null;
  name: Generated<string>;
  fields: JsonWithDefault<Record<string, string>>;
  created_at: Moment;
  deleted_at: Date | null;
};

/** A field that the store asks its customers for; a choice is stored as its `value`. */
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
  /** hash of the secret in the browser's cookie; null where the account does not recognise it */
  secret_hash: ColumnType<string | null, string | null | undefined, string | null>;
};

export type TokensTable = {
  hash: string;
  store_id: string;
  user_id: string;
  kind: 'access' | 'reset';
  device_id: string | null;
  /** for `reset`: the folded address that the link was sent to; the link is valid for no other */
  email_key: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Moment;
  expires_at: ColumnType<Date, Date, Date>;
  revoked_at: Date | null;
};

export type RateLimitCountersTable = {
  store_id: string;
  /** name of the limit, a colon, and the customer, network or other key that is counted */
  subject: string;
  calls: number;
  window_ends_at: ColumnType<Date, Date, Date>;
  /** the end of the delay after the last call */
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
  /** number of saves */
  version: Generated<number>;
  /** id of the browser that saved it, as it reports itself; null where it sent none */
  device_id: string | null;
  device_name: string | null;
  /** the previous positions, the newest first, each as the contract's SavedPlace */
  earlier: JsonWithDefault<unknown>;
};

/** An action on an account, by its customer, by a person who posed as them, or by the operator. */
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
  /** null where no account has the typed address */
  user_id: string | null;
  kind: AuditKind;
  /**
   * An IPv4 address, or the first 64 bits of an IPv6 one; empty for actions without a request, and
   * once the account is deleted.
   */
  network: string;
  at: Moment;
};

/**
 * E-mails about payments, written from booked data. New kinds begin with `payment-`;
 * `jobs/payment-emails.ts` lists all.
 */
export type PaymentEmailKind = 'receipt' | 'refund' | 'renewal' | 'renewal-failed' | 'plan-changed' | `payment-${string}`;

/** A queued e-mail; its text is written when it is sent. */
export type EmailQueueTable = {
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
    | PaymentEmailKind;
  /**
   * as typed, so there may be no such mailbox; empty for gifts and payments, which have their own
   * address
   */
  email: string;
  language: LanguageCode;
  /** origin of the shop that the customer used */
  origin: string;
  created_at: Moment;
  attempts: Generated<number>;
  due_at: Moment;
  /** the gift that it delivers */
  gift_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** the payment that it is about, or the first payment of the subscription */
  transaction_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** number of the subscription's renewal, plan change or refund; 0 for other e-mails */
  renewal: Generated<number>;
  /**
   * whether a `reset-password` was requested by a customer who reports that another person changed
   * the account
   */
  not_me: Generated<boolean>;
};

/**
 * An address of a deleted account, as the outbox keys it: every process deletes the files to it
 * that were written before.
 */
export type ForgottenRecipientsTable = {
  store_id: string;
  recipient_key: string;
  forgotten_at: ColumnType<Date, Date, Date>;
};

/** A title on a customer's wish list. */
export type WishesTable = { store_id: string; user_id: string; title_id: string; saved_at: Moment };
