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
import { findResumablePayment, type GoodsPorts } from './goods.ts';
import { createStateWithoutTransaction, type KeyedOrder, type OfferPorts } from './offer-ports.ts';

/**
 * Finds the gift that was started for the same goods: its id as `key`, and the payment to resume.
 * If the payment's id is unknown, the gift is looked up in the list of the customer's gifts.
 */
const findStartedGift = async (
  shop: Api,
  pending: ReturnType<typeof findResumablePayment>,
  signal: AbortSignal,
): Promise<Pick<Offer, 'key' | 'transId'>> => {
  if (pending === null) return { key: crypto.randomUUID(), transId: null };
  if (pending.transId !== null) return { key: pending.key, transId: pending.transId };
  // A server without a list of gifts recognises a repeated gift by its id.
  const gifts = await fetchGifts(shop, signal).catch((error: unknown) =>
    fallbackIfUnavailable<GivenGift[]>(shop, 'user/gifts', error, () => []),
  );
  const listedGift = gifts.find(({ giftId }) => giftId === pending.key);
  return { key: pending.key, transId: listedGift?.transId ?? null };
};

/** Creates the ports for a gift of one title or of the whole cart; `key` is the gift's id. */
export const createGiftOffer = ({ api, scoped }: AppEnvironment, goods: GoodsPorts): OfferPorts => {
  const toGiftRequest = ({ titleId, key: giftId, gift }: KeyedOrder) => ({
    titleId,
    giftId,
    form: requireForm(gift?.pii.form ?? null),
  });
  /** The server recognises a repetition by the gift's id. */
  const toGiftParameters = (shop: Api, order: KeyedOrder) => ({
    key: null,
    giftInfo: toGiftInfoText(shop, toGiftRequest(order)),
  });

  return {
    ...goods,
    load: async (request, signal) => {
      const quote = await goods.quote(request, signal);
      const { title } = quote;
      const isFreeGift = title !== null && isFree(title);
      const shop = await api();
      const attempt = isFreeGift
        ? { key: crypto.randomUUID(), transId: null }
        : await findStartedGift(shop, findResumablePayment(request, quote, goods.code(request)), signal);
      return {
        ...noOffer,
        ...quote,
        ...attempt,
        days: getGiftDays(new Date(getShopTime(shop))),
        pii: { draft: readGiftDraft(title?.id ?? cartDraftId) },
      };
    },
    begin: async (shop, order, signal) => {
      const { credits, free } = order;
      if (credits === null && !free) return goods.begin(order, toGiftParameters(shop, order), signal);
      const giftRequest = toGiftRequest(order);
      const grantPromise =
        credits === null
          ? sendFreeGift(shop, giftRequest, signal)
          : sendGiftForCredits(shop, { ...giftRequest, credits }, signal);
      return { transId: (await grantPromise).transId, provider: '', url: '' };
    },
    payByCard: async (shop, order) => goods.payByCard(order, toGiftParameters(shop, order)),
    // The list of the customer's gifts shows whether the gift was sent: the response to a free
    // gift, or to one for credits, may have been lost.
    fetchState: async (shop, { key, titleId }, signal) => {
      const gifts = await fetchGifts(shop, signal).catch((error: unknown) => fallbackIfUnsupported(error, null));
      // Without the list it is unknown whether the gift was sent, so it is not sent again.
      if (gifts === null) return throwProblem({ kind: 'refused', code: 'payment_unknown', message: '' });
      const listedGift = gifts.find(({ giftId }) => giftId === key);
      return createStateWithoutTransaction(listedGift === undefined ? 'none' : 'paid', {
        titleId,
        transId: listedGift?.transId ?? '',
      });
    },
    notifyPaid: () => {
      // Titles that were given as a gift are no longer in the cart.
      scoped(cart).emitChanged();
      scoped(creditsChanged).emit();
    },
  };
};
