import type { Card } from '../model/buying/card.ts';
import type { CreditBalance } from '../model/buying/subscription.ts';
import type { TaxShown } from '../model/buying/tax.ts';
import type { Order } from './payment-setup.ts';

/** What may pay for an order, and what is chosen of it. */
export type Ways = {
  /** Those that the gateway keeps and that are still good, while one may be chosen. */
  cards: Card[];
  /** The one that pays; null for the gateway's page. */
  cardId: string | null;
  /**
   * The price in credits, where the store takes them; the balance of the customer, once it is
   * known.
   */
  credits: number | null;
  balance: CreditBalance | null;
  /** Credits pay. */
  withCredits: boolean;
  /**
   * Other ways that the server names, and the one that is chosen; null for another way. The machine
   * knows only their names, so that a new one needs no change here.
   */
  methods: readonly string[];
  method: string | null;
};

export type WayChosen = { type: 'card.chosen'; cardId: string | null } | { type: 'method.chosen'; method: string };
export type CreditsChosen = { type: 'credits.chosen' };

type InWays = { context: Ways };
type Choice = Pick<Ways, 'cardId' | 'withCredits' | 'method'>;

/** A card on the gateway's page. */
export const nothingChosen: Choice = { cardId: null, withCredits: false, method: null };

/** The first card that is still good pays, until another way is chosen. */
export const keptCards = (all: readonly Card[]): Pick<Ways, 'cards' | 'cardId'> => {
  const cards = all.filter(({ isExpired }) => !isExpired);
  return { cards, cardId: cards[0]?.id ?? null };
};

export const cardChosen = (cardId: string | null): Choice => ({ ...nothingChosen, cardId });
export const creditsChosen: Choice = { ...nothingChosen, withCredits: true };
export const methodChosen = (method: string): Choice => ({ ...nothingChosen, method });

/** Another card is one of several ways, or there is nothing to choose. */
export const isOffered = ({ context: { cards, balance, methods } }: InWays, cardId: string | null): boolean =>
  cardId === null ? cards.length > 0 || balance !== null || methods.length > 0 : cards.some(({ id }) => id === cardId);

export const takesMethod = ({ context: { methods } }: InWays, method: string): boolean => methods.includes(method);

export const hasEnoughCredits = ({ context: { credits, balance } }: InWays): boolean =>
  credits !== null && balance?.accepted === true && balance.balance >= credits;

/** What an order says of how it is paid. Credits are not taxed, and cost no money. */
export const paidBy = (
  { cardId, credits, balance, withCredits, method, tax }: Ways & TaxShown,
  isTaxed: boolean,
): Pick<Order, 'cardId' | 'credits' | 'tax' | 'method'> =>
  withCredits && credits !== null
    ? { cardId: null, credits: { amount: credits, currency: balance?.currency ?? '' }, tax: null, method: null }
    : { cardId, credits: null, tax: isTaxed ? tax : null, method };

const cardIn = ({ event }: { event: { cardId: string | null } }) => event.cardId;
const methodIn = ({ event }: { event: { method: string } }) => event.method;

/** What choosing does, in the state that shows the ways to pay. */
export const choosesCard = {
  guard: { type: 'isOffered', params: cardIn },
  actions: { type: 'chooseCard', params: cardIn },
} as const;
export const choosesCredits = { guard: 'hasEnoughCredits', actions: 'chooseCredits' } as const;
export const choosesMethod = {
  guard: { type: 'takesMethod', params: methodIn },
  actions: { type: 'chooseMethod', params: methodIn },
} as const;
