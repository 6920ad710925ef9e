import type { ColumnType } from 'kysely';
import type { LanguageCode, Translations } from '../../base/language.ts';
import type { Generated, JsonWithDefault, Moment } from './columns.ts';

export type PlansTable = {
  store_id: string;
  id: string;
  name: string;
  description: Generated<string>;
  amount_minor: number;
  currency: string;
  period: 'week' | 'month' | 'quarter' | 'year';
  trial_days: Generated<number>;
  /** that each renewal brings; null for as many as the store gives with any plan */
  credits: number | null;
  position: Generated<number>;
  /** it is offered; who has it keeps it in any case */
  active: Generated<boolean>;
  /** subscribers read every listed title; otherwise those of `plan_titles` */
  opens_all: Generated<boolean>;
  translations: JsonWithDefault<Translations<'name' | 'description'>>;
};

/** Titles that subscribers of a plan read without buying them. */
export type PlanTitlesTable = { store_id: string; plan_id: string; title_id: string };

export type CardsTable = {
  store_id: string;
  id: string;
  user_id: string;
  gateway_card: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  is_default: Generated<boolean>;
  created_at: Moment;
};

/** A card that no customer has any more. */
export type ForgottenCardsTable = {
  store_id: string;
  gateway_card: string;
  forgotten_at: Moment;
  /** The gateway has forgotten it, too. */
  done: Generated<boolean>;
  /** When the gateway was asked to last. */
  asked_at: Date | null;
};

/** What a gateway calls a customer, a payment or a plan of the store; `gateway` tells its live mode from its test mode, too. */
export type GatewayNamesTable = {
  store_id: string;
  gateway: string;
  kind: 'customer' | 'payment' | 'plan';
  name: string;
  gateway_id: string;
};

/**
 * `capturing`: the customer has confirmed, and the gateway's answer is not yet booked; `refunding`: all of the money is to go back, and
 * the gateway's answer to that is not yet booked.
 */
export type TransactionStatus =
  | 'pending'
  | 'authorized'
  | 'capturing'
  | 'paid'
  | 'failed'
  | 'cancelled'
  | 'refunding'
  | 'refunded';

/** Ways to pay on a gateway's page beside cards. */
export type PaymentMethod = 'wallet' | 'upi' | 'netbanking';

/** A rate of tax of a country, or of a part of one (`region`, such as a state; empty for all of it). */
export type TaxRatesTable = {
  store_id: string;
  country: string;
  region: Generated<string>;
  /** that customers choose it by; empty where its code does */
  region_name: Generated<string>;
  name: string;
  /** thousandths of a percent */
  milli_percent: number;
};

/** Where an order is taxed, and what each rate takes of it, in the smallest unit of its currency. */
export type TaxedPlace = {
  country: string;
  region: string;
  rates: { name: string; milliPercent: number; amountMinor: number }[];
};

export type TransactionsTable = {
  store_id: string;
  id: string;
  user_id: string;
  /** one of the kinds that `server/purchases/kinds.ts` lists */
  kind: string;
  title_id: string | null;
  plan_id: string | null;
  /** with tax */
  amount_minor: number;
  /** what of it is tax */
  tax_minor: Generated<number>;
  tax: ColumnType<TaxedPlace | null, string | null | undefined, string | null>;
  currency: string;
  status: TransactionStatus;
  provider: string;
  /** how it is paid on the gateway's page */
  method: Generated<'card' | PaymentMethod>;
  intent_id: string | null;
  reason: string | null;
  /** That makes it cheaper, as it is kept; used up when it is charged. */
  code: string | null;
  /** What went back of it. */
  refunded_minor: Generated<number>;
  /**
   * Nothing is left to be asked of the gateway: it is paid, thus charged and booked, or given up with nothing reserved, or what was to
   * go back went back.
   */
  finished: Generated<boolean>;
  /** In which language and where in the shop it is paid, for its receipt; null where nobody has come to pay yet. */
  language: ColumnType<LanguageCode | null, LanguageCode | null | undefined>;
  origin: ColumnType<string | null, string | null | undefined>;
  /** When the sweep looked at it last. */
  swept_at: Date | null;
  details: JsonWithDefault<Record<string, unknown>>;
  created_at: Moment;
  updated_at: Moment;
};

/** One side of what moves money or credits: a debit is positive, a credit negative. What one `cause` books in a currency sums up to nothing. */
export type LedgerTable = {
  store_id: string;
  cause: string;
  account: 'gateway' | 'sales' | 'tax' | 'subscriptions' | 'refunds' | 'credits_issued' | 'credits_spent' | 'customer_credits';
  /** of money; `credits` of credits */
  currency: string;
  /** in the smallest unit of the currency, or in credits */
  amount: number;
  booked_at: Moment;
};

/** One title of a payment for several; a payment for one has none, it names its title itself. */
export type TransactionLinesTable = {
  store_id: string;
  transaction_id: string;
  title_id: string;
  /** without tax */
  amount_minor: number;
  tax_minor: Generated<number>;
  position: number;
};

export type PurchasesTable = {
  store_id: string;
  id: string;
  user_id: string;
  title_id: string | null;
  kind: 'payment' | 'free' | 'code' | 'credits' | 'gift' | 'subscription';
  transaction_id: string | null;
  /** with tax */
  amount_minor: Generated<number>;
  tax_minor: Generated<number>;
  currency: string | null;
  /** what was given for it instead of money */
  credits: number | null;
  purchased_at: Moment;
  /** All of it went back, and the title with it. */
  refunded_at: ColumnType<Date | null, Date | null | undefined>;
};

/** The columns that a customer gets with their data; the others are of the store's books. */
export const purchaseColumns = {
  store_id: 'kept',
  id: 'told',
  user_id: 'kept',
  title_id: 'told',
  kind: 'told',
  transaction_id: 'told',
  amount_minor: 'told',
  tax_minor: 'told',
  currency: 'told',
  credits: 'told',
  purchased_at: 'told',
  refunded_at: 'told',
} satisfies Record<keyof PurchasesTable, 'told' | 'kept'>;

export type EntitlementsTable = {
  store_id: string;
  user_id: string;
  title_id: string;
  source: 'purchase' | 'code' | 'gift' | 'subscription' | 'campaign';
  /** names this copy to the viewer */
  instance_id: string;
  purchase_id: string | null;
  granted_at: Moment;
  expires_at: Date | null;
};
