import type { Delivery, SavedCard, TestCard } from './cards.ts';
import type { Terms } from './subscription.ts';

export type IntentState = 'open' | 'action_required' | 'authorized' | 'captured' | 'cancelled' | 'failed';

/** A payment as the gateway stores it. */
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
  /** refunded amount; left out: none */
  refundedMinor?: number;
  refusals: number;
  keptCard: SavedCard | null;
  /** the card whose bank requires a challenge */
  challenged: { testCard: TestCard; keep: SavedCard | null } | null;
  /** the answer to the capture is dropped, once */
  losesAnswer: boolean;
  /** the store's webhook URL; left out: it gets no webhooks */
  notifyUrl?: string;
  /** how its webhooks are delivered; left out: once and immediately */
  delivery?: Delivery;
  /** paid by the test wallet, on a page without a card form */
  method?: 'wallet';
  /** terms of the subscription that this payment starts */
  subscription?: Terms;
  /** the authorised card, which also pays the renewals */
  renewalCard?: TestCard;
  /** ms that the shop's clock was ahead at its creation; left out: 0 */
  clockAhead?: number;
};
