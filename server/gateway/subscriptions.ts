import { monthsLater } from '../base/clock/calendar.ts';
import { outcomeOf, paysRenewal, paysWhenKept, type TestCard } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import type { Journal } from './journal.ts';
import type { GatewaySubscription, Terms } from './subscription.ts';

const DAY = 24 * 60 * 60_000;

/** Milliseconds for which a subscription whose payment has failed goes on. */
export const GRACE = 7 * DAY;

/** Milliseconds after the end of a period at which a refused card is tried again. */
const RETRIES = [1 * DAY, 3 * DAY, 5 * DAY];

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** The end of the period of this number, counted from a moment; months end on their last day where they are shorter. */
export function endOf(from: number, period: Terms['period'], number: number): number {
  if (period === 'week') return from + number * 7 * DAY;
  return monthsLater(from, number * MONTHS[period]);
}

/** When the card is tried for the renewal that is due; undefined after the last try. */
function nextTry({ periodEnd, refusals = 0 }: GatewaySubscription): number | undefined {
  const wait = [0, ...RETRIES][refusals];
  return wait === undefined ? undefined : periodEnd + wait;
}

const trialing = ({ trialDays }: Terms): boolean => trialDays > 0;

/** The number of the period that a subscription is in, counted from its start; nought while days cost nothing. */
const periodOf = ({ terms, renewals, renewedBefore = 0 }: GatewaySubscription, more = 0): number =>
  renewals + more - renewedBefore + (terms.trialDays > 0 ? 0 : 1);

/** What is left of the price of the period that is paid for. */
function unusedMinor(subscription: GatewaySubscription, at: number): number {
  const { terms, startedAt, periodEnd } = subscription;
  const start = endOf(startedAt, terms.period, periodOf(subscription) - 1);
  const left = Math.min(1, Math.max(0, (periodEnd - at) / (periodEnd - start)));
  return Math.round(terms.amountMinor * left);
}

export type Change = { reference: string; terms: Terms; at: number; starts: 'now' | 'renewal' };

