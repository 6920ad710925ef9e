import { addMonths } from '../base/clock/calendar.ts';
import { getOutcome, paysRenewal, paysWhenSaved, type TestCard } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import type { Journal } from './journal.ts';
import type { GatewaySubscription, Terms } from './subscription.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Time in ms that a subscription stays usable after a failed payment. */
export const GRACE_MS = 7 * DAY_MS;

/** Delays in ms after the end of a period before each retry of a declined card. */
const RETRY_DELAYS_MS = [1 * DAY_MS, 3 * DAY_MS, 5 * DAY_MS];

const MONTHS_OF_PERIOD = { month: 1, quarter: 3, year: 12 } as const;

/**
 * The end of a period by its number, counted from a moment; in shorter months it is the last day.
 */
export function computePeriodEnd(from: number, period: Terms['period'], number: number): number {
  if (period === 'week') return from + number * 7 * DAY_MS;
  return addMonths(from, number * MONTHS_OF_PERIOD[period]);
}

/** The time of the next attempt to charge the due renewal; undefined after the last one. */
function getNextAttempt({ periodEnd, refusals = 0 }: GatewaySubscription): number | undefined {
  const wait = [0, ...RETRY_DELAYS_MS][refusals];
  return wait === undefined ? undefined : periodEnd + wait;
}

const hasTrial = ({ trialDays }: Terms): boolean => trialDays > 0;

/** The number of the current period, counted from `startedAt`; 0 during the trial. */
const getPeriodNumber = ({ terms, renewals, renewedBefore = 0 }: GatewaySubscription, addedRenewals = 0): number =>
  renewals + addedRenewals - renewedBefore + (terms.trialDays > 0 ? 0 : 1);

/** The unused part of the price of the paid period. */
function computeUnusedMinor(subscription: GatewaySubscription, at: number): number {
  const { terms, startedAt, periodEnd } = subscription;
  const start = computePeriodEnd(startedAt, terms.period, getPeriodNumber(subscription) - 1);
  const unusedShare = Math.min(1, Math.max(0, (periodEnd - at) / (periodEnd - start)));
  return Math.round(terms.amountMinor * unusedShare);
}

export type SubscriptionChange = { reference: string; terms: Terms; at: number; starts: 'now' | 'renewal' };

/**
 * Stores the gateway's subscriptions. Renewals are computed when a subscription is read; every
 * change is in the journal before the response is sent.
 */
export class Subscriptions {
  readonly #journal: Journal;
  readonly #now: () => number;
  readonly #byId = new Map<string, GatewaySubscription>();

  constructor(journal: Journal, now: () => number) {
    this.#journal = journal;
    this.#now = now;
    for (const entry of journal.entries())
      if (entry.kind === 'subscription') this.#byId.set(entry.subscription.id, entry.subscription);
  }

  static toSubscriptionId = (intent: Pick<GatewayIntent, 'id'>): string => `sub_${intent.id}`;

