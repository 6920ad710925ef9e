import type { NewPrice, Offer, OfferRequest, PriceRequest } from '../../../../machines/buying/purchase/offer.ts';
import type { OpenOrder, Order, PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { Api } from '../../../client/wire/client.ts';

/**
 * An order with its idempotency key, and with the code that its price was shown with; empty without
 * one.
 */
export type KeyedOrder = Order & { key: string; code: string };

/**
 * The price of an offer after a code was applied or removed. Each price is a new attempt, so
 * `ports.ts` adds a new key.
 */
export type PriceUpdate = Omit<NewPrice, 'key'>;

/** The calls that differ between the kinds of offer; `ports.ts` has the common ones. */
export type OfferPorts = {
  /** @throws Problem `refused not_found` for a missing title or plan */
  load: (request: OfferRequest, signal: AbortSignal) => Promise<Offer>;
  /** The code that the price was shown with; empty without one. */
  code: (of: Pick<Order, 'titleId' | 'planId'>) => string;
  /** @throws Problem `refused` for a code that does not reduce the price */
  applyCode: (code: string, offer: PriceRequest, signal: AbortSignal) => Promise<PriceUpdate>;
  removeCode: (offer: PriceRequest, signal: AbortSignal) => Promise<PriceUpdate>;
  /**
   * Starts the payment without a charge; an order that costs no money is granted at once, with an
   * empty `url`.
   */
  begin: (api: Api, order: KeyedOrder, signal: AbortSignal) => Promise<PaymentSession>;
  /** Pays with a saved card. Returns the resulting state, or only the transaction. */
  payByCard: (api: Api, order: KeyedOrder & { cardId: string }) => Promise<PurchaseState | Pick<PurchaseState, 'transId'>>;
  /** The state of a payment with an unknown transaction. Read-only. */
  fetchState: (api: Api, order: OpenOrder, signal: AbortSignal) => Promise<PurchaseState>;
  /** Notifies the shop of the payment. */
  notifyPaid: () => void;
};

/** The state of a payment without a transaction. */
export const createStateWithoutTransaction = (
  status: 'none' | 'owned' | 'paid',
  { titleId = '', transId = '' } = {},
): PurchaseState => ({
  transId,
  titleId,
  status,
  intentId: null,
  url: null,
  reason: null,
});