/** The gateway's book of subscriptions. They are renewed when somebody looks; every change is in the journal before it is answered. */
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

  static idOf = (intent: Pick<GatewayIntent, 'id'>): string => `sub_${intent.id}`;

  /** The subscription that a charged intent pays for: the one that is there, or a new one. */
  start(intent: GatewayIntent): GatewaySubscription | undefined {
    const { subscription: terms, renewalCard: testCard } = intent;
    if (!terms || testCard === undefined) return undefined;
    const id = Subscriptions.idOf(intent);
    const known = this.read(id);
    if (known) return known;
    const now = this.#now();
    const startedAt = now + terms.trialDays * DAY;
    return this.#write({
      id,
      reference: intent.reference,
      state: 'active',
      terms,
      currency: intent.currency,
      testCard,
      renewals: 0,
      lastMinor: trialing(terms) ? 0 : terms.amountMinor,
      startedAt,
      periodEnd: trialing(terms) ? startedAt : endOf(startedAt, terms.period, 1),
      cancelled: false,
    });
  }

  /** As it stands now, with every renewal that is due. */
  read(id: string): GatewaySubscription | undefined {
    let subscription = this.#byId.get(id);
    for (let due = subscription && this.#due(subscription); due; due = this.#due(due)) subscription = this.#write(due);
    return subscription;
  }

  /**
   * Renews it no more; it runs to the end of what is paid for, or ends at once. Of what has become due after the customer had
   * cancelled nothing is charged, however late the store says so.
   * @param at when the customer cancelled, in milliseconds since 1970
   */
  cancel(id: string, { at, atOnce }: { at: number; atOnce: boolean }): GatewaySubscription | undefined {
    const known = this.#byId.get(id);
    const subscription = known && at <= known.periodEnd ? known : this.read(id);
    if (!subscription || subscription.state === 'ended') return subscription;
    if (atOnce) return this.#write({ ...subscription, cancelled: true, state: 'ended', periodEnd: this.#now() });
    if (!subscription.cancelled) this.#write({ ...subscription, cancelled: true });
    return this.read(id);
  }

  /** Renews again what is cancelled and still runs. */
  resume(id: string): GatewaySubscription | undefined {
    const subscription = this.read(id);
    if (!subscription?.cancelled || subscription.state === 'ended') return subscription;
    return this.#write({ ...subscription, cancelled: false });
  }

  /** Renews it by another card from now on; what could not be charged is charged at once. An ended one stays ended. */
  changeCard(id: string, testCard: TestCard): void {
    const subscription = this.read(id);
    if (!subscription || subscription.state === 'ended') return;
    this.#write({ ...subscription, testCard, refusals: 0 });
    this.read(id);
  }

  /** What another plan charges at once; undefined while days cost nothing, or where a payment is due. */
  quote(id: string, { terms, at }: Pick<Change, 'terms' | 'at'>): number | undefined {
    const subscription = this.read(id);
    if (subscription?.state !== 'active' || subscription.cancelled || periodOf(subscription) === 0) return undefined;
    return Math.max(0, terms.amountMinor - unusedMinor(subscription, at));
  }

  /**
   * Changes the plan, once for each reference: at once, with a period that begins now and is charged less what is left of the other, or
   * with the next renewal.
   * @returns 'refused' where the card does not pay; 'over' where it is not renewed any more
   */
  change(id: string, { reference, terms, at, starts }: Change): GatewaySubscription | 'refused' | 'over' | undefined {
    const subscription = this.read(id);
    if (!subscription || subscription.changed?.reference === reference) return subscription;
    if (subscription.state !== 'active' || subscription.cancelled) return 'over';
    const renewalsBefore = subscription.renewals;
    if (starts === 'renewal')
      return this.#write({ ...subscription, next: terms, changed: { reference, chargedMinor: 0, renewalsBefore } });
    const chargedMinor = this.quote(id, { terms, at });
    if (chargedMinor === undefined) return 'over';
    if (outcomeOf(subscription.testCard).kind === 'refused' || !paysWhenKept(subscription.testCard)) return 'refused';
    const { next: _, ...kept } = subscription;
    const startedAt = this.#now();
    return this.#write({
      ...kept,
      terms,
      startedAt,
      lastMinor: chargedMinor,
      isLastBack: false,
      renewedBefore: renewalsBefore,
      periodEnd: endOf(startedAt, terms.period, 1),
      changed: { reference, chargedMinor, renewalsBefore },
    });
  }

  /** Gives back what was paid last, once. */
  refund(id: string): GatewaySubscription | undefined {
    const subscription = this.read(id);
    const { terms, lastMinor = terms?.amountMinor ?? 0, refundedMinor = 0, isLastBack = false } = subscription ?? {};
    if (!subscription || isLastBack || lastMinor === 0) return subscription;
    return this.#write({ ...subscription, refundedMinor: refundedMinor + lastMinor, isLastBack: true });
  }

  /** What becomes of it at the end of its period; undefined while nothing is due. */
  #due(subscription: GatewaySubscription): GatewaySubscription | undefined {
    const { state, terms, periodEnd, startedAt, cancelled, testCard, renewals, refusals = 0, next: nextTerms } = subscription;
    const now = this.#now();
    if (state === 'ended' || periodEnd > now) return undefined;
    if (cancelled) return { ...subscription, state: 'ended' };
    const isTried = (nextTry(subscription) ?? Infinity) <= now;
    if (isTried && paysRenewal(testCard, refusals)) {
      const lastMinor = (nextTerms ?? terms).amountMinor;
      const paid = { state: 'active', renewals: renewals + 1, lastMinor, isLastBack: false, refusals: 0 } as const;
      const renewed = { ...subscription, ...paid };
      if (!nextTerms) return { ...renewed, periodEnd: endOf(startedAt, terms.period, periodOf(subscription, 1)) };
      const { next: _, ...other } = renewed;
      const anew = { terms: nextTerms, startedAt: periodEnd, renewedBefore: renewals + 1 };
      return { ...other, ...anew, periodEnd: endOf(periodEnd, nextTerms.period, 1) };
    }
    if (isTried) return { ...subscription, state: 'past_due', refusals: refusals + 1 };
    return periodEnd + GRACE <= now ? { ...subscription, state: 'ended' } : undefined;
  }

  #write(subscription: GatewaySubscription): GatewaySubscription {
    this.#journal.append({ kind: 'subscription', subscription });
    this.#byId.set(subscription.id, subscription);
    return subscription;
  }
}
