import type { PaymentMethod } from '../database/schema/payments.ts';
import { DomainError } from '../kernel/errors.ts';

/**
 * State of a payment at the gateway. `open`: not paid yet; `action_required`: the customer's bank
 * asks for authentication; `authorized`: the money is reserved; `captured`: it is charged.
 */
export type IntentState = 'open' | 'action_required' | 'authorized' | 'captured' | 'cancelled' | 'failed';

/**
 * A card that the gateway stores for a customer; the store never has its number. `replaces`: older
 * tokens for the same number, if the gateway knows any.
 */
export type SavedCard = {
  token: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  replaces?: string[];
};

/** The price and period of a subscription, and the length of its trial in days. */
export type Terms = { amountMinor: number; period: 'week' | 'month' | 'quarter' | 'year'; trialDays: number };

/** A subscription as the gateway reports it; the gateway renews it automatically. */
export type RemoteSubscription = {
  id: string;
  state: 'active' | 'past_due' | 'ended';
  /** number of paid renewals */
  renewals: number;
  /**
   * ms since 1970: the next renewal; if cancelled or past due, the end of access; if ended, the
   * time of the end
   */
  until: number;
  cancelled: boolean;
};

/**
 * Total refunded of a subscription's payments, in the smallest unit of its currency, and whether
 * its last payment is fully refunded. Refunds of renewals that were charged after the cancellation
 * do not count.
 */
export type SubscriptionRefunds = { totalMinor: number; isLastWhole: boolean };

/** The requested change of an active subscription to another plan. */
export type PlanChange = {
  /** the store's name for this change; an idempotency key: the plan is changed and charged once */
  reference: string;
  /** the new plan's name and price; a plan change has no trial */
  description: string;
  terms: Terms;
  currency: string;
  /** ms since 1970: the unused part of the paid period is counted from here */
  at: number;
  /**
   * `now`: starts a new period, charged less the unused part; `renewal`: starts with the next
   * renewal, and is free until then
   */
  starts: 'now' | 'renewal';
};

/**
 * A subscription after a plan change, with the amount charged for it and the number of renewals
 * before.
 */
export type ChangedSubscription = RemoteSubscription & { chargedMinor: number; renewalsBefore: number };

export type Intent = {
  id: string;
  state: IntentState;
  /** the gateway's page where the customer continues; empty without a page */
  url: string;
  /** why the last attempt failed, such as card_declined */
  reason: string | null;
  /** the card that the customer chose to save; null if none */
  keptCard: SavedCard | null;
  /** total refunded, in the smallest unit of its currency */
  refundedMinor: number;
  /** the subscription that the captured intent has started, if the request had `subscription` */
  subscription?: RemoteSubscription | null;
};

export type IntentRequest = {
  /**
   * the store's name for the payment; an idempotency key: a repeated request returns the same
   * intent
   */
  reference: string;
  amountMinor: number;
  currency: string;
  description: string;
  shopName: string;
  /** return URL; the gateway adds intentId, or cancelled=1 */
  returnUrl: string;
  /**
   * the customer's languages as an Accept-Language list; the first supported one decides.
   * `withLanguage` changes the language of an existing intent's page
   */
  language: string;
  customer: string;
  /** payment method on the page; left out: card */
  method?: PaymentMethod;
  /** charges this saved card immediately, without a page */
  cardToken?: string;
  /** makes this the first payment of a subscription, which starts when it is captured */
  subscription?: Terms;
};

export type SetupRequest = {
  /**
   * the subscription whose card is replaced, left out to save a card; a past due subscription is
   * charged immediately. The store does not get the replacing card
   */
  subscription?: string;
  /** the customer's reference at the gateway; only this customer can claim the card */
  customer: string;
  shopName: string;
  /** return URL; the gateway adds cardtoken if a card was saved */
  returnUrl: string;
  /** as in `IntentRequest` */
  language: string;
};

/**
 * The outcome of a call of the gateway is unknown: no response, an HTTP error, an invalid body, or
 * an unknown payment. Calls are idempotent, so a repeated one resolves it.
 */
export class PaymentUnknown extends Error {
  constructor(cause: unknown) {
    super('The outcome of a call of the payment gateway is unknown.', { cause });
    this.name = 'PaymentUnknown';
  }
}

/** Creates the error for a refund that the gateway refuses. */
export const refundRefusedError = (message: string): DomainError => new DomainError('conflict', message, { code: 'no_refund' });

/** Creates the error for a plan change whose charge the card declined. */
export const cardRefusedError = (): DomainError =>
  new DomainError('payment_failed', 'The card was declined.', { code: 'card_declined' });

