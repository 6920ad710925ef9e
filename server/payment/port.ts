import type { PaymentMethod } from '../database/schema/payments.ts';
import { DomainError } from '../kernel/errors.ts';

/**
 * Where a payment stands at the gateway. `open`: nobody has paid yet; `action_required`: the customer's bank asks for
 * something; `authorized`: the money is reserved; `captured`: it is charged.
 */
export type IntentState = 'open' | 'action_required' | 'authorized' | 'captured' | 'cancelled' | 'failed';

/**
 * A card that the gateway keeps for a customer; its number stays there. `replaces`: tokens that the same number had before,
 * where the gateway knows some.
 */
export type KeptCard = {
  token: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  replaces?: string[];
};

/** How often a subscription is renewed, at which price, and after how many days that cost nothing. */
export type Terms = { amountMinor: number; period: 'week' | 'month' | 'quarter' | 'year'; trialDays: number };

/** A subscription at the gateway, which renews it by itself. */
export type RunningSubscription = {
  id: string;
  state: 'active' | 'past_due' | 'ended';
  /** how often it was renewed and paid for */
  renewals: number;
  /** milliseconds since 1970: the next renewal; the end of access where it is cancelled, or past due; when it has ended */
  until: number;
  cancelled: boolean;
};

/**
 * What went back of a subscription's payments, in the smallest unit of its currency, and whether that is all of the last one. Renewals
 * that were given back because they came after the customer had cancelled are none of it.
 */
export type SubscriptionRefunds = { totalMinor: number; isLastWhole: boolean };

/** Another plan for a subscription that runs. */
export type PlanChange = {
  /** the store's name for this change: asking again with it changes, and charges, once */
  reference: string;
  /** the new plan's name and what it costs each time; there are no days for nothing */
  description: string;
  terms: Terms;
  currency: string;
  /** milliseconds since 1970: the moment from which the unused part of what is paid for is counted */
  at: number;
  /** at once, with a new period that is charged less that part, or with the next renewal, which costs nothing before */
  starts: 'now' | 'renewal';
};

/** A subscription after its plan was changed, what was charged for that at once, and how often it had been renewed before. */
export type ChangedSubscription = RunningSubscription & { chargedMinor: number; renewalsBefore: number };

export type Intent = {
  id: string;
  state: IntentState;
  /** the gateway's page where the customer goes on */
  url: string;
  /** why the last attempt failed, such as card_declined */
  reason: string | null;
  keptCard: KeptCard | null;
  /** what went back of what was captured, in the smallest unit of its currency */
  refundedMinor: number;
  /** what the captured intent has begun, where it asked for that */
  subscription?: RunningSubscription | null;
};

export type IntentRequest = {
  /** the store's own name for the payment; asking again with it answers the same intent */
  reference: string;
  amountMinor: number;
  currency: string;
  description: string;
  shopName: string;
  /** the gateway sends the customer back here, with intentId or cancelled=1 added */
  returnUrl: string;
  /**
   * the customer's languages, as an Accept-Language list: the most wanted one decides, also for an
   * intent that was made in another
   */
  language: string;
  customer: string;
  /** how it is paid on the page; left out, by card */
  method?: PaymentMethod;
  /** pay with this kept card at once, without the page */
  cardToken?: string;
  /** the payment is the first of a subscription, which begins when it is captured */
  subscription?: Terms;
};

export type SetupRequest = {
  /** the subscription that the card is to renew, at once where it is past due; the store does not get the card then */
  subscription?: string;
  /** the store and its customer, who alone gets the card */
  customer: string;
  shopName: string;
  /** the gateway sends the customer back here, with cardtoken added when there is a card */
  returnUrl: string;
  /** as with payments */
  language: string;
};

/** The gateway gave no answer: what it did is not known, and only asking it later tells. */
export class PaymentUnknown extends Error {
  constructor(cause: unknown) {
    super('The payment gateway did not answer.', { cause });
    this.name = 'PaymentUnknown';
  }
}

/** What a gateway says that does not give money back. */
export const noRefund = (says: string): DomainError => new DomainError('conflict', says, { code: 'no_refund' });

