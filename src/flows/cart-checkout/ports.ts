import { cartCheckoutMachine, type CartOrder } from '../../../machines/buying/cart-checkout.ts';
import { taxMachine, type TaxRequest } from '../../../machines/buying/tax.ts';
import { paymentMachine, type Order, type PurchaseState } from '../../../machines/buying/payment.ts';
import { quoteCart } from '../../../machines/model/cart.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { PaymentSession } from '../../../machines/model/purchase.ts';
import type { TaxQuote } from '../../../machines/model/tax.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { allCards } from '../../client/cards.ts';
import { readEntries } from '../../client/cart.ts';
import { tellGranted } from '../../client/grants.ts';
import { api, asVisitor, spokenLanguage } from '../../client/open-client.ts';
import { confirmTitlePurchase, sessionStatus } from '../../client/payment-status.ts';
import { taxWhereTheyLive } from '../../client/tax.ts';
import { cartSession } from './calls.ts';
import { forgetCart, orderOf, pendingCart, pendingCartTax, rememberCart } from './pending-cart.ts';

const cartOrder = requestPort<CartOrder, { countries: readonly string[] }>(async ({ input: { countries }, signal }) => {
  const entries = await readEntries(api, asVisitor, true, signal);
  const quote = quoteCart(entries, { locale: spokenLanguage(), countries });
  const pending = pendingCart(quote);
  return { quote, key: pending?.key ?? crypto.randomUUID(), transId: pending?.transId ?? null };
});

const startPayment = requestPort<PaymentSession, Order>(async ({ input, signal }) => {
  const { titleIds = [], price, tax } = input;
  const key = input.key ?? crypto.randomUUID();
  const pending = { order: orderOf(titleIds, price), key, ...(tax === undefined ? {} : { tax }) };
  rememberCart({ ...pending, transId: null });
  const session = await cartSession(await api(), { titleIds, price, cardId: null, key, tax }, signal);
  rememberCart({ ...pending, transId: session.transId });
  return session;
});

/**
 * The started payment and the card are the idempotency key: however often it is asked, it is the same. The card authorises it;
 * what that has led to is asked for, and confirming it charges.
 */
const payByCard = requestPort<PurchaseState, Order>(async ({ input: { titleIds = [], price, transId, cardId, tax } }) => {
  const key = `card-${transId ?? ''}-${cardId ?? ''}`;
  const session = await cartSession(await api(), { titleIds, price, cardId, key, tax });
  return sessionStatus(await api(), session.transId);
});

const taxQuote = requestPort<TaxQuote, TaxRequest>(async ({ input, signal }) => taxWhereTheyLive(await api(), input, signal));

/** The authorised payment is its own idempotency key: however often it is confirmed, it is the same confirmation. */
const confirmPayment = requestPort<null, { transId: string; intentId: string }>(async ({ input }) => {
  const tax = pendingCartTax(input.transId);
  await confirmTitlePurchase(await api(), { ...input, key: `confirm-${input.transId}-${input.intentId}`, tax });
  tellGranted();
  return null;
});

/** Without a transaction nothing has been charged: a session whose answer was lost finds its payment again by its key. */
const paymentStatus = requestPort<PurchaseState, Order>(async ({ input: { transId }, signal }) => {
  if (transId === null) return { transId: '', titleId: '', status: 'none', intentId: null, url: null, reason: null };
  const state = await sessionStatus(await api(), transId, signal);
  if (state.status === 'paid') tellGranted();
  return state;
});

/** A storage that cannot be written keeps the payment: the next order asks the server about it. */
const forgetPending = safePort<null>(
  async () => {
    forgetCart();
    return null;
  },
  () => null,
);

export const flow = cartCheckoutMachine.provide({
  actors: {
    payment: paymentMachine.provide({ actors: { startPayment, payByCard, confirmPayment, paymentStatus } }),
    tax: taxMachine.provide({ actors: { taxQuote } }),
    cartOrder,
    keptCards: requestPort<Card[]>(async ({ signal }) => allCards(await api(), signal)),
    forgetPending,
  },
});
