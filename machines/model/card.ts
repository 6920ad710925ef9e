import type { Problem } from './problem.ts';

/** A card that the payment gateway keeps for the customer; `expiry` reads MM/YY, or is empty. */
export type Card = {
  id: string;
  isDefault: boolean;
  isExpired: boolean;
  pii: { brand: string; last4: string; expiry: string };
};

/** The customer's cards after one was added; `addedId` is null where the server does not say which. */
export type AddedCard = { cards: Card[]; addedId: string | null };

/** Whether a card that could not be added may be added by trying again: nobody has said no to it. */
export const mayBeAddedYet = (problem: Problem | null): boolean =>
  problem?.kind !== 'refused' || ['payment_unavailable', 'too_many_requests'].includes(problem.code);
