import type { LanguageCode, Translations } from '../../base/language.ts';
import type { ColumnType } from 'kysely';
import type { Generated, JsonWithDefault, Moment } from './columns.ts';

/**
 * A limited-time offer of titles, possibly cheaper, or with free rewards: a customer who buys
 * `buy_count` titles gets `reward_count`.
 */
export type CampaignsTable = {
  store_id: string;
  id: string;
  name: string;
  html: Generated<string>;
  buy_count: Generated<number>;
  reward_count: Generated<number>;
  starts_at: Date | null;
  ends_at: Date | null;
  translations: JsonWithDefault<Translations<'name' | 'html'>>;
};

export type CampaignTitlesTable = {
  store_id: string;
  campaign_id: string;
  title_id: string;
  is_reward: Generated<boolean>;
  amount_minor: number | null;
  currency: string | null;
  position: Generated<number>;
};

export type CartsTable = { store_id: string; user_id: string; code: string | null; updated_at: Moment };

export type CartLinesTable = {
  store_id: string;
  user_id: string;
  title_id: string;
  campaign_id: string | null;
  added_at: Moment;
};

export type CodesTable = {
  store_id: string;
  /** without spaces and dashes, in capitals */
  code: string;
  /** `titles` grants one of several, `bundle` all of them */
  kind: 'title' | 'titles' | 'bundle' | 'subscription' | 'credits' | 'discount' | 'campaign';
  /** the title that the code grants; for a discount, its only title, null for any title */
  title_id: string | null;
  plan_id: string | null;
  campaign_id: string | null;
  percent_off: number | null;
  credits: number | null;
  /**
   * The trial days of a subscription before its first payment; null: one free period of the plan,
   * without a card.
   */
  trial_days: number | null;
  /** The initial number of uses; null: unlimited. */
  uses: number | null;
  /** The number of uses left; null: unlimited. */
  uses_left: number | null;
  expires_at: Date | null;
  /** When the operator has withdrawn the code. */
  withdrawn_at: ColumnType<Date | null, Date | null | undefined>;
  made_at: Moment;
};

/** The titles of which a code of the kind `titles` grants one, and of the kind `bundle` all. */
export type CodeTitlesTable = { store_id: string; code: string; title_id: string; position: number };

/** A redemption of a code: at most one per customer. */
export type RedemptionsTable = {
  store_id: string;
  code: string;
  user_id: string;
  redeemed_at: Moment;
  /** The purchase of the title that the code granted, the first one for several titles. */
  purchase_id: string | null;
  /** The payment that it reduced. */
  transaction_id: string | null;
};

/** One entry in a customer's credit account; `cause` identifies its origin and is booked once. */
export type CreditsTable = { store_id: string; user_id: string; cause: string; amount: number; booked_at: Moment };

export type SubscriptionsTable = {
  store_id: string;
  id: string;
  user_id: string;
  plan_id: string;
  status: 'pending' | 'active' | 'past_due' | 'cancelled' | 'ended';
  provider: string;
  provider_id: string | null;
  started_at: Moment;
  /**
   * The end of the paid period: it renews then, or ends if it was cancelled; null where it is
   * unknown.
   */
  renews_at: Date | null;
  cancelled_at: Date | null;
  ended_at: Date | null;
  /** The agreed price in the smallest unit of its currency; null: the plan's. */
  amount_minor: number | null;
  /** The currency of the agreed price; null: the plan's. */
  currency: string | null;
  /** The agreed period; null: the plan's. */
  period: 'week' | 'month' | 'quarter' | 'year' | null;
  /** The number of renewals by the gateway that are known here. */
  renewals: Generated<number>;
  /**
   * Whether the gateway knows of the cancellation; if the subscription was reactivated since, the
   * gateway has yet to be notified.
   */
  cancel_told: Generated<boolean>;
  /**
   * Counts the customer's cancellations and reactivations: an answer of the gateway to an earlier
   * one is ignored.
   */
  wishes: Generated<number>;
  /** The last visit of the sweep. */
  swept_at: Date | null;
  /** The refunded amount of its payments. */
  refunded_minor: Generated<number>;
  /**
   * The operator has requested a refund of the last payment, and the gateway's answer is not booked
   * yet.
   */
  refunding: Generated<boolean>;
};

/**
 * A plan change of a subscription, with its terms. `pending`: the gateway's answer is not booked
 * yet; `waiting`: it takes effect with the next renewal; `failed`: the gateway has changed nothing;
 * `withdrawn`: a later change has replaced the waiting one.
 */
export type PlanChangesTable = {
  store_id: string;
  subscription_id: string;
  /** the first change of a subscription is 1 */
  number: number;
  /** the change's id at the gateway */
  id: string;
  plan_id: string;
  amount_minor: number;
  currency: string;
  period: 'week' | 'month' | 'quarter' | 'year';
  starts: 'now' | 'renewal';
  /** the moment from which the rest of the paid period is counted */
  counted_at: Date;
  status: Generated<'pending' | 'waiting' | 'done' | 'failed' | 'withdrawn'>;
  reason: string | null;
  charged_minor: Generated<number>;
  /** the first renewal at the new price */
  from_renewal: number | null;
  /** the last visit of the sweep */
  swept_at: Date | null;
  created_at: Moment;
};

/**
 * A gift of one customer to another person, paid for or free: stored with its payment, if any,
 * before that is paid.
 */
export type GiftsTable = {
  store_id: string;
  /** made by the giver’s page, so that a repeated call is the same gift */
  id: string;
  giver_id: string;
  /** null for a cart: its titles are the lines of the payment */
  title_id: string | null;
  /** null for a free gift, or one paid for with credits */
  transaction_id: string | null;
  /**
   * `recipient_name`, `recipient_email` and `message` are emptied once the giver’s account is
   * deleted and the e-mail has been sent or given up.
   */
  recipient_name: string;
  recipient_email: string;
  message: Generated<string>;
  /** language of the e-mail */
  language: LanguageCode;
  /** the shop’s origin in the links of the e-mail */
  origin: string;
  /** the delivery day that the giver chose, as YYYY-MM-DD; null: as soon as the gift is paid */
  deliver_on: string | null;
  /** when the e-mail is due on that day; null: as soon as the gift is paid */
  due_at: Date | null;
  /** the code that opens the gift; null until the gift is paid, if it is not free */
  code: string | null;
  created_at: Moment;
  /** number of e-mails queued for the gift so far */
  letters: Generated<number>;
  /** when the last e-mail was queued */
  written_at: Date | null;
  /** when the last e-mail was sent */
  sent_at: Date | null;
  /** when sending the last e-mail was given up */
  failed_at: Date | null;
};
