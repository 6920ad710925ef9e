import { giftMachine, type GiftOffer, type GiftRequest } from '../../../machines/buying/gift.ts';
import { taxMachine, type TaxRequest } from '../../../machines/buying/tax.ts';
import { paymentMachine, type Order, type PurchaseState } from '../../../machines/buying/payment.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { GiftForm, GiftLetter } from '../../../machines/model/gift.ts';
import { isFree, priceFor } from '../../../machines/model/price.ts';
import type { PaymentSession } from '../../../machines/model/purchase.ts';
import type { TaxQuote } from '../../../machines/model/tax.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { allCards } from '../../client/cards.ts';
import { userGifts } from '../../client/gifts.ts';
import { api, spokenLanguage } from '../../client/open-client.ts';
import { confirmTitlePurchase, sessionStatus } from '../../client/payment-status.ts';
import { requireForm } from '../../client/start-session.ts';
import { taxWhereTheyLive } from '../../client/tax.ts';
import { titleById } from '../../client/title.ts';
import { freeGift, giftByCard, giftLetter, giftSession } from './calls.ts';
import { giftDays } from './gift-info.ts';
import { forgetDraft, forgetGift, giftDraft, keepDraft, pendingGift, pendingGiftTax, rememberGift } from './pending-gift.ts';

const giftOffer = requestPort<GiftOffer, GiftRequest>(async ({ input: { titleId, countries }, signal }) => {
  const title = await titleById(await api(), titleId, signal);
  const pending = isFree(title) ? null : pendingGift(titleId);
  return {
    title,
    price: priceFor(title.prices, { locale: spokenLanguage(), countries }),
    days: giftDays(),
    key: pending?.key ?? crypto.randomUUID(),
    transId: pending?.transId ?? null,
    pii: { draft: giftDraft(titleId) },
  };
});

const letter = requestPort<{ pii: { letter: GiftLetter } }, { titleId: string; pii: { form: GiftForm | null } }>(
  async ({ input: { titleId, pii }, signal }) => {
    const form = requireForm(pii.form);
    keepDraft(titleId, form);
    return { pii: { letter: await giftLetter(await api(), { titleId, form }, signal) } };
  },
);

const givingOf = ({ titleId, key, gift }: Order) => ({
  titleId,
  giftId: key ?? crypto.randomUUID(),
  form: requireForm(gift?.pii.form ?? null),
});

const startPayment = requestPort<PaymentSession, Order>(async ({ input, signal }) => {
  const giving = givingOf(input);
  if (input.free) {
    const { transId } = await freeGift(await api(), giving, signal);
    return { transId, provider: '', url: '' };
  }
  const session = await giftSession(await api(), { ...giving, price: input.price, tax: input.tax }, signal);
  const tax = input.tax === undefined ? {} : { tax: input.tax };
  rememberGift({ titleId: giving.titleId, key: giving.giftId, transId: session.transId, ...tax });
  return session;
});

const payByCard = requestPort<PurchaseState, Order>(async ({ input }) =>
  giftByCard(await api(), { ...givingOf(input), price: input.price, tax: input.tax, cardId: input.cardId ?? '' }),
);

const taxQuote = requestPort<TaxQuote, TaxRequest>(async ({ input, signal }) => taxWhereTheyLive(await api(), input, signal));

/** The authorised payment is its own idempotency key: however often it is confirmed, it is the same confirmation. */
const confirmPayment = requestPort<null, { transId: string; intentId: string }>(async ({ input }) => {
  const tax = pendingGiftTax(input.transId);
  await confirmTitlePurchase(await api(), { ...input, key: `confirm-${input.transId}-${input.intentId}`, tax });
  return null;
});

/** Without a transaction the gifts that the customer has given tell: the answer of a free one may have been lost. */
const paymentStatus = requestPort<PurchaseState, Order>(async ({ input: { transId, titleId, key }, signal }) => {
  if (transId !== null) return sessionStatus(await api(), transId, signal);
  const given = (await userGifts(await api(), signal)).find(({ giftId }) => giftId === key);
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

export const flow = giftMachine.provide({
  actors: {
    payment: paymentMachine.provide({ actors: { startPayment, payByCard, confirmPayment, paymentStatus } }),
    tax: taxMachine.provide({ actors: { taxQuote } }),
    giftOffer,
    keptCards: requestPort<Card[]>(async ({ signal }) => allCards(await api(), signal)),
    giftLetter: letter,
    forgetPending,
  },
});
