import type { Offer, OfferRequest } from '../../../../machines/buying/purchase/offer.ts';
import { getPayableIds, quoteCart, type CartEntry } from '../../../../machines/model/buying/cart.ts';
import { isFree, choosePrice } from '../../../../machines/model/catalogue/price.ts';
import type { Price } from '../../../../machines/model/catalogue/title.ts';
import { createBillingAddresses } from '../../../client/payment/billing-addresses.ts';
import { cartCode } from '../../../client/cart/cart-code.ts';
import { fetchTitle } from '../../../client/catalogue/title.ts';
import type { AppEnvironment } from '../../../shell/app/environment.ts';
import { startCartPayment } from '../calls/cart.ts';
import { startTitlePayment, buyTitleByCard } from '../calls/title.ts';
import { throwAsPriceChange } from '../../../client/payment/code-refusals.ts';
import { findPendingPayment } from '../../../client/payment/pending-payments.ts';
import { applyCode, findDiscount, removeCode } from './discount.ts';
import type { KeyedOrder, OfferPorts, PriceUpdate } from './offer-ports.ts';

/** The part of an offer that is the same for own purchases and gifts. */
export type GoodsQuote = Pick<Offer, 'title' | 'cart' | 'price' | 'credits' | 'isReduced'>;

/** The goods of an order, by which a pending payment is stored. */
const toPendingGoods = (request: OfferRequest, { cart, price }: GoodsQuote) => ({
  ...request,
  titleIds: cart === null ? null : getPayableIds(cart),
  price,
});

/**
 * Finds the started payment of these goods; null without one. If the price was shown with a code, a
 * payment with another code is not resumed: the server cancels it when the next one starts.
 */
export const findResumablePayment = (request: OfferRequest, quote: GoodsQuote, code: string) => {
  const pending = findPendingPayment(toPendingGoods(request, quote));
  return code === '' || pending?.code === code ? pending : null;
};

/** The ports that depend on the goods only, for the customer's own purchases and for gifts. */
export type GoodsPorts = Pick<OfferPorts, 'code' | 'applyCode' | 'removeCode'> & {
  quote: (request: OfferRequest, signal: AbortSignal) => Promise<GoodsQuote>;
  begin: (order: KeyedOrder, parameters: KeyParameters, signal: AbortSignal) => ReturnType<OfferPorts['begin']>;
  payByCard: (order: KeyedOrder & { cardId: string }, parameters: KeyParameters) => ReturnType<OfferPorts['payByCard']>;
};

/**
 * The idempotency data of a call: its `key`, or for a gift `giftInfo`, which contains the gift's
 * id.
 */
type KeyParameters = { key: string | null; giftInfo: string | undefined };

/** Creates the ports for one title. */
export const createTitleGoods = ({ api, scoped, spokenLanguage }: AppEnvironment): GoodsPorts => {
  /** The code that a title's price was shown with, by title id; empty without one. */
  const codes = new Map<string, string>();

  /** Chooses the price that the customer pays, and stores the code that reduced it, if any. */
  const choosePriceWithCode = (prices: readonly Price[], { titleId, countries }: OfferRequest, code: string) => {
    codes.set(titleId, code);
    return { price: choosePrice(prices, { locale: spokenLanguage(), countries }), isReduced: code !== '' };
  };
  const toPriceUpdate = (...args: Parameters<typeof choosePriceWithCode>): PriceUpdate => ({
    cart: null,
    plan: null,
    ...choosePriceWithCode(...args),
  });

  return {
    quote: async (request, signal) => {
      const { titleId } = request;
      const title = await fetchTitle(await api(), titleId, signal);
      const discount = isFree(title) ? null : await findDiscount(await api(), { titleId, prices: title.prices }, signal);
      const chosenPrice = choosePriceWithCode(discount?.prices ?? title.prices, request, discount?.code ?? '');
      return { title, cart: null, credits: title.credits ?? null, ...chosenPrice };
    },
    code: ({ titleId }) => codes.get(titleId) ?? '',
    applyCode: async (code, offer, signal) =>
      toPriceUpdate(await applyCode(await api(), { ...offer, code }, signal), offer, code),
    removeCode: async (offer) => {
      removeCode();
      return toPriceUpdate(offer.prices, offer, '');
    },
    begin: async (order, parameters, signal) =>
      startTitlePayment(await api(), { ...order, ...parameters }, signal).catch(throwAsPriceChange),
    payByCard: async (order, parameters) => {
      const country = scoped(createBillingAddresses).get(order.cardId)?.cardCountry;
      return buyTitleByCard(await api(), { ...order, ...parameters, country }).catch(throwAsPriceChange);
    },
  };
};

/** Creates the ports for the whole cart. */
export const createCartGoods = ({ api, scoped, spokenLanguage }: AppEnvironment): GoodsPorts => {
  const quoteEntries = (entries: CartEntry[], { countries }: OfferRequest) => {
    const cart = quoteCart(entries, { locale: spokenLanguage(), countries });
    return { cart, price: cart.total, isReduced: cart.off !== undefined };
  };

  /**
   * Starts the payment. With a saved card, this authorises the payment, and its confirmation
   * charges it.
   */
  const startSession = async (order: KeyedOrder, cardId: string | null, parameters: KeyParameters, signal?: AbortSignal) =>
    startCartPayment(await api(), { ...order, ...parameters, titleIds: order.titleIds ?? [], cardId }, signal).catch(
      throwAsPriceChange,
    );

  return {
    quote: async (request, signal) => {
      const { entries } = await scoped(cartCode).read(signal);
      return { title: null, credits: null, ...quoteEntries(entries, request) };
    },
    code: () => scoped(cartCode).getShownCode(),
    applyCode: async (code, offer, signal) => ({
      plan: null,
      ...quoteEntries(await scoped(cartCode).apply(code, signal), offer),
    }),
    removeCode: async (offer, signal) => ({ plan: null, ...quoteEntries(await scoped(cartCode).remove(signal), offer) }),
    begin: (order, parameters, signal) => startSession(order, null, parameters, signal),
    payByCard: async (order, parameters) => ({ transId: (await startSession(order, order.cardId, parameters)).transId }),
  };
};