  /**
   * Returns the subscription of a captured intent, created on the first call; undefined if the
   * intent is for no subscription.
   */
  start(intent: GatewayIntent): GatewaySubscription | undefined {
    const { subscription: terms, renewalCard: testCard } = intent;
    if (!terms || testCard === undefined) return undefined;
    const id = Subscriptions.toSubscriptionId(intent);
    const storedSubscription = this.read(id);
    if (storedSubscription) return storedSubscription;
    const now = this.#now();
    const startedAt = now + terms.trialDays * DAY_MS;
    return this.#write({
      id,
      reference: intent.reference,
      state: 'active',
      terms,
      currency: intent.currency,
      testCard,
      renewals: 0,
      lastMinor: hasTrial(terms) ? 0 : terms.amountMinor,
      startedAt,
      periodEnd: hasTrial(terms) ? startedAt : computePeriodEnd(startedAt, terms.period, 1),
      cancelled: false,
    });
  }

  /** Reads a subscription, after booking all due renewals. */
  read(id: string): GatewaySubscription | undefined {
    let subscription = this.#byId.get(id);
    for (let nextStep = subscription && this.#computeNextStep(subscription); nextStep; nextStep = this.#computeNextStep(nextStep))
      subscription = this.#write(nextStep);
    return subscription;
  }

  /**
   * Cancels a subscription at the end of the paid period, or immediately. Nothing that became due
   * after the customer's cancellation is charged, however late the store sends it.
   * @param at when the customer cancelled, in ms since 1970
   */
  cancel(id: string, { at, atOnce }: { at: number; atOnce: boolean }): GatewaySubscription | undefined {
    const storedSubscription = this.#byId.get(id);
    const subscription = storedSubscription && at <= storedSubscription.periodEnd ? storedSubscription : this.read(id);
    if (!subscription || subscription.state === 'ended') return subscription;
    if (atOnce) return this.#write({ ...subscription, cancelled: true, state: 'ended', periodEnd: this.#now() });
    if (!subscription.cancelled) this.#write({ ...subscription, cancelled: true });
    return this.read(id);
  }

  /** Reactivates a subscription that is cancelled but active until its period ends. */
  resume(id: string): GatewaySubscription | undefined {
    const subscription = this.read(id);
    if (!subscription?.cancelled || subscription.state === 'ended') return subscription;
    return this.#write({ ...subscription, cancelled: false });
  }

  /** Replaces the card; a due payment is charged immediately. An ended subscription stays ended. */
  changeCard(id: string, testCard: TestCard): void {
    const subscription = this.read(id);
    if (!subscription || subscription.state === 'ended') return;
    this.#write({ ...subscription, testCard, refusals: 0 });
    this.read(id);
  }

  /**
   * The amount that an immediate plan change charges; undefined if no such change is possible:
   * during a trial, while a payment is due, or after the cancellation.
   */
  quote(id: string, { terms, at }: Pick<SubscriptionChange, 'terms' | 'at'>): number | undefined {
    const subscription = this.read(id);
    if (subscription?.state !== 'active' || subscription.cancelled || getPeriodNumber(subscription) === 0) return undefined;
    return Math.max(0, terms.amountMinor - computeUnusedMinor(subscription, at));
  }

  /**
   * Changes the plan, once for each reference: immediately, with a new period charged less the
   * unused part of the old one, or with the next renewal.
   * @returns 'refused' if the card is declined; 'over' if the subscription cannot be changed, or
   * not immediately; undefined if it is unknown
   */
  change(id: string, { reference, terms, at, starts }: SubscriptionChange): GatewaySubscription | 'refused' | 'over' | undefined {
    const subscription = this.read(id);
    if (!subscription || subscription.changed?.reference === reference) return subscription;
    if (subscription.state !== 'active' || subscription.cancelled) return 'over';
    const renewalsBefore = subscription.renewals;
    if (starts === 'renewal')
      return this.#write({ ...subscription, next: terms, changed: { reference, chargedMinor: 0, renewalsBefore } });
    const chargedMinor = this.quote(id, { terms, at });
    if (chargedMinor === undefined) return 'over';
    if (getOutcome(subscription.testCard).kind === 'refused' || !paysWhenSaved(subscription.testCard)) return 'refused';
    const { next: _, ...otherFields } = subscription;
    const startedAt = this.#now();
    return this.#write({
      ...otherFields,
      terms,
      startedAt,
      lastMinor: chargedMinor,
      isLastBack: false,
      renewedBefore: renewalsBefore,
      periodEnd: computePeriodEnd(startedAt, terms.period, 1),
      changed: { reference, chargedMinor, renewalsBefore },
    });
  }

  /** Refunds the last payment, once. */
  refund(id: string): GatewaySubscription | undefined {
    const subscription = this.read(id);
    const { terms, lastMinor = terms?.amountMinor ?? 0, refundedMinor = 0, isLastBack = false } = subscription ?? {};
    if (!subscription || isLastBack || lastMinor === 0) return subscription;
    return this.#write({ ...subscription, refundedMinor: refundedMinor + lastMinor, isLastBack: true });
  }

  /**
   * The subscription after its next due step (renewal, decline or end); undefined if nothing is
   * due.
   */
  #computeNextStep(subscription: GatewaySubscription): GatewaySubscription | undefined {
    const { state, terms, periodEnd, startedAt, cancelled, testCard, renewals, refusals = 0, next: nextTerms } = subscription;
    const now = this.#now();
    if (state === 'ended' || periodEnd > now) return undefined;
    if (cancelled) return { ...subscription, state: 'ended' };
    const isAttemptDue = (getNextAttempt(subscription) ?? Infinity) <= now;
    if (isAttemptDue && paysRenewal(testCard, refusals)) {
      const lastMinor = (nextTerms ?? terms).amountMinor;
      const paidFields = { state: 'active', renewals: renewals + 1, lastMinor, isLastBack: false, refusals: 0 } as const;
      const renewedSubscription = { ...subscription, ...paidFields };
      if (!nextTerms)
        return { ...renewedSubscription, periodEnd: computePeriodEnd(startedAt, terms.period, getPeriodNumber(subscription, 1)) };
      const { next: _, ...withoutNext } = renewedSubscription;
      const newPeriod = { terms: nextTerms, startedAt: periodEnd, renewedBefore: renewals + 1 };
      return { ...withoutNext, ...newPeriod, periodEnd: computePeriodEnd(periodEnd, nextTerms.period, 1) };
    }
    if (isAttemptDue) return { ...subscription, state: 'past_due', refusals: refusals + 1 };
    return periodEnd + GRACE_MS <= now ? { ...subscription, state: 'ended' } : undefined;
  }

  #write(subscription: GatewaySubscription): GatewaySubscription {
    this.#journal.append({ kind: 'subscription', subscription });
    this.#byId.set(subscription.id, subscription);
    return subscription;
  }
}
