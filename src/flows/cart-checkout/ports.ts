import { cartCheckoutMachine, type CartOrder } from '../../../machines/buying/cart-checkout.ts';
import { taxMachine, type TaxRequest } from '../../../machines/buying/tax.ts';
import { paymentMachine, type Order, type PurchaseState } from '../../../machines/buying/payment.ts';
import { quoteCart, type CartEntry } from '../../../machines/model/cart.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { PaymentSession } from '../../../machines/model/purchase.ts';
import type { RedeemForm } from '../../../machines/model/redeem.ts';
import type { TaxQuote } from '../../../machines/model/tax.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { paidByCard, rememberPayment } from '../../client/begun-payments.ts';
import { billingAddresses } from '../../client/billing-addresses.ts';
import { allCards } from '../../client/cards.ts';
import { cartCode } from '../../client/cart-code.ts';
import { asPriceChange } from '../../client/code-refusals.ts';
import { grants } from '../../client/grants.ts';
import { methodsOffered } from '../../client/payment-methods.ts';
import { confirmPurchase, returnedStatus, sessionStatus } from '../../client/payment-status.ts';
import { forgetCart, orderOf, pendingCart, rememberCart } from '../../client/pending-cart.ts';
import { cartSession } from '../../client/cart-session.ts';
import { requireForm } from '../../client/start-session.ts';
import { taxWhereTheyLive } from '../../client/tax.ts';
import type { World } from '../../shell/world.ts';

type Countries = { countries: readonly string[] };

export const flow = (world: World) => {
  const { api, config, own, spokenLanguage } = world;
  const cartOrder = requestPort<CartOrder, Countries>(async ({ input: { countries }, signal }) => {
    const quote = quoteCart((await own(cartCode).read(signal)).entries, { locale: spokenLanguage(), countries });
    const pending = pendingCart(quote);
    const methods = quote.total === null ? {} : await methodsOffered(config);
    return { quote, key: pending?.key ?? crypto.randomUUID(), transId: pending?.transId ?? null, ...methods };
  });

  /** What costs something else now is another payment; the server gives up the one that was begun before. */
  const asNew = (entries: CartEntry[], { countries }: Countries): CartOrder => ({
    quote: quoteCart(entries, { locale: spokenLanguage(), countries }),
    key: crypto.randomUUID(),
    transId: null,
  });

  const applyCode = requestPort<CartOrder, Countries & { pii: { form: RedeemForm | null } }>(async ({ input, signal }) =>
    asNew(await own(cartCode).apply(requireForm(input.pii.form).code, signal), input),
  );

  const removeCode = requestPort<CartOrder, Countries>(async ({ input, signal }) =>
    asNew(await own(cartCode).takeOff(signal), input),
  );

  const startPayment = requestPort<PaymentSession, Order>(async ({ input, signal }) => {
    const { titleIds = [], price, method, tax } = input;
    const key = input.key ?? crypto.randomUUID();
    const code = own(cartCode).shown();
    const pending = { order: orderOf(titleIds, price), key };
    rememberCart({ ...pending, transId: null });
    const seen = { titleIds, price, cardId: null, method, key, code, tax };
    const session = await cartSession(await api(), seen, signal).catch(asPriceChange);
    const { transId } = session;
    rememberCart({ ...pending, transId });
    rememberPayment({ transId, paidFor: 'cart', price, code, cardId: null, ...(tax === undefined ? {} : { tax }) });
    return session;
  });

  /**
   * The started payment and the card are the idempotency key: however often it is asked, it is the same. The card authorises it;
   * what that has led to is asked for, and confirming it charges.
   */
  const payByCard = requestPort<PurchaseState, Order>(async ({ input: { titleIds = [], price, transId, cardId, tax } }) => {
    const key = `card-${transId ?? ''}-${cardId ?? ''}`;
    const code = own(cartCode).shown();
    const seen = { titleIds, price, cardId, key, code, tax };
    const shop = await api();
    const session = await paidByCard(shop, transId, () => cartSession(shop, seen).catch(asPriceChange));
    const shown = { price, code, cardId, ...(tax === undefined ? {} : { tax }) };
    rememberPayment({ transId: session.transId, paidFor: 'cart', ...shown });
    return sessionStatus(await api(), session.transId);
  });

  const taxQuote = requestPort<TaxQuote, TaxRequest>(async ({ input, signal }) =>
    taxWhereTheyLive(await api(), { ...input, code: own(cartCode).shown() }, signal).catch(asPriceChange),
  );

  const confirmPayment = requestPort<null, { transId: string; intentId: string }>(async ({ input }) => {
    await confirmPurchase(world, input);
    own(grants).tell();
    return null;
  });

  /** Without a transaction nothing has been charged: a session whose answer was lost finds its payment again by its key. */
  const paymentStatus = requestPort<PurchaseState, Order>(async ({ input: { transId }, signal }) => {
    if (transId === null) return { transId: '', titleId: '', status: 'none', intentId: null, url: null, reason: null };
    const state = await returnedStatus(world, transId, signal);
    if (state.status === 'paid') own(grants).tell();
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

  return cartCheckoutMachine.provide({
    actors: {
      payment: paymentMachine.provide({ actors: { startPayment, payByCard, confirmPayment, paymentStatus } }),
      tax: taxMachine.provide({ actors: { taxQuote } }),
      cartOrder,
      applyCode,
      removeCode,
      keptCards: requestPort<Card[]>(async ({ signal }) => allCards(await api(), signal, own(billingAddresses))),
      forgetPending,
    },
  });
};
