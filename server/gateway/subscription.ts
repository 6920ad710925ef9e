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
  /** the moment from which periods are counted, in ms since 1970 */
  startedAt: number;
  /** number of renewals before the current plan started; left out: 0 */
  renewedBefore?: number;
  /** the amount of the last payment; left out: the price */
  lastMinor?: number;
  /** the total refunded; left out: 0 */
  refundedMinor?: number;
  /** whether the last payment is refunded; left out: false */
  isLastBack?: boolean;
  /** terms from the next renewal; left out: unchanged */
  next?: Terms;
  /** the latest plan change, and what it charged */
  changed?: { reference: string; chargedMinor: number; renewalsBefore: number };
  /** the end of the paid period, in ms since 1970 */
  periodEnd: number;
  /** number of declines for the due renewal; left out: 0 */
  refusals?: number;
  /** whether the subscription was cancelled, so that it is not renewed */
  cancelled: boolean;
};
