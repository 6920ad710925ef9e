import { checkoutMachine, type NewPrice, type Quote, type QuoteRequest } from '../../../machines/buying/checkout.ts';
import { taxMachine, type TaxRequest } from '../../../machines/buying/tax.ts';
import { isFree, priceFor } from '../../../machines/model/price.ts';
import { mayHaveHappened } from '../../../machines/model/problem.ts';
import type { PaidFor, PaymentSession } from '../../../machines/model/purchase.ts';
import type { RedeemForm } from '../../../machines/model/redeem.ts';
import type { TaxQuote } from '../../../machines/model/tax.ts';
import type { Price } from '../../../machines/model/title.ts';
import { paymentMachine, type Order, type PurchaseState } from '../../../machines/buying/payment.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { buyWithCredits, paymentSession, purchaseTitle } from './calls.ts';
import { begunPayment, paidByCard, rememberPayment } from '../../client/begun-payments.ts';
import { billingAddresses } from '../../client/billing-addresses.ts';
import { allCards } from '../../client/cards.ts';
import { asPriceChange } from '../../client/code-refusals.ts';
import { creditBalance } from '../../client/credits.ts';
import type { CreditBalance } from '../../../machines/model/subscription.ts';
import type { Card } from '../../../machines/model/card.ts';
import { methodsOffered } from '../../client/payment-methods.ts';
import { confirmPurchase, returnedStatus } from '../../client/payment-status.ts';
import { forgetCart } from '../../client/pending-cart.ts';
import { forgetDraft, forgetGift } from '../../client/pending-gift.ts';
import { forgetPurchase, pendingPurchase, rememberPurchase } from '../../client/pending-purchases.ts';
import { purchaseFreeTitle } from '../../client/free-title.ts';
import { grants } from '../../client/grants.ts';
import { orWhenMissing, problemOfFailure, raise } from '../../client/problem.ts';
import { userHasTitle } from '../../client/ownership.ts';
import { titleById } from '../../client/title.ts';
import { requireForm } from '../../client/start-session.ts';
import { taxWhereTheyLive } from '../../client/tax.ts';
import { applyCode, discountOn, removeCode } from './discount.ts';
import type { World } from '../../shell/world.ts';

const ownedState = (titleId: string): PurchaseState => ({
  transId: '',
  titleId,
  status: 'owned',
  intentId: null,
  url: null,
  reason: null,
});

