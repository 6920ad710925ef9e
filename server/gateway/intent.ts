import type { Delivery, KeptCard, TestCard } from './cards.ts';
import type { Terms } from './subscription.ts';

export type IntentState = 'open' | 'action_required' | 'authorized' | 'captured' | 'cancelled' | 'failed';

/** A payment as the gateway holds it. */
export type GatewayIntent = {
  id: string;
  reference: string;
  state: IntentState;
  amountMinor: number;
  currency: string;
  description: string;
  shopName: string;
  returnUrl: string;
  language: string;
  customer: string;
  reason: string | null;
  /** what went back of what was captured; left out where nothing did */
  refundedMinor?: number;
  refusals: number;
  keptCard: KeptCard | null;
  /** a card that waits for its bank's challenge */
  challenged: { testCard: TestCard; keep: KeptCard | null } | null;
  /** the capture's answer gets lost, once */
  losesAnswer: boolean;
  /** where the store is told of what becomes of it; left out where it is not */
  notifyUrl?: string;
  /** how it is told */
  delivery?: Delivery;
  /** paid by the test wallet, on a page without a card form */
  method?: 'wallet';
  /** what is subscribed to by this payment, the first one */
  subscription?: Terms;
  /** the card that was authorised for it, and renews it */
  renewalCard?: TestCard;
  /** milliseconds by which the clock of its shop was ahead when it was made; left out: none */
  clockAhead?: number;
};
