import type { Card } from '../model/buying/card.ts';
import type { CreditBalance } from '../model/buying/subscription.ts';
import type { TaxDisplay } from '../model/buying/tax.ts';
import type { Order } from './payment-setup.ts';

/** The payment options of an order, and the chosen one. */
export type PaymentOptions = {
  /** Stored cards that have not expired; empty until the customer may choose one. */
  cards: Card[];
  /** The chosen card; null for the gateway's page, credits or another method. */
  cardId: string | null;
  /** The price in credits; null if the store does not accept them. */
  credits: number | null;
  /** The customer's credit balance; null until known. */
  balance: CreditBalance | null;
  /** Whether the customer pays with credits. */
  withCredits: boolean;
  /**
   * Payment methods besides cards and credits. The machine knows only their names, so a new method
   * needs no change here.
   */
  methods: readonly string[];
  /** The chosen method; null for a card or credits. */
  method: string | null;
};

export type MethodEvent = { type: 'card.chosen'; cardId: string | null } | { type: 'method.chosen'; method: string };
export type CreditsEvent = { type: 'credits.chosen' };

type WithPaymentOptions = { context: PaymentOptions };
type PaymentChoice = Pick<PaymentOptions, 'cardId' | 'withCredits' | 'method'>;

/** The choice until a saved card is preselected: a card on the gateway's page. */
export const noPaymentChoice: PaymentChoice = { cardId: null, withCredits: false, method: null };

/** The stored cards that have not expired; the first one is preselected. */
export const selectValidCards = (storedCards: readonly Card[]): Pick<PaymentOptions, 'cards' | 'cardId'> => {
  const cards = storedCards.filter(({ isExpired }) => !isExpired);
  return { cards, cardId: cards[0]?.id ?? null };
};

export const toCardChoice = (cardId: string | null): PaymentChoice => ({ ...noPaymentChoice, cardId });
export const creditsChoice: PaymentChoice = { ...noPaymentChoice, withCredits: true };
export const toMethodChoice = (method: string): PaymentChoice => ({ ...noPaymentChoice, method });

/** Whether a card can be chosen; null (the gateway's page) only if there are other options. */
export const isOffered = ({ context: { cards, balance, methods } }: WithPaymentOptions, cardId: string | null): boolean =>
  cardId === null ? cards.length > 0 || balance !== null || methods.length > 0 : cards.some(({ id }) => id === cardId);

export const takesMethod = ({ context: { methods } }: WithPaymentOptions, method: string): boolean => methods.includes(method);

export const hasEnoughCredits = ({ context: { credits, balance } }: WithPaymentOptions): boolean =>
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

/** The transitions for choices, in the state that shows the payment options. */
export const onCardChosen = {
  guard: { type: 'isOffered', params: getCardId },
  actions: { type: 'chooseCard', params: getCardId },
} as const;
export const onCreditsChosen = { guard: 'hasEnoughCredits', actions: 'chooseCredits' } as const;
export const onMethodChosen = {
  guard: { type: 'takesMethod', params: getMethod },
  actions: { type: 'chooseMethod', params: getMethod },
} as const;
