import type { Card } from '../model/buying/card.ts';
import type { CreditBalance } from '../model/buying/subscription.ts';
import type { TaxDisplay } from '../model/buying/tax.ts';
import type { Order } from './payment-setup.ts';

/** The payment options of an order, and the chosen one. */
export type PaymentOptions = {
  /** Stored cards that have not expired, if one may be chosen. */
  cards: Card[];
  /** The card that pays; null for the gateway's page. */
  cardId: string | null;
  /** The price in credits, if the store accepts them; and the customer's balance, once known. */
  credits: number | null;
  balance: CreditBalance | null;
  /** Pays with credits. */
  withCredits: boolean;
  /**
   * Payment methods besides cards and credits, and the chosen one; null for a card or credits. The
   * machine knows only their names, so a new one needs no change here.
   */
  methods: readonly string[];
  method: string | null;
};

export type MethodEvent = { type: 'card.chosen'; cardId: string | null } | { type: 'method.chosen'; method: string };
export type CreditsEvent = { type: 'credits.chosen' };

type InOptions = { context: PaymentOptions };
type PaymentChoice = Pick<PaymentOptions, 'cardId' | 'withCredits' | 'method'>;

/** The default choice: a card on the gateway's page. */
export const noPaymentChoice: PaymentChoice = { cardId: null, withCredits: false, method: null };

/** The first valid card pays, until the customer chooses otherwise. */
export const selectValidCards = (all: readonly Card[]): Pick<PaymentOptions, 'cards' | 'cardId'> => {
  const cards = all.filter(({ isExpired }) => !isExpired);
  return { cards, cardId: cards[0]?.id ?? null };
};

export const toCardChoice = (cardId: string | null): PaymentChoice => ({ ...noPaymentChoice, cardId });
export const creditsChoice: PaymentChoice = { ...noPaymentChoice, withCredits: true };
export const toMethodChoice = (method: string): PaymentChoice => ({ ...noPaymentChoice, method });

/** The card is one of several options; without any, there is nothing to choose. */
export const isOffered = ({ context: { cards, balance, methods } }: InOptions, cardId: string | null): boolean =>
  cardId === null ? cards.length > 0 || balance !== null || methods.length > 0 : cards.some(({ id }) => id === cardId);

export const takesMethod = ({ context: { methods } }: InOptions, method: string): boolean => methods.includes(method);

export const hasEnoughCredits = ({ context: { credits, balance } }: InOptions): boolean =>
  credits !== null && balance?.accepted === true && balance.balance >= credits;

/** The payment part of an order. Credits are not taxed, and cost no money. */
export const toPaymentFields = (
  { cardId, credits, balance, withCredits, method, tax }: PaymentOptions & TaxDisplay,
  isTaxed: boolean,
): Pick<Order, 'cardId' | 'credits' | 'tax' | 'method'> =>
  withCredits && credits !== null
    ? { cardId: null, credits: { amount: credits, currency: balance?.currency ?? '' }, tax: null, method: null }
    : { cardId, credits: null, tax: isTaxed ? tax : null, method };

const getCardId = ({ event }: { event: { cardId: string | null } }) => event.cardId;
const getMethod = ({ event }: { event: { method: string } }) => event.method;

/** The transition of a choice, in the state that shows the payment options. */
export const onCardChosen = {
  guard: { type: 'isOffered', params: getCardId },
  actions: { type: 'chooseCard', params: getCardId },
} as const;
export const onCreditsChosen = { guard: 'hasEnoughCredits', actions: 'chooseCredits' } as const;
export const onMethodChosen = {
  guard: { type: 'takesMethod', params: getMethod },
  actions: { type: 'chooseMethod', params: getMethod },
} as const;
