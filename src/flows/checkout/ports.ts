import { checkoutMachine, type Quote, type QuoteRequest } from '../../../machines/buying/checkout.ts';
import { isFree, priceFor } from '../../../machines/model/price.ts';
import type { PaymentSession } from '../../../machines/model/purchase.ts';
import { paymentMachine, type Order, type PurchaseState } from '../../../machines/buying/payment.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { buyWithCredits, paymentSession, purchaseTitle } from './calls.ts';
import { allCards } from '../../client/cards.ts';
import { creditBalance } from '../../client/credits.ts';
import type { CreditBalance } from '../../../machines/model/subscription.ts';
import type { Card } from '../../../machines/model/card.ts';
import { confirmTitlePurchase, sessionStatus } from '../../client/payment-status.ts';
import { purchaseFreeTitle } from '../../client/free-title.ts';
import { tellGranted } from '../../client/grants.ts';
import { orWhenMissing } from '../../client/problem.ts';
import { userHasTitle } from '../../client/ownership.ts';
import { titleById } from '../../client/title.ts';
import { api, spokenLanguage } from '../../client/open-client.ts';
import { asPriceChange, discountOn } from './discount.ts';
import { forgetPurchase, pendingPurchase, rememberPurchase } from './pending-purchases.ts';
import { token } from '../../storage/session-storage.ts';

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
  const discount = isFree(title) ? null : await discountOn(await api(), titleId, signal);
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
  };
});

const startPayment = requestPort<PaymentSession, Order>(async ({ input, signal }) => {
  const { titleId, price, free, credits } = input;
  const key = input.key ?? crypto.randomUUID();
  if (credits !== undefined) {
    const { transId } = await buyWithCredits(await api(), { titleId, credits, key }, signal);
    tellGranted();
    return { transId, provider: '', url: '' };
  }
  if (free) {
    const { transId } = await purchaseFreeTitle(await api(), { titleId, key }, signal);
    tellGranted();
    return { transId, provider: '', url: '' };
  }
  const code = codes.get(titleId) ?? '';
  rememberPurchase({ titleId, key, transId: null, code });
  const session = await paymentSession(await api(), { titleId, price, key, code }, signal).catch(asPriceChange);
  rememberPurchase({ titleId, key, transId: session.transId, code });
  return session;
});

const balance = requestPort<CreditBalance>(async ({ signal }) => creditBalance(await api(), signal));

const keptCards = requestPort<Card[]>(async ({ signal }) => allCards(await api(), signal));

/** The started payment and the card are the idempotency key: however often it is asked, it is the same charge. */
const payByCard = requestPort<PurchaseState, Order>(async ({ input: { titleId, price, transId, cardId } }) => {
  const key = `card-${transId ?? ''}-${cardId ?? ''}`;
  const purchase = { titleId, cardId: cardId ?? '', price, key, code: codes.get(titleId) ?? '' };
  const state = await purchaseTitle(await api(), purchase).catch(asPriceChange);
  if (state.status === 'paid') tellGranted();
  return state;
});

/** The authorised payment is its own idempotency key: however often it is confirmed, it is the same confirmation. */
const confirmPayment = requestPort<null, { transId: string; intentId: string }>(async ({ input }) => {
  await confirmTitlePurchase(await api(), { ...input, key: `confirm-${input.transId}-${input.intentId}` });
  tellGranted();
  return null;
});

/** Without a transaction only owning the title can tell: a session whose answer was lost charged nothing, and its key is used again. */
const paymentStatus = requestPort<PurchaseState, Order>(async ({ input: { titleId, transId }, signal }) => {
  if (transId !== null) {
    const state = await sessionStatus(await api(), transId, signal);
    if (state.status === 'paid') tellGranted();
    return state;
  }
  const instanceId = await userHasTitle(await api(), { titleId }, signal);
  const status = instanceId === null ? 'none' : 'owned';
  if (status === 'owned') tellGranted();
  return { transId: '', titleId, status, intentId: null, url: null, reason: null };
});

/** A storage that cannot be written keeps the purchase: the next quote asks the server about it. */
const forgetPending = safePort<null, { titleId: string }>(
  async ({ input }) => {
    forgetPurchase(input.titleId);
    return null;
  },
  () => null,
);

export const flow = checkoutMachine.provide({
  actors: {
    payment: paymentMachine.provide({ actors: { startPayment, payByCard, confirmPayment, paymentStatus } }),
    quote,
    keptCards,
    creditBalance: balance,
    forgetPending,
  },
});
