import { giftMachine } from '../../../machines/buying/gift.ts';
import type { GiftOffer, GiftRequest } from '../../../machines/buying/gift-context.ts';
import { taxMachine, type TaxRequest } from '../../../machines/buying/tax.ts';
import { paymentMachine, type Order, type PurchaseState } from '../../../machines/buying/payment.ts';
import { quoteCart } from '../../../machines/model/cart.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { GiftForm, GiftLetter, GivenGift } from '../../../machines/model/gift.ts';
import { isFree, priceFor } from '../../../machines/model/price.ts';
import type { PaymentSession } from '../../../machines/model/purchase.ts';
import type { CreditBalance } from '../../../machines/model/subscription.ts';
import type { TaxQuote } from '../../../machines/model/tax.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { paidByCard, rememberPayment } from '../../client/begun-payments.ts';
import { billingAddresses } from '../../client/billing-addresses.ts';
import { allCards } from '../../client/cards.ts';
import { cart } from '../../client/cart.ts';
import { cartCode } from '../../client/cart-code.ts';
import { asPriceChange } from '../../client/code-refusals.ts';
import { creditNews } from '../../client/credit-news.ts';
import { creditBalance } from '../../client/credits.ts';
import { userGifts } from '../../client/gifts.ts';
import { methodsOffered } from '../../client/payment-methods.ts';
import { giftDays } from '../../client/gift-info.ts';
import { confirmPurchase, returnedStatus, sessionStatus } from '../../client/payment-status.ts';
import {
  cartOf,
  draftOfCart,
  forgetDraft,
  forgetGift,
  giftDraft,
  keepDraft,
  pendingGift,
  rememberGift,
  shownCart,
} from '../../client/pending-gift.ts';
import { shopNow } from '../../client/shop-time.ts';
import { requireForm } from '../../client/start-session.ts';
import { taxWhereTheyLive } from '../../client/tax.ts';
import { titleById } from '../../client/title.ts';
import { cartGiftSession, freeGift, giftByCard, giftForCredits, giftLetter, giftSession } from './calls.ts';
import { raise } from '../../client/problem.ts';
import { orWhenUnknownCall, orWithoutCall } from '../../client/unknown-call.ts';
import type { World } from '../../shell/world.ts';

