import type { Card } from '../model/card.ts';
import type { CreditBalance } from '../model/subscription.ts';
import type { TaxShown } from '../model/tax.ts';
import { outputIn } from '../ports.ts';
import type { Order } from './payment.ts';

/** What may pay for an order, and what is chosen of it. */
export type Ways = {
  /** Those that the gateway keeps and that are still good, while one may be chosen. */
  cards: Card[];
  /** The one that pays; null for the gateway's page. */
  cardId: string | null;
  /** What it costs in credits, and how many the customer has, while they may choose. */
  credits?: number;
  balance?: CreditBalance;
  /** Credits pay. */
  withCredits?: boolean;
  /** What the gateway's page takes beside cards, and the one that is chosen of it; null for a card. */
  methods?: readonly string[];
  method?: string | null;
};

export type WayChosen = { type: 'card.chosen'; cardId: string | null } | { type: 'method.chosen'; method: string };
export type CreditsChosen = { type: 'credits.chosen' };

type InWays = { context: Ways };
type Choice = Pick<Ways, 'cardId' | 'withCredits' | 'method'>;

/** Nothing but the gateway's page for cards; what has never been to choose stays away. */
const unchosen = ({ withCredits, method }: Ways): Choice => ({
  cardId: null,
  ...(withCredits === undefined ? {} : { withCredits: false }),
  ...(method === undefined ? {} : { method: null }),
});

/** What is offered anew is chosen anew. */
export const offeredWays = (context: Ways, methods: readonly string[] = []): Choice & Pick<Ways, 'methods'> => ({
  ...unchosen(context),
  ...(methods.length === 0 && context.methods === undefined ? {} : { methods, method: null }),
});

/** The first card that is still good pays, until another way is chosen. */
export const keptCards = (all: readonly Card[]): Pick<Ways, 'cards' | 'cardId'> => {
  const cards = all.filter(({ isExpired }) => !isExpired);
  return { cards, cardId: cards[0]?.id ?? null };
};

export const cardChosen = (context: Ways, cardId: string | null): Choice => ({ ...unchosen(context), cardId });
export const creditsChosen = (context: Ways): Choice => ({ ...unchosen(context), withCredits: true });
export const methodChosen = (context: Ways, method: string): Choice => ({ ...unchosen(context), method });

/** Another card is one of several ways, or there is nothing to choose. */
export const isOffered = ({ context: { cards, balance, methods = [] } }: InWays, cardId: string | null): boolean =>
  cardId === null ? cards.length > 0 || balance !== undefined || methods.length > 0 : cards.some(({ id }) => id === cardId);

export const takesMethod = ({ context: { methods = [] } }: InWays, method: string): boolean => methods.includes(method);

export const hasEnoughCredits = ({ context: { credits, balance } }: InWays): boolean =>
  credits !== undefined && balance?.accepted === true && balance.balance >= credits;

/** What an order says of how it is paid. Credits are not taxed, and cost no money. */
export const paidBy = (
  { cardId, credits, balance, withCredits, method, tax }: Ways & TaxShown,
  isTaxed: boolean,
): Pick<Order, 'cardId' | 'credits' | 'tax' | 'method'> => ({
  cardId,
  ...(withCredits === true && credits !== undefined
    ? { credits: { amount: credits, currency: balance?.currency ?? '' } }
    : { ...(tax && isTaxed ? { tax } : {}), ...(method ? { method } : {}) }),
});

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

/** The states in which the customer's cards are read, and their credits where these pay, too. @param next the state after them */
export const readingWays = <Next extends string>(next: Next) =>
  ({
    readingCards: {
      tags: 'busy',
      invoke: {
        id: 'keptCards',
        src: 'keptCards',
        onDone: [
          { guard: 'costsCredits', target: 'readingCredits', actions: { type: 'keepCards', params: outputIn<Card[]> } },
          { target: next, actions: { type: 'keepCards', params: outputIn<Card[]> } },
        ],
        // The gateway's page takes any card.
        onError: [{ guard: 'costsCredits', target: 'readingCredits' }, { target: next }],
      },
    },
    readingCredits: {
      tags: 'busy',
      invoke: {
        id: 'creditBalance',
        src: 'creditBalance',
        onDone: { target: next, actions: { type: 'keepBalance', params: outputIn<CreditBalance> } },
        // Money is taken all the same.
        onError: next,
      },
    },
  }) as const;
