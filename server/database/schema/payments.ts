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
  /** credits given with each renewal; null for the store's number for any plan */
  credits: number | null;
  position: Generated<number>;
  /** whether it is offered; existing subscribers keep it in any case */
  active: Generated<boolean>;
  /** subscribers read every offered title, not only those of `plan_titles` */
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

/** The token of a card that its customer has removed, or saved again under a later token. */
export type ForgottenCardsTable = {
  store_id: string;
  gateway_card: string;
  forgotten_at: Moment;
  /** Whether the gateway has deleted the card, too. */
  done: Generated<boolean>;
  /** When the deletion of the card was last requested from the gateway. */
  asked_at: Date | null;
};

/**
 * Ids of a store's customers, payments and plans at a gateway; `gateway` includes whether it is in
 * live or test mode.
 */
export type GatewayNamesTable = {
  store_id: string;
  gateway: string;
  kind: 'customer' | 'payment' | 'plan';
  name: string;
  gateway_id: string;
};

/**
 * `capturing`: the customer has confirmed, and the gateway's answer is not booked yet; `refunding`:
 * the whole amount is to be refunded, and the gateway's answer to that is not booked yet.
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

/** Payment methods on a gateway's page beside cards. */
export type PaymentMethod = 'wallet' | 'upi' | 'netbanking';

/**
 * A tax rate of a country, or of a part of one (`region`, such as a state; empty for the whole
 * country).
 */
export type TaxRatesTable = {
  store_id: string;
  country: string;
  region: Generated<string>;
  /** the region's name for customers; empty where its code is shown */
  region_name: Generated<string>;
  name: string;
  /** 1000 is 1 % */
  milli_percent: number;
};

/** Where an order is taxed, and the amount of each rate in the smallest unit of its currency. */
export type TaxLocation = {
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
  /** including tax */
  amount_minor: number;
  /** tax share of the amount */
  tax_minor: Generated<number>;
  tax: ColumnType<TaxLocation | null, string | null | undefined, string | null>;
  currency: string;
  status: TransactionStatus;
  provider: string;
  /** payment method on the gateway's page */
  method: Generated<'card' | PaymentMethod>;
  intent_id: string | null;
  reason: string | null;
  /** The normalised code that reduces the payment; consumed when the customer confirms it. */
  code: string | null;
  /** The refunded amount. */
  refunded_minor: Generated<number>;
  /**
   * Whether no further request to the gateway is needed: the payment is charged and booked, or
   * given up with nothing reserved, or fully refunded.
   */
  finished: Generated<boolean>;
  /** Language of the receipt; null until a customer opens the payment. */
  language: ColumnType<LanguageCode | null, LanguageCode | null | undefined>;
  /** The shop's origin in the links of the receipt; null until a customer opens the payment. */
  origin: ColumnType<string | null, string | null | undefined>;
  /** The last visit of the sweep. */
  swept_at: Date | null;
  details: JsonWithDefault<Record<string, unknown>>;
  created_at: Moment;
  updated_at: Moment;
};

/**
 * One entry of a movement of money or credits: debits are positive, credits negative. All entries
 * of a `cause` in one currency sum to 0.
 */
export type LedgerTable = {
  store_id: string;
  cause: string;
  account: 'gateway' | 'sales' | 'tax' | 'subscriptions' | 'refunds' | 'credits_issued' | 'credits_spent' | 'customer_credits';
  /** a currency of money, or `credits` */
  currency: string;
  /** in the smallest unit of the currency, or in credits */
  amount: number;
  booked_at: Moment;
};

/** One title of a cart's payment; the payment of a single title has `title_id` instead of lines. */
export type TransactionLinesTable = {
  store_id: string;
  transaction_id: string;
  title_id: string;
  /** excluding tax */
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
  /** including tax */
  amount_minor: Generated<number>;
  tax_minor: Generated<number>;
  currency: string | null;
  /** credits paid instead of money */
  credits: number | null;
  purchased_at: Moment;
  /** When the purchase was fully refunded. */
  refunded_at: ColumnType<Date | null, Date | null | undefined>;
};

/**
 * Columns marked `exported` are part of a customer's data export; columns marked `kept` are
 * internal to the store's books.
 */
export const purchaseColumns = {
  store_id: 'kept',
  id: 'exported',
  user_id: 'kept',
  title_id: 'exported',
  kind: 'exported',
  transaction_id: 'exported',
  amount_minor: 'exported',
  tax_minor: 'exported',
  currency: 'exported',
  credits: 'exported',
  purchased_at: 'exported',
  refunded_at: 'exported',
} satisfies Record<keyof PurchasesTable, 'exported' | 'kept'>;

export type EntitlementsTable = {
  store_id: string;
  user_id: string;
  title_id: string;
  source: 'purchase' | 'code' | 'gift' | 'subscription' | 'campaign';
  /** identifies this copy to the viewer */
  instance_id: string;
  purchase_id: string | null;
  granted_at: Moment;
  expires_at: Date | null;
};
