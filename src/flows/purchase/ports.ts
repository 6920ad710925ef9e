import {
  isGift,
  type NewPrice,
  type Offer,
  type OfferRequest,
  type PriceRequest,
} from '../../../machines/buying/purchase/offer.ts';
import { purchaseMachine } from '../../../machines/buying/purchase/purchase.ts';
import { paymentMachine } from '../../../machines/buying/payment.ts';
import type { Confirmation, OpenOrder, Order, PurchaseState } from '../../../machines/buying/payment-setup.ts';
import { taxMachine, type TaxRequest } from '../../../machines/buying/tax.ts';
import type { Card } from '../../../machines/model/buying/card.ts';
import type { GiftForm, GiftPreview } from '../../../machines/model/buying/gift.ts';
import { isFree } from '../../../machines/model/catalogue/price.ts';
import { isOutcomeUnknown } from '../../../machines/model/problem.ts';
import type { PaidFor, PaymentSession } from '../../../machines/model/buying/purchase.ts';
import type { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import type { TaxQuote } from '../../../machines/model/buying/tax.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { findStartedPayment, payStartedByCard, saveStartedPayment } from '../../client/payment/started-payments.ts';
import { createBillingAddresses } from '../../client/payment/billing-addresses.ts';
import { fetchCards } from '../../client/payment/cards.ts';
import { throwAsPriceChange } from '../../client/payment/code-refusals.ts';
import { fetchCreditBalance } from '../../client/subscription/credits.ts';
import { cartDraftId, removeGiftDraft, saveGiftDraft } from '../../client/payment/gift-draft.ts';
import { fetchOfferedMethods } from '../../client/payment/payment-methods.ts';
import { confirmPurchase, fetchReturnedStatus, fetchSessionStatus } from '../../client/payment/payment-status.ts';
import { removePendingPayments, savePendingPayment } from '../../client/payment/pending-payments.ts';
import { toFetchProblem, throwProblem } from '../../client/wire/problem.ts';
import { verifyRazorpayPayment } from '../../client/payment/razorpay.ts';
import { requireForm } from '../../client/account/start-session.ts';
import { fetchTaxAtResidence } from '../../client/payment/tax.ts';
import { fallbackIfUnsupported } from '../../client/wire/unsupported-call.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';
import { fetchGiftPreview } from './calls/gift.ts';
import { confirmSubscription } from './calls/subscription.ts';
import { createCartOffer, createTitleOffer } from './offers/for-customer.ts';
import { createGiftOffer } from './offers/gift.ts';
import { createCartGoods, createTitleGoods } from './offers/goods.ts';
import type { KeyedOrder, OfferPorts } from './offers/offer-ports.ts';
import { createSubscriptionOffer } from './offers/subscription.ts';

export const flow = (environment: AppEnvironment) => {
  const { api, address, config, scoped } = environment;
  const offers: Record<PaidFor, OfferPorts> = {
    title: createTitleOffer(environment),
    cart: createCartOffer(environment),
    gift: createGiftOffer(environment, createTitleGoods(environment)),
    cartGift: createGiftOffer(environment, createCartGoods(environment)),
    subscription: createSubscriptionOffer(environment),
  };

  const loadOffer = requestPort<Offer, OfferRequest>(async ({ input, signal }) => {
    const offer = await offers[input.of].load(input, signal);
    const { title, cart } = offer;
    const costsMoney = title === null ? (cart?.total ?? null) !== null : !isFree(title);
    return costsMoney ? { ...offer, methods: await fetchOfferedMethods(config) } : offer;
  });

  /**
   * An offer at another price is another payment; the server cancels the one that was started
   * before.
   */
  const applyCode = requestPort<NewPrice, PriceRequest & { pii: { form: RedeemForm | null } }>(async ({ input, signal }) => {
    const { code } = requireForm(input.pii.form);
    return { ...(await offers[input.of].applyCode(code, input, signal)), key: crypto.randomUUID() };
  });

  const removeCode = requestPort<NewPrice, PriceRequest>(async ({ input, signal }) => ({
    ...(await offers[input.of].removeCode(input, signal)),
    key: crypto.randomUUID(),
  }));

  type PreviewRequest = { titleId: string; titleIds: readonly string[] | null; pii: { form: GiftForm | null } };

  const preview = requestPort<{ pii: { preview: GiftPreview | null } }, PreviewRequest>(
    async ({ input: { pii, ...goods }, signal }) => {
      const form = requireForm(pii.form);
      saveGiftDraft(goods.titleIds === null ? goods.titleId : cartDraftId, form);
      return { pii: { preview: await fetchGiftPreview(await api(), { ...goods, form }, signal) } };
    },
  );

  const taxQuote = requestPort<TaxQuote, TaxRequest>(async ({ input, signal }) => {
    const { of, titleId } = input;
    return fetchTaxAtResidence(await api(), { ...input, code: offers[of].code({ titleId, planId: '' }) }, signal).catch(
      throwAsPriceChange,
    );
  });

  const toKeyedOrder = (order: Order): KeyedOrder => ({
    ...order,
    key: order.key ?? crypto.randomUUID(),
    code: offers[order.of].code(order),
  });

  /**
   * Stores a started payment, unless the server reports its state without it: for a subscription,
   * and for a title that was free or cost credits.
   */
  const rememberPayment = (order: KeyedOrder, transId: string | null): void => {
    const isKnown = order.of === 'subscription' || (order.of === 'title' && (order.free || order.credits !== null));
    if (!isKnown) savePendingPayment(order, { key: order.key, transId, code: order.code });
  };

  /** Stores the terms that the confirmation of a payment repeats, possibly on a new page. */
  const rememberTerms = ({ of: paidFor, price, code, tax }: KeyedOrder, transId: string, cardId: string | null): void => {
    if (transId !== '') saveStartedPayment({ transId, paidFor, price, code, cardId, ...(tax === null ? {} : { tax }) });
  };

  const startPayment = requestPort<PaymentSession, Order>(async ({ input, signal }) => {
    const [offer, order] = [offers[input.of], toKeyedOrder(input)];
    rememberPayment(order, null);
    const session = await offer.begin(await api(), order, signal);
    if (session.url === '') offer.notifyPaid();
    else {
      rememberPayment(order, session.transId);
      rememberTerms(order, session.transId, null);
    }
    return session;
  });

  const payByCard = requestPort<PurchaseState, Order>(async ({ input }) => {
    const [offer, order, shop] = [offers[input.of], toKeyedOrder(input), await api()];
    const { transId, cardId } = input;
    if (cardId === null) throw new Error('payByCard requires a cardId, but it is null.');
    if (transId !== null) rememberTerms(order, transId, cardId);
    const payment = await payStartedByCard(shop, transId, () => offer.payByCard(shop, { ...order, cardId }));
    // A server may start another transaction for the card.
    if (payment.transId !== transId) {
      rememberPayment(order, payment.transId);
      rememberTerms(order, payment.transId, cardId);
    }
    const state = 'status' in payment ? payment : await fetchSessionStatus(shop, payment.transId);
    if (state.status === 'paid') offer.notifyPaid();
    return state;
  });

  const confirmPayment = requestPort<null, Confirmation>(async ({ input: { of, ...confirmation } }) => {
    if (of === 'subscription') {
      const shop = await api();
      await verifyRazorpayPayment(shop, address().search);
      await confirmSubscription(shop, { subscriptionId: confirmation.transId, intentId: confirmation.intentId });
    } else await confirmPurchase(environment, confirmation);
    offers[of].notifyPaid();
    return null;
  });

  /**
   * Fetches the state of a transaction, and what it pays for, which is unknown on the page that all
   * payments return to.
   */
  const fetchTransactionState = async (order: OpenOrder, transId: string, signal: AbortSignal): Promise<PurchaseState> => {
    const state = await fetchReturnedStatus(environment, transId, signal);
    const defaultPurpose = order.of === 'title' && state.titleId === '' ? 'cart' : order.of;
    return { ...state, paidFor: findStartedPayment(transId)?.paidFor ?? defaultPurpose };
  };

  /**
   * Fetches the state of a payment, also where the server does not report it by its transaction.
   */
  const fetchPaymentState = async (order: OpenOrder, signal: AbortSignal): Promise<PurchaseState> => {
    const { of, titleId, transId, intentId } = order;
    const shop = await api();
    const fetchWithoutTransaction = () => offers[of].fetchState(shop, order, signal);
    // A free gift has its own id in place of a transaction.
    if (transId === null || transId === '' || transId === order.key) return fetchWithoutTransaction();
    if (of === 'subscription') {
      // The gateway has redirected back to this URL with an authorised payment: confirming it again
      // charges nothing more. The URL is checked, since a payment that awaits the bank's action
      // also has an intent.
      const isReturned = intentId !== null && new URLSearchParams(address().search).get('intentId') === intentId;
      if (isReturned) return { transId, titleId, status: 'authorized', intentId, url: null, reason: null };
      return fetchTransactionState(order, transId, signal).catch((error: unknown) => {
        return fallbackIfUnsupported(error, null) ?? fetchWithoutTransaction();
      });
    }
    return fetchTransactionState(order, transId, signal).catch(async (error: unknown) => {
      // A customer who owns the title has paid, although the outcome of the failed call is unknown.
      const mayBeOwned = of === 'title' && titleId !== '' && isOutcomeUnknown(toFetchProblem(error));
      const owned = mayBeOwned ? await fetchWithoutTransaction().catch(() => null) : null;
      return owned?.status === 'owned' ? owned : throwProblem(toFetchProblem(error));
    });
  };

  const paymentStatus = requestPort<PurchaseState, OpenOrder>(async ({ input, signal }) => {
    const state = await fetchPaymentState(input, signal);
    if (state.status === 'paid' || state.status === 'owned') offers[state.paidFor ?? input.of].notifyPaid();
    return state;
  });

  /**
   * Forgets the stored payment. If the storage cannot be written, the payment stays: the next offer
   * asks the server about it.
   */
  const forgetPending = safePort<null, { of: PaidFor; titleId: string; isPaid: boolean }>(
    async ({ input }) => {
      removePendingPayments(input);
      if (input.isPaid && isGift(input)) removeGiftDraft();
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
      giftPreview: preview,
      savedCards: requestPort<Card[]>(async ({ signal }) => fetchCards(await api(), signal, scoped(createBillingAddresses))),
      creditBalance: requestPort<CreditBalance>(async ({ signal }) => fetchCreditBalance(await api(), signal)),
      forgetPending,
    },
  });
};