/** Creates the error for a plan change that the gateway or the shop refuses. */
export const notChangeableError = (message = 'This subscription can’t be changed.'): DomainError =>
  new DomainError('conflict', message, { code: 'plan_unchanged' });

/** Creates the error for a cancelled subscription that the gateway cannot reactivate. */
export const notResumableError = (): DomainError =>
  new DomainError('conflict', 'This subscription can’t be reactivated.', { code: 'not_resumable' });

/**
 * Interface to a payment gateway. Every call is idempotent: the gateway charges an intent at most
 * once. Calls reject with PaymentUnknown if their outcome is unknown, and with a DomainError for
 * requests that the gateway cannot fulfil, such as an unsupported currency.
 */
export type PaymentPort = {
  /** the gateway's name, stored with transactions */
  provider: string;
  /** payment methods on its page besides cards */
  methods: readonly PaymentMethod[];
  /** identifiers of its wallets; left out if they depend on the account */
  wallets?: readonly string[];
  /**
   * whether it can reactivate a subscription that is cancelled but active until its period ends
   */
  resumes: boolean;
  /** Health check: whether the gateway responds. */
  isUp(): Promise<boolean>;
  /** Creates an intent, or returns the one with the same reference. */
  create(request: IntentRequest): Promise<Intent>;
  /** @returns undefined if the gateway does not know the intent */
  read(intentId: string): Promise<Intent | undefined>;
  /**
   * Returns the URL of an intent's page in the customer's current language, which may differ from
   * the language in which the intent was created; left out if the page's language is fixed.
   * @param acceptLanguage value of an Accept-Language header
   */
  withLanguage?(url: string, acceptLanguage: string): string;
  readByReference(reference: string): Promise<Intent | undefined>;
  /** Charges the reserved money; if no money is reserved, returns the intent unchanged. */
  capture(intentId: string): Promise<Intent>;
  /** Releases the reserved money; if it is too late, returns the intent unchanged. */
  cancel(intentId: string): Promise<Intent>;
  /**
   * Refunds the remaining amount of a payment for a title, a cart or a gift; if no amount remains,
   * returns the intent unchanged. Rejects with a DomainError if the gateway refuses.
   */
  refund(intentId: string): Promise<Intent>;
  /**
   * Starts saving a card without a payment, or replacing the card of an active subscription.
   * @returns the URL of the gateway's page; a page that saves a card is valid for an hour
   */
  startSetup(request: SetupRequest): Promise<string>;
  /**
   * Returns the card that the customer saved; undefined for an invalid or expired token, or another
   * customer's token.
   */
  claimSetup(token: string, customer: string): Promise<SavedCard | undefined>;
  /** Deletes a card; idempotent. @param token of the card */
  forgetCard(token: string): Promise<void>;
  /** Reads a subscription's current state; undefined if the gateway does not know it. */
  readSubscription(id: string): Promise<RemoteSubscription | undefined>;
  /**
   * Cancels a subscription at the end of its period, or immediately.
   * @param ending.at when the customer cancelled, in ms since 1970: later renewals are not charged,
   * or refunded
   * @returns the subscription afterwards; undefined if the gateway does not know it
   */
  cancelSubscription(id: string, ending: { at: number; atOnce: boolean }): Promise<RemoteSubscription | undefined>;
  /**
   * Reactivates a subscription that is cancelled but active until its period ends: it renews as
   * before, at no charge. An ended or uncancelled subscription is returned unchanged. Rejects with
   * a DomainError if the gateway cannot reactivate subscriptions.
   */
  resumeSubscription(id: string): Promise<RemoteSubscription | undefined>;
  /** Reads the refunds of a subscription's payments so far. */
  readRefunds(id: string): Promise<SubscriptionRefunds>;
  /**
   * Refunds the remaining amount of a subscription's last payment, once. Rejects with a DomainError
   * if the gateway refuses.
   */
  refundLastPayment(id: string): Promise<SubscriptionRefunds>;
  /**
   * Returns the amount that an immediate change to a dearer plan would charge; changes nothing.
   * @returns undefined if the change can only start with the next renewal, such as during a trial
   */
  quoteChange(id: string, change: Omit<PlanChange, 'starts'>): Promise<number | undefined>;
  /**
   * Changes the plan, once for each reference. A change with the next renewal replaces a pending
   * one; a change to the current plan withdraws the pending one. Rejects with a DomainError, and
   * changes nothing, if the card is declined or the gateway refuses.
   * @returns undefined if the gateway does not know the subscription
   */
  changePlan(id: string, change: PlanChange): Promise<ChangedSubscription | undefined>;
};
