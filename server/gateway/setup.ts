import type { SavedCard, TestCard } from './cards.ts';

/**
 * `ready`: the card is valid, and the store has not claimed it yet; `expired` is computed, never
 * stored.
 */
type SetupState = 'open' | 'action_required' | 'ready' | 'claimed' | 'cancelled' | 'failed' | 'expired';

type CardAttempt = { testCard: TestCard; card: SavedCard };

/** The saving of a customer's card without a payment, or as the new card of a subscription. */
export type Setup = {
  id: string;
  state: SetupState;
  /** the customer's reference; only this customer can claim the card */
  customer: string;
  /** the subscription whose card is replaced; the card is then not saved for other payments */
  subscription?: string;
  shopName: string;
  returnUrl: string;
  language: string;
  reason: string | null;
  refusals: number;
  /** the card that waits for the bank's challenge or for the claim, or that was claimed */
  tried: CardAttempt | null;
  /**
   * The secret with which the store claims the card. Only the browser that submitted the card
   * receives it, so a link to one's own setup sent to another person exposes no card.
   */
  token: string | null;
  /** the first answer to the claim is dropped */
  losesAnswer: boolean;
  /** ms since 1970 */
  expiresAt: number;
  /** ms by which the shop's clock was ahead when this setup was created; left out: 0 */
  clockAhead?: number;
};