/** What a gateway says that does not charge the card of a subscription for another plan, or does not change it at all. */
export const cardRefused = (): DomainError =>
  new DomainError('payment_failed', 'The card was declined.', { code: 'card_declined' });
export const notChanged = (says = 'This subscription can’t be changed.'): DomainError =>
  new DomainError('conflict', says, { code: 'plan_unchanged' });

/** What a gateway says that does not take up again what was cancelled. */
export const notResumed = (): DomainError =>
  new DomainError('conflict', 'This subscription can’t be taken up again.', { code: 'not_resumable' });

/**
 * What the store needs from a payment gateway. Every call may be repeated: the gateway charges an intent at most once.
 * Calls reject with PaymentUnknown when the gateway cannot be heard, and with a DomainError for
 * what it cannot do at all, such as another currency.
 */
export type PaymentPort = {
  provider: string;
  /** What its page takes beside cards. */
  methods: readonly PaymentMethod[];
  /** Whether a subscription that is cancelled and still runs can be taken up again. */
  resumes: boolean;
  /** Whether the gateway answers at all. */
  isUp(): Promise<boolean>;
  create(request: IntentRequest): Promise<Intent>;
  read(intentId: string): Promise<Intent | undefined>;
  /**
   * The address of an intent's page in the language that is asked for now, which need not be the one it was begun in; left out
   * where the page keeps its language.
   * @param wishes as an Accept-Language header has them
   */
  inLanguage?(url: string, wishes: string): string;
  readByReference(reference: string): Promise<Intent | undefined>;
  /** Charges what is reserved; answers the state it finds when there is nothing to charge. */
  capture(intentId: string): Promise<Intent>;
  /** Releases what is reserved; answers the state it finds when it is too late. */
  cancel(intentId: string): Promise<Intent>;
  /**
   * Gives back what was captured for a title, a cart or a gift, or what is left of it; answers the state it finds when there is nothing
   * to give back. Rejects with a DomainError where the gateway does not.
   */
  refund(intentId: string): Promise<Intent>;
  /** Begins to keep a card without a payment, or to change that of a subscription which runs. @returns the gateway's page, which is good for an hour */
  startSetup(request: SetupRequest): Promise<string>;
  /** The card that the customer has left there; undefined for a token of somebody else, one that is made up, or too old. */
  claimSetup(token: string, customer: string): Promise<KeptCard | undefined>;
  /** Has a card forgotten, which may be so already. @param token of the card */
  forgetCard(token: string): Promise<void>;
  /** A subscription as it stands now; undefined where the gateway knows of none. */
  readSubscription(id: string): Promise<RunningSubscription | undefined>;
  /**
   * Renews it no more, at the end of its period or at once.
   * @param ending.at when the customer cancelled, in milliseconds since 1970: nothing that is due later is charged
   * @returns it as it stands then
   */
  cancelSubscription(id: string, ending: { at: number; atOnce: boolean }): Promise<RunningSubscription | undefined>;
  /**
   * Takes up again one that is cancelled and still runs: it is renewed as before, and nothing is charged for that. One that has ended
   * stays so, and one that is not cancelled as it is. Rejects with a DomainError where the gateway
   * cannot.
   */
  resumeSubscription(id: string): Promise<RunningSubscription | undefined>;
  /** What went back of its payments so far. */
  readRefunds(id: string): Promise<SubscriptionRefunds>;
  /**
   * Gives back its last payment, or what is left of that, once. Rejects with a DomainError where
   * the gateway does not.
   */
  refundSubscription(id: string): Promise<SubscriptionRefunds>;
  /**
   * What a plan that costs more charges when it starts at once; changes nothing.
   * @returns undefined where it can start with the next renewal only, such as in days that cost nothing
   */
  quoteChange(id: string, change: Omit<PlanChange, 'starts'>): Promise<number | undefined>;
  /**
   * Changes the plan, once for each reference. A change with the next renewal replaces the one that waits; one to the plan that runs
   * withdraws it. Rejects with a DomainError where the card does not pay, or the gateway does not
   * change it: then nothing has changed.
   */
  changePlan(id: string, change: PlanChange): Promise<ChangedSubscription | undefined>;
};
