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
 * The started payment of these goods. A payment without their current code is cancelled by the next
 * one that starts.
 */
export const findStartedBefore = (request: OfferRequest, quoted: GoodsQuote, code: string) => {
  const pending = findPendingPayment(toPendingGoods(request, quoted));
  return code === '' || pending?.code === code ? pending : null;
};

/** The goods, for the customer or as a gift: the payment of a gift has `giftInfo`. */
export type GoodsPorts = Pick<OfferPorts, 'code' | 'applyCode' | 'removeCode'> & {
  quote: (request: OfferRequest, signal: AbortSignal) => Promise<GoodsQuote>;
  begin: (order: KeyedOrder, sent: GiftParameters, signal: AbortSignal) => ReturnType<OfferPorts['begin']>;
  payByCard: (order: KeyedOrder & { cardId: string }, sent: GiftParameters) => ReturnType<OfferPorts['payByCard']>;
};

/** The idempotency data of a call: its key, or for a gift the gift's id. */
type GiftParameters = { key: string | null; giftInfo: string | undefined };

/** One title. */
export const createTitleGoods = ({ api, scoped, spokenLanguage }: AppEnvironment): GoodsPorts => {
  /** The code that a title's price was shown with, by title id; empty without one. */
  const codes = new Map<string, string>();

  /** The title at prices reduced by a code. */
  const pricedAt = (prices: readonly Price[], { titleId, countries }: OfferRequest, code: string) => {
    codes.set(titleId, code);
    return { price: choosePrice(prices, { locale: spokenLanguage(), countries }), isReduced: code !== '' };
  };
  const repriced = (...priced: Parameters<typeof pricedAt>): PriceUpdate => ({ cart: null, plan: null, ...pricedAt(...priced) });

  return {
    quote: async (request, signal) => {
      const { titleId } = request;
      const title = await fetchTitle(await api(), titleId, signal);
      const discount = isFree(title) ? null : await findDiscount(await api(), { titleId, prices: title.prices }, signal);
      const priced = pricedAt(discount?.prices ?? title.prices, request, discount?.code ?? '');
      return { title, cart: null, credits: title.credits ?? null, ...priced };
    },
    code: ({ titleId }) => codes.get(titleId) ?? '',
    applyCode: async (code, offer, signal) => repriced(await applyCode(await api(), { ...offer, code }, signal), offer, code),
    removeCode: async (offer) => {
      removeCode();
      return repriced(offer.prices, offer, '');
    },
    begin: async (order, sent, signal) => startTitlePayment(await api(), { ...order, ...sent }, signal).catch(throwAsPriceChange),
    payByCard: async (order, sent) => {
      const country = scoped(createBillingAddresses).get(order.cardId)?.cardCountry;
      return buyTitleByCard(await api(), { ...order, ...sent, country }).catch(throwAsPriceChange);
    },
  };
};

/** The whole cart. */
export const createCartGoods = ({ api, scoped, spokenLanguage }: AppEnvironment): GoodsPorts => {
  const quoted = (entries: CartEntry[], { countries }: OfferRequest) => {
    const cart = quoteCart(entries, { locale: spokenLanguage(), countries });
    return { cart, price: cart.total, isReduced: cart.off !== undefined };
  };

  /** A saved card authorises the payment, and its confirmation charges it. */
  const session = async (order: KeyedOrder, cardId: string | null, sent: GiftParameters, signal?: AbortSignal) =>
    startCartPayment(await api(), { ...order, ...sent, titleIds: order.titleIds ?? [], cardId }, signal).catch(
      throwAsPriceChange,
    );

  return {
    quote: async (request, signal) => {
      const { entries } = await scoped(cartCode).read(signal);
      return { title: null, credits: null, ...quoted(entries, request) };
    },
    code: () => scoped(cartCode).getShownCode(),
    applyCode: async (code, offer, signal) => ({ plan: null, ...quoted(await scoped(cartCode).apply(code, signal), offer) }),
    removeCode: async (offer, signal) => ({ plan: null, ...quoted(await scoped(cartCode).remove(signal), offer) }),
    begin: (order, sent, signal) => session(order, null, sent, signal),
    payByCard: async (order, sent) => ({ transId: (await session(order, order.cardId, sent)).transId }),
  };
};
