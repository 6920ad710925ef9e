import { isGift, type NewPrice, type Offer, type OfferRequest, type Repricing } from '../../../machines/buying/purchase/offer.ts';
import { purchaseMachine } from '../../../machines/buying/purchase/purchase.ts';
import { paymentMachine } from '../../../machines/buying/payment.ts';
import type { Confirmation, OpenOrder, Order, PurchaseState } from '../../../machines/buying/payment-setup.ts';
import { taxMachine, type TaxRequest } from '../../../machines/buying/tax.ts';
import type { Card } from '../../../machines/model/buying/card.ts';
import type { GiftForm, GiftLetter } from '../../../machines/model/buying/gift.ts';
import { isFree } from '../../../machines/model/catalogue/price.ts';
import { mayHaveHappened } from '../../../machines/model/problem.ts';
import type { PaidFor, PaymentSession } from '../../../machines/model/buying/purchase.ts';
import type { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import type { TaxQuote } from '../../../machines/model/buying/tax.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { begunPayment, paidByCard, rememberPayment } from '../../client/payment/begun-payments.ts';
import { billingAddresses } from '../../client/payment/billing-addresses.ts';
import { allCards } from '../../client/payment/cards.ts';
import { asPriceChange } from '../../client/payment/code-refusals.ts';
import { creditBalance } from '../../client/subscription/credits.ts';
import { draftOfCart, forgetDraft, keepDraft } from '../../client/payment/gift-draft.ts';
import { methodsOffered } from '../../client/payment/payment-methods.ts';
import { confirmPurchase, returnedStatus, sessionStatus } from '../../client/payment/payment-status.ts';
import { forgetPending, rememberPending } from '../../client/payment/pending-payments.ts';
import { problemOfFailure, raise } from '../../client/wire/problem.ts';
import { verifyPayment } from '../../client/payment/razorpay.ts';
import { requireForm } from '../../client/account/start-session.ts';
import { taxWhereTheyLive } from '../../client/payment/tax.ts';
import { orWhenUnknownCall } from '../../client/wire/unknown-call.ts';
import type { World } from '../../shell/app/world.ts';
import { giftLetter } from './calls/gift.ts';
import { confirmSubscription } from './calls/subscription.ts';
import { cartOffer, titleOffer } from './offers/for-customer.ts';
import { giftOffer } from './offers/gift.ts';
import { cartGoods, titleGoods } from './offers/goods.ts';
import type { Keyed, OfferPorts } from './offers/offer-ports.ts';
import { subscriptionOffer } from './offers/subscription.ts';

export const flow = (world: World) => {
  const { api, address, config, own } = world;
  const offers: Record<PaidFor, OfferPorts> = {
    title: titleOffer(world),
    cart: cartOffer(world),
    gift: giftOffer(world, titleGoods(world)),
    cartGift: giftOffer(world, cartGoods(world)),
    subscription: subscriptionOffer(world),
  };

  const loadOffer = requestPort<Offer, OfferRequest>(async ({ input, signal }) => {
    const offer = await offers[input.of].load(input, signal);
    const { title, cart } = offer;
    const costsMoney = title === null ? (cart?.total ?? null) !== null : !isFree(title);
    return costsMoney ? { ...offer, methods: await methodsOffered(config) } : offer;
  });

  /**
   * An offer at another price is another payment; the server gives up the one that was begun
   * before.
   */
  const applyCode = requestPort<NewPrice, Repricing & { pii: { form: RedeemForm | null } }>(async ({ input, signal }) => {
    const { code } = requireForm(input.pii.form);
    return { ...(await offers[input.of].applyCode(code, input, signal)), key: crypto.randomUUID() };
  });

  const removeCode = requestPort<NewPrice, Repricing>(async ({ input, signal }) => ({
    ...(await offers[input.of].removeCode(input, signal)),
    key: crypto.randomUUID(),
  }));

  type LetterOf = { titleId: string; titleIds: readonly string[] | null; pii: { form: GiftForm | null } };

  const letter = requestPort<{ pii: { letter: GiftLetter | null } }, LetterOf>(async ({ input: { pii, ...of }, signal }) => {
    const form = requireForm(pii.form);
    keepDraft(of.titleIds === null ? of.titleId : draftOfCart, form);
    return { pii: { letter: await giftLetter(await api(), { ...of, form }, signal) } };
  });

  const taxQuote = requestPort<TaxQuote, TaxRequest>(async ({ input, signal }) => {
    const { of, titleId } = input;
    return taxWhereTheyLive(await api(), { ...input, code: offers[of].code({ titleId, planId: '' }) }, signal).catch(
      asPriceChange,
    );
  });

  const keyed = (order: Order): Keyed => ({
    ...order,
    key: order.key ?? crypto.randomUUID(),
    code: offers[order.of].code(order),
  });

  /**
   * The server knows which plan a customer has begun to subscribe to, and the library which title
   * was had for credits or for free.
   */
  const remember = (order: Keyed, transId: string | null): void => {
    const isKnown = order.of === 'subscription' || (order.of === 'title' && (order.free || order.credits !== null));
    if (!isKnown) rememberPending(order, { key: order.key, transId, code: order.code });
  };

  /** The terms that a confirmation repeats, perhaps on a new page. */
  const rememberTerms = ({ of: paidFor, price, code, tax }: Keyed, transId: string, cardId: string | null): void => {
    if (transId !== '') rememberPayment({ transId, paidFor, price, code, cardId, ...(tax === null ? {} : { tax }) });
  };

  const startPayment = requestPort<PaymentSession, Order>(async ({ input, signal }) => {
    const [offer, order] = [offers[input.of], keyed(input)];
    remember(order, null);
    const session = await offer.begin(await api(), order, signal);
    if (session.url === '') offer.granted();
    else {
      remember(order, session.transId);
      rememberTerms(order, session.transId, null);
    }
    return session;
  });

  const payByCard = requestPort<PurchaseState, Order>(async ({ input }) => {
    const [offer, order, shop] = [offers[input.of], keyed(input), await api()];
    const { transId, cardId } = input;
    if (cardId === null) throw new Error('no card was chosen');
    if (transId !== null) rememberTerms(order, transId, cardId);
    const paid = await paidByCard(shop, transId, () => offer.payByCard(shop, { ...order, cardId }));
    // A server may begin another transaction with the card.
    if (paid.transId !== transId) {
      remember(order, paid.transId);
      rememberTerms(order, paid.transId, cardId);
    }
    const state = 'status' in paid ? paid : await sessionStatus(shop, paid.transId);
    if (state.status === 'paid') offer.granted();
    return state;
  });

  const confirmPayment = requestPort<null, Confirmation>(async ({ input: { of, ...confirmed } }) => {
    if (of === 'subscription') {
      const shop = await api();
      await verifyPayment(shop, address().search);
      await confirmSubscription(shop, { subscriptionId: confirmed.transId, intentId: confirmed.intentId });
    } else await confirmPurchase(world, confirmed);
    offers[of].granted();
    return null;
  });

  /**
   * The state of a transaction, and its purpose: a page on which every kind of payment ends does
   * not know it.
   */
  const statusOf = async (order: OpenOrder, transId: string, signal: AbortSignal): Promise<PurchaseState> => {
    const state = await returnedStatus(world, transId, signal);
    const unknown = order.of === 'title' && state.titleId === '' ? 'cart' : order.of;
    return { ...state, paidFor: begunPayment(transId)?.paidFor ?? unknown };
  };

  /** The state of a payment, also where the server does not report it by its transaction. */
  const standing = async (order: OpenOrder, signal: AbortSignal): Promise<PurchaseState> => {
    const { of, titleId, transId, intentId } = order;
    const shop = await api();
    const withoutTransaction = () => offers[of].standing(shop, order, signal);
    // A free gift has its own id in place of a transaction.
    if (transId === null || transId === '' || transId === order.key) return withoutTransaction();
    if (of === 'subscription') {
      // The gateway has led back to this address, and has authorised it: to confirm it once more
      // charges nothing again. A bank that still asks for something has an intent, too.
      const isReturned = intentId !== null && new URLSearchParams(address().search).get('intentId') === intentId;
      if (isReturned) return { transId, titleId, status: 'authorized', intentId, url: null, reason: null };
      return statusOf(order, transId, signal).catch((error: unknown) => {
        return orWhenUnknownCall(error, null) ?? withoutTransaction();
      });
    }
    return statusOf(order, transId, signal).catch(async (error: unknown) => {
      // A customer who has the title has paid, also where the server's words are unknown.
      const isAsked = of === 'title' && titleId !== '' && mayHaveHappened(problemOfFailure(error));
      const owned = isAsked ? await withoutTransaction().catch(() => null) : null;
      return owned?.status === 'owned' ? owned : raise(problemOfFailure(error));
    });
  };

  const paymentStatus = requestPort<PurchaseState, OpenOrder>(async ({ input, signal }) => {
    const state = await standing(input, signal);
    if (state.status === 'paid' || state.status === 'owned') offers[state.paidFor ?? input.of].granted();
    return state;
  });

  /**
   * A storage that cannot be written keeps the payment: the next offer asks the server about it.
   */
  const forget = safePort<null, { of: PaidFor; titleId: string; isPaid: boolean }>(
    async ({ input }) => {
      forgetPending(input);
      if (input.isPaid && isGift(input)) forgetDraft();
      return null;
    },
    () => null,
  );

  return purchaseMachine.provide({
    actors: {
      payment: paymentMachine.provide({ actors: { startPayment, payByCard, confirmPayment, paymentStatus } }),
      tax: taxMachine.provide({ actors: { taxQuote } }),
      loadOffer,
      applyCode,
      removeCode,
      giftLetter: letter,
      keptCards: requestPort<Card[]>(async ({ signal }) => allCards(await api(), signal, own(billingAddresses))),
      creditBalance: requestPort<CreditBalance>(async ({ signal }) => creditBalance(await api(), signal)),
      forgetPending: forget,
    },
  });
};
