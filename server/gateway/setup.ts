import type { KeptCard, TestCard } from './cards.ts';

/** `ready`: the card is good, and the store has not taken it yet; `expired` is never written down. */
type SetupState = 'open' | 'action_required' | 'ready' | 'claimed' | 'cancelled' | 'failed' | 'expired';

type Tried = { testCard: TestCard; card: KeptCard };

/** A card that a customer is about to leave with the gateway, without paying. */
export type Setup = {
  id: string;
  state: SetupState;
  /** the store and its customer: nobody else gets the card */
  customer: string;
  /** the subscription that the card is to renew; it is then not kept for anything else */
  subscription?: string;
  shopName: string;
  returnUrl: string;
  language: string;
  reason: string | null;
  refusals: number;
  /** the card that waits for its bank's challenge, or for the store */
  tried: Tried | null;
  /**
   * What the store shows to get the card. Only the browser in which the card was typed is told it: whoever sends another
   * person the address of a setup of their own gets nothing.
   */
  token: string | null;
  /** the first answer to the store gets lost */
  losesAnswer: boolean;
  /** milliseconds since 1970 */
  expiresAt: number;
  /** milliseconds by which the clock of its shop was ahead when it was made; left out: none */
  clockAhead?: number;
};
