import { noOffer, type Offer } from '../../../../machines/buying/purchase/offer.ts';
import type { GivenGift } from '../../../../machines/model/buying/gift.ts';
import { isFree } from '../../../../machines/model/catalogue/price.ts';
import { cart } from '../../../client/cart/cart.ts';
import type { Api } from '../../../client/wire/client.ts';
import { creditsChanged } from '../../../client/subscription/credits-changed.ts';
import { getGiftDays } from '../../../client/payment/gift-info.ts';
import { fetchGifts } from '../../../client/payment/gifts.ts';
import { cartDraftId, readGiftDraft } from '../../../client/payment/gift-draft.ts';
import { throwProblem } from '../../../client/wire/problem.ts';
import { getShopTime } from '../../../client/wire/shop-time.ts';
import { requireForm } from '../../../client/account/start-session.ts';
import { fallbackIfUnsupported, fallbackIfUnavailable } from '../../../client/wire/unsupported-call.ts';
import type { AppEnvironment } from '../../../shell/app/environment.ts';
import { sendFreeGift, sendGiftForCredits, toGiftInfoText } from '../calls/gift.ts';
import { findStartedBefore, type GoodsPorts } from './goods.ts';
import { stateWithoutTransaction, type KeyedOrder, type OfferPorts } from './offer-ports.ts';

/**
 * The gift that was started for the same goods: its id, and the payment to resume. Without an
 * answer, the list of the customer's gifts says whether it was sent.
 */
const findStartedGift = async (
  shop: Api,
  pending: ReturnType<typeof findStartedBefore>,
  signal: AbortSignal,
): Promise<Pick<Offer, 'key' | 'transId'>> => {
  if (pending === null) return { key: crypto.randomUUID(), transId: null };
  if (pending.transId !== null) return { key: pending.key, transId: pending.transId };
  // A server without a list of gifts recognises a repeated gift by its id.
  const gifts = await fetchGifts(shop, signal).catch((error: unknown) =>
    fallbackIfUnavailable<GivenGift[]>(shop, 'user/gifts', error, () => []),
  );
  const given = gifts.find(({ giftId }) => giftId === pending.key);
  return { key: pending.key, transId: given?.transId ?? null };
};

/** A title, or the whole cart, for another person: `key` is the gift's own id. */
export const createGiftOffer = ({ api, scoped }: AppEnvironment, goods: GoodsPorts): OfferPorts => {
  const toGiftRequest = ({ titleId, key: giftId, gift }: KeyedOrder) => ({
    titleId,
    giftId,
    form: requireForm(gift?.pii.form ?? null),
  });
  /** The server recognises a repetition by the gift's id. */
  const sent = (shop: Api, order: KeyedOrder) => ({ key: null, giftInfo: toGiftInfoText(shop, toGiftRequest(order)) });

  return {
    ...goods,
    load: async (request, signal) => {
      const quoted = await goods.quote(request, signal);
      const { title } = quoted;
      const isForNothing = title !== null && isFree(title);
      const shop = await api();
      const attempt = isForNothing
        ? { key: crypto.randomUUID(), transId: null }
        : await findStartedGift(shop, findStartedBefore(request, quoted, goods.code(request)), signal);
      return {
        ...noOffer,
        ...quoted,
        ...attempt,
        days: getGiftDays(new Date(getShopTime(shop))),
        pii: { draft: readGiftDraft(title?.id ?? cartDraftId) },
      };
    },
    begin: async (shop, order, signal) => {
      const { credits, free } = order;
      if (credits === null && !free) return goods.begin(order, sent(shop, order), signal);
      const giving = toGiftRequest(order);
      const granting =
        credits === null ? sendFreeGift(shop, giving, signal) : sendGiftForCredits(shop, { ...giving, credits }, signal);
      return { transId: (await granting).transId, provider: '', url: '' };
    },
    payByCard: async (shop, order) => goods.payByCard(order, sent(shop, order)),
    // The list of the customer's gifts decides: the answer to a free gift, or to one for credits,
    // may have been lost.
    fetchState: async (shop, { key, titleId }, signal) => {
      const gifts = await fetchGifts(shop, signal).catch((error: unknown) => fallbackIfUnsupported(error, null));
      // Without the list it is unknown whether the gift was sent, so it is not sent again.
      if (gifts === null) return throwProblem({ kind: 'refused', code: 'payment_unknown', message: '' });
      const given = gifts.find(({ giftId }) => giftId === key);
      return stateWithoutTransaction(given === undefined ? 'none' : 'paid', { titleId, transId: given?.transId ?? '' });
    },
    notifyPaid: () => {
      // The given titles are no longer in the cart.
      scoped(cart).emitChanged();
      scoped(creditsChanged).emit();
    },
  };
};
