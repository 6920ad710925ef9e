import type { NewPrice, Offer, OfferRequest, Repricing } from '../../../../machines/buying/purchase/offer.ts';
import type { OpenOrder, Order, PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { Api } from '../../../client/wire/client.ts';

/**
 * An order with its idempotency key, and with the code with which its price was shown; the code is
 * empty without one.
 */
export type Keyed = Order & { key: string; code: string };

/** An offer with a code applied or removed; each price is an attempt of its own. */
export type Repriced = Omit<NewPrice, 'key'>;

/** The calls in which the offers differ. `ports.ts` has those that they share. */
export type OfferPorts = {
  /** @throws Problem `refused not_found` for what is not there */
  load: (request: OfferRequest, signal: AbortSignal) => Promise<Offer>;
  /** The code with which it was shown; empty without one. */
  code: (of: Pick<Order, 'titleId' | 'planId'>) => string;
  /** @throws Problem `refused` for a code that takes nothing off */
  applyCode: (code: string, offer: Repricing, signal: AbortSignal) => Promise<Repriced>;
  removeCode: (offer: Repricing, signal: AbortSignal) => Promise<Repriced>;
  /**
   * Begins the payment without a charge; an order that costs no money is granted at once, with an
   * empty `url`.
   */
  begin: (api: Api, order: Keyed, signal: AbortSignal) => Promise<PaymentSession>;
  /** Pays by a kept card: the state that this has led to, or only which transaction it is. */
  payByCard: (api: Api, order: Keyed & { cardId: string }) => Promise<PurchaseState | Pick<PurchaseState, 'transId'>>;
  /** The state of a payment whose transaction is unknown. Changes nothing. */
  standing: (api: Api, order: OpenOrder, signal: AbortSignal) => Promise<PurchaseState>;
  /** Tells the shop that it has been paid. */
  granted: () => void;
};

/** The state of a payment without a transaction. */
export const without = (status: 'none' | 'owned' | 'paid', { titleId = '', transId = '' } = {}): PurchaseState => ({
  transId,
  titleId,
  status,
  intentId: null,
  url: null,
  reason: null,
});