export const flow = (world: World) => {
  const { api, config, own, spokenLanguage, token } = world;
  /** The customer's copy; a title that the server does not find in the library is none of theirs. */
  const ownCopy = async (titleId: string, signal: AbortSignal): Promise<string | null> =>
    userHasTitle(await api(), { titleId }, signal).catch((error: unknown) => orWhenMissing(error, null));

  /** The code with which the price of a title was shown; empty where it was shown without one. */
  const codes = new Map<string, string>();

  const quote = requestPort<Quote, QuoteRequest>(async ({ input: { titleId, countries }, signal }) => {
    const [title, instanceId] = await Promise.all([
      titleById(await api(), titleId, signal),
      token() === null ? null : ownCopy(titleId, signal),
    ]);
    if (instanceId !== null) forgetPurchase(titleId);
    const discount = isFree(title) ? null : await discountOn(await api(), { titleId, prices: title.prices }, signal);
    const code = discount?.code ?? '';
    codes.set(titleId, code);
    const begun = pendingPurchase(titleId);
    // What was begun at another price is given up by what is begun now.
    const pending = code === '' || begun?.code === code ? begun : null;
    return {
      title,
      price: priceFor(discount?.prices ?? title.prices, { locale: spokenLanguage(), countries }),
      instanceId,
      key: pending?.key ?? crypto.randomUUID(),
      transId: pending?.transId ?? null,
      ...(title.credits === undefined ? {} : { credits: title.credits }),
      ...(discount === null ? {} : { isReduced: true }),
      ...(isFree(title) ? {} : await methodsOffered(config)),
    };
  });

  type Repricing = { titleId: string; prices: readonly Price[]; countries: readonly string[] };

  /** What was begun at another price is given up by what is begun now. */
  const newPrice = (prices: readonly Price[], { titleId, countries }: Repricing, code: string): NewPrice => {
    codes.set(titleId, code);
    return { price: priceFor(prices, { locale: spokenLanguage(), countries }), key: crypto.randomUUID() };
  };

  const apply = requestPort<NewPrice, Repricing & { pii: { form: RedeemForm | null } }>(async ({ input, signal }) => {
    const { code } = requireForm(input.pii.form);
    return newPrice(await applyCode(await api(), { ...input, code }, signal), input, code);
  });

  const remove = safePort<NewPrice, Repricing>(
    async ({ input }) => {
      removeCode();
      return newPrice(input.prices, input, '');
    },
    () => ({ price: null, key: crypto.randomUUID() }),
  );

  const taxQuote = requestPort<TaxQuote, TaxRequest>(async ({ input, signal }) =>
    taxWhereTheyLive(await api(), { ...input, code: codes.get(input.titleId) ?? '' }, signal).catch(asPriceChange),
  );

  const startPayment = requestPort<PaymentSession, Order>(async ({ input, signal }) => {
    const { titleId, price, free, credits, tax, method } = input;
    const key = input.key ?? crypto.randomUUID();
    if (credits !== undefined) {
      const { transId } = await buyWithCredits(await api(), { titleId, credits, key }, signal);
      own(grants).tell();
      return { transId, provider: '', url: '' };
    }
    if (free) {
      const { transId } = await purchaseFreeTitle(await api(), { titleId, key }, signal);
      own(grants).tell();
      return { transId, provider: '', url: '' };
    }
    const code = codes.get(titleId) ?? '';
    const pending = { titleId, key, code };
    rememberPurchase({ ...pending, transId: null });
    const session = await paymentSession(await api(), { titleId, price, key, code, tax, method }, signal).catch(asPriceChange);
    const { transId } = session;
    rememberPurchase({ ...pending, transId });
    rememberPayment({ transId, paidFor: 'title', price, code, cardId: null, ...(tax === undefined ? {} : { tax }) });
    return session;
  });

  const balance = requestPort<CreditBalance>(async ({ signal }) => creditBalance(await api(), signal));

  const keptCards = requestPort<Card[]>(async ({ signal }) => allCards(await api(), signal, own(billingAddresses)));

  /** The started payment and the card are the idempotency key: however often it is asked, it is the same charge. */
  const payByCard = requestPort<PurchaseState, Order>(async ({ input: { titleId, price, transId, cardId, tax } }) => {
    const key = `card-${transId ?? ''}-${cardId ?? ''}`;
    const code = codes.get(titleId) ?? '';
    const shown = { paidFor: 'title' as const, price, code, cardId, ...(tax === undefined ? {} : { tax }) };
    if (transId !== null) rememberPayment({ ...shown, transId });
    const country = own(billingAddresses).get(cardId ?? '')?.cardCountry;
    const purchase = { titleId, cardId: cardId ?? '', price, key, code, tax, country };
    const shop = await api();
    const state = await paidByCard(shop, transId, () => purchaseTitle(shop, purchase).catch(asPriceChange));
    // A server may begin another transaction with the card.
    if (state.transId !== transId) rememberPayment({ ...shown, transId: state.transId });
    if (state.status === 'paid') own(grants).tell();
    return state;
  });

  const confirmPayment = requestPort<null, { transId: string; intentId: string }>(async ({ input }) => {
    await confirmPurchase(world, input);
    own(grants).tell();
    return null;
  });

  /** Without a transaction only owning the title can tell: a session whose answer was lost charged nothing, and its key is used again. */
  const paymentStatus = requestPort<PurchaseState, Order>(async ({ input: { titleId, transId }, signal }) => {
    if (transId !== null) {
      const state = await returnedStatus(world, transId, signal).catch(async (error: unknown) => {
        // A customer who has the title has paid, also where the server's words are unknown.
        const isAsked = titleId !== '' && mayHaveHappened(problemOfFailure(error));
        const owned = isAsked ? await ownCopy(titleId, signal).catch(() => null) : null;
        return owned === null ? raise(problemOfFailure(error)) : ownedState(titleId);
      });
      if (state.status === 'paid') own(grants).tell();
      return { ...state, paidFor: begunPayment(transId)?.paidFor ?? (state.titleId === '' ? 'cart' : 'title') };
    }
    const instanceId = await userHasTitle(await api(), { titleId }, signal);
    if (instanceId !== null) own(grants).tell();
    return instanceId === null ? { ...ownedState(titleId), status: 'none' } : ownedState(titleId);
  });

  /** A storage that cannot be written keeps the purchase: the next quote asks the server about it. */
  const forgetPending = safePort<null, { titleId: string; paidFor: PaidFor; isPaid: boolean }>(
    async ({ input: { titleId, paidFor, isPaid } }) => {
      if (paidFor === 'title') forgetPurchase(titleId);
      if (paidFor === 'cart') forgetCart();
      if (paidFor === 'gift' || paidFor === 'cartGift') {
        forgetGift();
        if (isPaid) forgetDraft();
      }
      return null;
    },
    () => null,
  );

  return checkoutMachine.provide({
    actors: {
      payment: paymentMachine.provide({ actors: { startPayment, payByCard, confirmPayment, paymentStatus } }),
      tax: taxMachine.provide({ actors: { taxQuote } }),
      applyCode: apply,
      removeCode: remove,
      quote,
      keptCards,
      creditBalance: balance,
      forgetPending,
    },
  });
};
