import type { TestCard } from './cards.ts';

/** The price and period of a subscription, and the length of its trial in days. */
export type Terms = { amountMinor: number; period: 'week' | 'month' | 'quarter' | 'year'; trialDays: number };

/** A subscription as the gateway stores it. */
export type GatewaySubscription = {
  id: string;
  reference: string;
  state: 'active' | 'past_due' | 'ended';
  terms: Terms;
  currency: string;
  /** the card that pays the renewals */
  testCard: TestCard;
  /** number of renewals */
  renewals: number;
  /**
   * `startedAt` and `periodEnd` in ms since 1970: from where periods are counted, and the end of
   * the paid period
   */
  startedAt: number;
  /** number of renewals before the current plan started; left out: 0 */
  renewedBefore?: number;
  /**
   * the last payment, the total refunded, and whether the last payment is refunded; left out: the
   * price, 0, no
   */
  lastMinor?: number;
  refundedMinor?: number;
  isLastBack?: boolean;
  /** terms from the next renewal; left out: unchanged */
  next?: Terms;
  /** the latest plan change, and what it charged */
  changed?: { reference: string; chargedMinor: number; renewalsBefore: number };
  periodEnd: number;
  /** number of declines for the due renewal; left out: 0 */
  refusals?: number;
  /** it will not be renewed */
  cancelled: boolean;
};