export const flow = (world: World) => {
  const { api, config, own, spokenLanguage } = world;

  /**
   * The gift that was begun for the same: its id, and the payment to be taken up. Where no answer came, what the customer has given
   * says whether it was given.
   */
  const begun = async (of: string, signal: AbortSignal): Promise<Pick<GiftOffer, 'key' | 'transId'>> => {
    const pending = pendingGift(of);
    if (pending === null) return { key: crypto.randomUUID(), transId: null };
    if (pending.transId !== null) return { key: pending.key, transId: pending.transId };
    // A server that lists no gifts knows a gift that is sent again by its id.
    const shop = await api();
    const gifts = await userGifts(shop, signal).catch((error: unknown) =>
      orWithoutCall<GivenGift[]>(shop, 'user/gifts', error, () => []),
    );
    const given = gifts.find(({ giftId }) => giftId === pending.key);
    return { key: pending.key, transId: given?.transId ?? null };
  };

  const cartOffer = async (countries: readonly string[], signal: AbortSignal): Promise<GiftOffer> => {
    const quote = quoteCart((await own(cartCode).read(signal)).entries, { locale: spokenLanguage(), countries });
    const { key, transId } = await begun(shownCart(quote), signal);
    return {
      title: null,
      cart: quote,
      price: quote.total,
      days: giftDays(new Date(shopNow(await api()))),
      key,
      transId,
      ...(quote.total === null ? {} : await methodsOffered(config)),
      pii: { draft: giftDraft(draftOfCart) },
    };
  };

  const giftOffer = requestPort<GiftOffer, GiftRequest>(async ({ input: { titleId, ofCart, countries }, signal }) => {
    if (ofCart) return cartOffer(countries, signal);
    const title = await titleById(await api(), titleId, signal);
    const { key, transId } = isFree(title) ? { key: crypto.randomUUID(), transId: null } : await begun(titleId, signal);
    return {
      title,
      price: priceFor(title.prices, { locale: spokenLanguage(), countries }),
      ...(title.credits === undefined ? {} : { credits: title.credits }),
      days: giftDays(new Date(shopNow(await api()))),
      key,
      transId,
      ...(isFree(title) ? {} : await methodsOffered(config)),
      pii: { draft: giftDraft(titleId) },
    };
  });

  type LetterOf = { titleId: string; titleIds?: readonly string[]; pii: { form: GiftForm | null } };

  const letter = requestPort<{ pii: { letter: GiftLetter | null } }, LetterOf>(async ({ input: { pii, ...of }, signal }) => {
    const form = requireForm(pii.form);
    keepDraft(of.titleIds === undefined ? of.titleId : draftOfCart, form);
    return { pii: { letter: await giftLetter(await api(), { ...of, form }, signal) } };
  });

  const givingOf = ({ titleId, key, gift }: Order) => ({
    titleId,
    giftId: key ?? crypto.randomUUID(),
    form: requireForm(gift?.pii.form ?? null),
  });

  const beginWithCart = async (order: Order, cardId: string | null, signal?: AbortSignal): Promise<PaymentSession> => {
    const { titleIds = [], price, method, tax } = order;
    const { giftId, form } = givingOf(order);
    const seen = { titleIds, price, cardId, method, code: own(cartCode).shown(), giftId, form, tax };
    const session = await cartGiftSession(await api(), seen, signal).catch(asPriceChange);
    const { transId } = session;
    rememberGift({ titleId: cartOf(titleIds, price), key: giftId, transId });
    rememberPayment({ transId, paidFor: 'cartGift', price, code: seen.code, cardId, ...(tax === undefined ? {} : { tax }) });
    return session;
  };

  const startPayment = requestPort<PaymentSession, Order>(async ({ input, signal }) => {
    if (input.titleIds !== undefined) return beginWithCart(input, null, signal);
    const giving = givingOf(input);
    if (input.credits !== undefined) {
      // Before it is asked for: whatever becomes of the answer, it is this gift.
      rememberGift({ titleId: giving.titleId, key: giving.giftId, transId: null });
      const { transId } = await giftForCredits(await api(), { ...giving, credits: input.credits }, signal);
      own(creditNews).tell();
      return { transId, provider: '', url: '' };
    }
    if (input.free) {
      const { transId } = await freeGift(await api(), giving, signal);
      return { transId, provider: '', url: '' };
    }
    const { price, method, tax } = input;
    const session = await giftSession(await api(), { ...giving, price, method, tax }, signal);
    const { transId } = session;
    rememberGift({ titleId: giving.titleId, key: giving.giftId, transId });
    rememberPayment({ transId, paidFor: 'gift', price, code: '', cardId: null, ...(tax === undefined ? {} : { tax }) });
    return session;
  });

  /** The card authorises the payment of a cart; what that has led to is asked for, and confirming it charges. */
  const payByCard = requestPort<PurchaseState, Order>(async ({ input }) => {
    const { titleIds, price, tax, cardId } = input;
    if (titleIds === undefined) {
      const shop = await api();
      const giving = { ...givingOf(input), price, tax, cardId: cardId ?? '' };
      const state = await paidByCard(shop, input.transId, () => giftByCard(shop, giving));
      const shown = { price, code: '', cardId, ...(tax === undefined ? {} : { tax }) };
      rememberPayment({ transId: state.transId, paidFor: 'gift', ...shown });
      return state;
    }
    const { transId } = await paidByCard(await api(), input.transId, () => beginWithCart(input, cardId));
    return sessionStatus(await api(), transId);
  });

  /** A code is taken off a cart, not off a title that is given. */
  const taxQuote = requestPort<TaxQuote, TaxRequest>(async ({ input, signal }) => {
    const code = input.titleId === '' ? own(cartCode).shown() : '';
    return taxWhereTheyLive(await api(), { ...input, code }, signal).catch(asPriceChange);
  });

  const confirmPayment = requestPort<null, { transId: string; intentId: string }>(async ({ input }) => {
    await confirmPurchase(world, input);
    // What was given out of the cart is in it no more.
    own(cart).tellChanged();
    return null;
  });

  /** Without a transaction the gifts that the customer has given tell: the answer of one for nothing, or for credits, may have been lost. */
  const paymentStatus = requestPort<PurchaseState, Order>(async ({ input: { transId, titleId, key }, signal }) => {
    if (transId !== null && transId !== key) {
      const state = await returnedStatus(world, transId, signal);
      if (state.status === 'paid') own(cart).tellChanged();
      return state;
    }
    const gifts = await userGifts(await api(), signal).catch((error: unknown) => orWhenUnknownCall(error, null));
    // Without the list the page cannot tell whether the gift went out, and sends it no second time.
    if (gifts === null) return raise({ kind: 'refused', code: 'payment_unknown', message: '' });
    const given = gifts.find(({ giftId }) => giftId === key);
    if (given !== undefined) own(creditNews).tell();
    const status = given === undefined ? 'none' : 'paid';
    return { transId: given?.transId ?? '', titleId, status, intentId: null, url: null, reason: null };
  });

  /** A storage that cannot be written keeps the payment: the next offer asks the server about it. */
  const forgetPending = safePort<null, { isSent: boolean }>(
    async ({ input }) => {
      forgetGift();
      if (input.isSent) forgetDraft();
      return null;
    },
    () => null,
  );

  return giftMachine.provide({
    actors: {
      payment: paymentMachine.provide({ actors: { startPayment, payByCard, confirmPayment, paymentStatus } }),
      tax: taxMachine.provide({ actors: { taxQuote } }),
      giftOffer,
      creditBalance: requestPort<CreditBalance>(async ({ signal }) => creditBalance(await api(), signal)),
      keptCards: requestPort<Card[]>(async ({ signal }) => allCards(await api(), signal, own(billingAddresses))),
      giftLetter: letter,
      forgetPending,
    },
  });
};
