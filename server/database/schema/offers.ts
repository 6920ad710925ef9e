import type { LanguageCode, Translations } from '../../base/language.ts';
import type { ColumnType } from 'kysely';
import type { Generated, JsonWithDefault, Moment } from './columns.ts';

/** Titles that are sold together for a time, maybe cheaper, or with others for nothing: `buy_count` bought give `reward_count`. */
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
  /** without blanks and dashes, in capitals */
  code: string;
  /** `titles` gives one of several, `bundle` all of them */
  kind: 'title' | 'titles' | 'bundle' | 'subscription' | 'credits' | 'discount' | 'campaign';
  /** that it gives; of a discount, the one title that it is for, null for any */
  title_id: string | null;
  plan_id: string | null;
  campaign_id: string | null;
  percent_off: number | null;
  credits: number | null;
  /** Of a subscription, the days before the first payment; null: one period of the plan for nothing, without a card. */
  trial_days: number | null;
  /** How often it could be used when it was made, and can be still; null: without end. */
  uses: number | null;
  uses_left: number | null;
  expires_at: Date | null;
  /** The operator has taken it back. */
  withdrawn_at: ColumnType<Date | null, Date | null | undefined>;
  made_at: Moment;
};

/** The titles of which a code gives one, or all. */
export type CodeTitlesTable = { store_id: string; code: string; title_id: string; position: number };

/** A use of a code: once for each customer. */
export type RedemptionsTable = {
  store_id: string;
  code: string;
  user_id: string;
  redeemed_at: Moment;
  /** Of the title that it gave. */
  purchase_id: string | null;
  /** The payment that it made cheaper. */
  transaction_id: string | null;
};

/** One line of a customer's credit account; `cause` names what booked it, once. */
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
  /** The end of what is paid for: it is renewed then, or ends where it was cancelled; null where nobody knows. */
  renews_at: Date | null;
  cancelled_at: Date | null;
  ended_at: Date | null;
  /** The price at which it was subscribed to; null: the plan's. */
  amount_minor: number | null;
  currency: string | null;
  period: 'week' | 'month' | 'quarter' | 'year' | null;
  /** How often the gateway has renewed it, as far as is known here. */
  renewals: Generated<number>;
  /** The gateway knows that it is cancelled; where it is so no more, the gateway is to be told that it goes on. */
  cancel_told: Generated<boolean>;
  /** How often its customer has cancelled it or taken it up again: what the gateway says to an older wish does not count. */
  wishes: Generated<number>;
  /** When the gateway was asked about it last. */
  swept_at: Date | null;
  /** What went back of its payments. */
  refunded_minor: Generated<number>;
  /** The operator wants the last payment to go back, and the gateway's answer is not booked yet. */
  refunding: Generated<boolean>;
};

/**
 * Another plan for a subscription, and its terms. `pending`: the gateway's answer is not booked yet; `waiting`: it begins with the next
 * renewal; `failed`: the gateway has changed nothing.
 */
export type PlanChangesTable = {
  store_id: string;
  subscription_id: string;
  /** the first change of a subscription is 1 */
  number: number;
  /** names it to the gateway */
  id: string;
  plan_id: string;
  amount_minor: number;
  currency: string;
  period: 'week' | 'month' | 'quarter' | 'year';
  starts: 'now' | 'renewal';
  /** the moment from which what is left of the paid period is counted */
  counted_at: Date;
  status: Generated<'pending' | 'waiting' | 'done' | 'failed' | 'withdrawn'>;
  reason: string | null;
  charged_minor: Generated<number>;
  /** the first renewal at its price */
  from_renewal: number | null;
  /** when the sweep looked at it last */
  swept_at: Date | null;
  created_at: Moment;
};

/** What one customer pays for and another person gets: written down with its payment, before that is paid. */
export type GiftsTable = {
  store_id: string;
  /** made by the giver’s page, so that a call sent twice is the same gift */
  id: string;
  giver_id: string;
  /** null for a cart: its titles are the lines of the payment */
  title_id: string | null;
  /** null for what is free, or was given for credits */
  transaction_id: string | null;
  /** These three are empty once the giver’s account is deleted and the letter has gone. */
  recipient_name: string;
  recipient_email: string;
  message: Generated<string>;
  /** that the letter and the shop’s address in it are in */
  language: LanguageCode;
  origin: string;
  /** the day that the giver chose, as YYYY-MM-DD, and the moment that it means; null: as soon as it is paid */
  deliver_on: string | null;
  due_at: Date | null;
  /** what opens it; null until it is paid */
  code: string | null;
  created_at: Moment;
  /** how many letters were queued, and when the last one was */
  letters: Generated<number>;
  written_at: Date | null;
  /** when the last letter went out, or was given up */
  sent_at: Date | null;
  failed_at: Date | null;
};
