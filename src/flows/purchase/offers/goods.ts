import type { Offer, OfferRequest } from '../../../../machines/buying/purchase/offer.ts';
import { payableIds, quoteCart, type CartEntry } from '../../../../machines/model/buying/cart.ts';
import { isFree, priceFor } from '../../../../machines/model/catalogue/price.ts';
import type { Price } from '../../../../machines/model/catalogue/title.ts';
import { billingAddresses } from '../../../client/payment/billing-addresses.ts';
import { cartCode } from '../../../client/cart/cart-code.ts';
import { titleById } from '../../../client/catalogue/title.ts';
import type { World } from '../../../shell/app/world.ts';
import { cartSession } from '../calls/cart.ts';
import { paymentSession, purchaseTitle } from '../calls/title.ts';
import { asPriceChange } from '../../../client/payment/code-refusals.ts';
import { pendingPayment } from '../../../client/payment/pending-payments.ts';
import { applyCode, discountOn, removeCode } from './discount.ts';
import type { Keyed, OfferPorts, Repriced } from './offer-ports.ts';

/** The part of an offer that is the same for the customer and for a gift. */
export type Quoted = Pick<Offer, 'title' | 'cart' | 'price' | 'credits' | 'isReduced'>;

/** The goods of an order, under which a pending payment is kept. */
const goodsIn = (request: OfferRequest, { cart, price }: Quoted) => ({
  ...request,
  titleIds: cart === null ? null : payableIds(cart),
  price,
});

/**
 * The payment that was begun for these goods. A payment without the code that they have now is
 * given up by the one that begins next.
 */
export const begunBefore = (request: OfferRequest, quoted: Quoted, code: string) => {
  const pending = pendingPayment(goodsIn(request, quoted));
  return code === '' || pending?.code === code ? pending : null;
};

/** The goods, for the customer or as a gift: the payment of a gift carries `giftInfo`. */
export type Goods = Pick<OfferPorts, 'code' | 'applyCode' | 'removeCode'> & {
  quote: (request: OfferRequest, signal: AbortSignal) => Promise<Quoted>;
  begin: (order: Keyed, sent: Sent, signal: AbortSignal) => ReturnType<OfferPorts['begin']>;
  payByCard: (order: Keyed & { cardId: string }, sent: Sent) => ReturnType<OfferPorts['payByCard']>;
};

/** How a call is known that is sent again: by its key, or as a gift by the gift's own id. */
type Sent = { key: string | null; giftInfo: string | undefined };

/** One title. */
export const titleGoods = ({ api, own, spokenLanguage }: World): Goods => {
  /** The code with which the price of a title was shown; empty where it was shown without one. */
  const codes = new Map<string, string>();

  /** The title at these prices, which a code has made. */
  const pricedAt = (prices: readonly Price[], { titleId, countries }: OfferRequest, code: string) => {
    codes.set(titleId, code);
    return { price: priceFor(prices, { locale: spokenLanguage(), countries }), isReduced: code !== '' };
  };
  const repriced = (...priced: Parameters<typeof pricedAt>): Repriced => ({ cart: null, plan: null, ...pricedAt(...priced) });

  return {
    quote: async (request, signal) => {
      const { titleId } = request;
      const title = await titleById(await api(), titleId, signal);
      const discount = isFree(title) ? null : await discountOn(await api(), { titleId, prices: title.prices }, signal);
      const priced = pricedAt(discount?.prices ?? title.prices, request, discount?.code ?? '');
      return { title, cart: null, credits: title.credits ?? null, ...priced };
    },
    code: ({ titleId }) => codes.get(titleId) ?? '',
    applyCode: async (code, offer, signal) => repriced(await applyCode(await api(), { ...offer, code }, signal), offer, code),
    removeCode: async (offer) => {
      removeCode();
      return repriced(offer.prices, offer, '');
    },
    begin: async (order, sent, signal) => paymentSession(await api(), { ...order, ...sent }, signal).catch(asPriceChange),
    payByCard: async (order, sent) => {
      const country = own(billingAddresses).get(order.cardId)?.cardCountry;
      return purchaseTitle(await api(), { ...order, ...sent, country }).catch(asPriceChange);
    },
  };
};

/** All of the cart. */
export const cartGoods = ({ api, own, spokenLanguage }: World): Goods => {
  const quoted = (entries: CartEntry[], { countries }: OfferRequest) => {
    const cart = quoteCart(entries, { locale: spokenLanguage(), countries });
    return { cart, price: cart.total, isReduced: cart.off !== undefined };
  };

  /** A kept card authorises the payment, and confirming it charges. */
  const session = async (order: Keyed, cardId: string | null, sent: Sent, signal?: AbortSignal) =>
    cartSession(await api(), { ...order, ...sent, titleIds: order.titleIds ?? [], cardId }, signal).catch(asPriceChange);

  return {
    quote: async (request, signal) => {
      const { entries } = await own(cartCode).read(signal);
      return { title: null, credits: null, ...quoted(entries, request) };
    },
    code: () => own(cartCode).shown(),
    applyCode: async (code, offer, signal) => ({ plan: null, ...quoted(await own(cartCode).apply(code, signal), offer) }),
    removeCode: async (offer, signal) => ({ plan: null, ...quoted(await own(cartCode).takeOff(signal), offer) }),
    begin: (order, sent, signal) => session(order, null, sent, signal),
    payByCard: async (order, sent) => ({ transId: (await session(order, order.cardId, sent)).transId }),
  };
};
