import type { TestCard } from './cards.ts';

/** How often a subscription is renewed, at which price, and after how many days that cost nothing. */
export type Terms = { amountMinor: number; period: 'week' | 'month' | 'quarter' | 'year'; trialDays: number };

/** A subscription as the gateway holds it. */
export type GatewaySubscription = {
  id: string;
  reference: string;
  state: 'active' | 'past_due' | 'ended';
  terms: Terms;
  currency: string;
  /** the card that renews it */
  testCard: TestCard;
  /** how often it was renewed */
  renewals: number;
  /** milliseconds since 1970: when the periods are counted from, and when the one that is paid for ends */
  startedAt: number;
  /** how often it had been renewed then, where another plan began; left out: never */
  renewedBefore?: number;
  /** what was paid last, and went back of all payments, the last one among them; left out: the price, nothing, no */
  lastMinor?: number;
  refundedMinor?: number;
  isLastBack?: boolean;
  /** what it is renewed to; left out: the same as now */
  next?: Terms;
  /** the change of plan that was made last, and what it charged */
  changed?: { reference: string; chargedMinor: number; renewalsBefore: number };
  periodEnd: number;
  /** how often the card was refused for the renewal that is due; left out: never */
  refusals?: number;
  /** it is not renewed any more */
  cancelled: boolean;
};
