import { noOffer, type Offer } from '../../../../machines/buying/purchase/offer.ts';
import type { GivenGift } from '../../../../machines/model/buying/gift.ts';
import { isFree } from '../../../../machines/model/catalogue/price.ts';
import { cart } from '../../../client/cart/cart.ts';
import type { Api } from '../../../client/wire/client.ts';
import { creditNews } from '../../../client/subscription/credit-news.ts';
import { giftDays } from '../../../client/payment/gift-info.ts';
import { userGifts } from '../../../client/payment/gifts.ts';
import { draftOfCart, giftDraft } from '../../../client/payment/gift-draft.ts';
import { raise } from '../../../client/wire/problem.ts';
import { shopNow } from '../../../client/wire/shop-time.ts';
import { requireForm } from '../../../client/account/start-session.ts';
import { orWhenUnknownCall, orWithoutCall } from '../../../client/wire/unknown-call.ts';
import type { World } from '../../../shell/app/world.ts';
import { freeGift, giftForCredits, infoOf } from '../calls/gift.ts';
import { begunBefore, type Goods } from './goods.ts';
import { without, type Keyed, type OfferPorts } from './offer-ports.ts';

/**
 * The gift that was begun for the same: its id, and the payment to be taken up. Where no answer
 * came, the list of the customer's gifts says whether it was given.
 */
const begun = async (
  shop: Api,
  pending: ReturnType<typeof begunBefore>,
  signal: AbortSignal,
): Promise<Pick<Offer, 'key' | 'transId'>> => {
  if (pending === null) return { key: crypto.randomUUID(), transId: null };
  if (pending.transId !== null) return { key: pending.key, transId: pending.transId };
  // A server that lists no gifts knows a gift that is sent again by its id.
  const gifts = await userGifts(shop, signal).catch((error: unknown) =>
    orWithoutCall<GivenGift[]>(shop, 'user/gifts', error, () => []),
  );
  const given = gifts.find(({ giftId }) => giftId === pending.key);
  return { key: pending.key, transId: given?.transId ?? null };
};

/** A title, or all of the cart, for another person: `key` is the gift's own id. */
export const giftOffer = ({ api, own }: World, goods: Goods): OfferPorts => {
  const givingOf = ({ titleId, key: giftId, gift }: Keyed) => ({
    titleId,
    giftId,
    form: requireForm(gift?.pii.form ?? null),
  });
  /** The server knows a repetition by the gift's id. */
  const sent = (shop: Api, order: Keyed) => ({ key: null, giftInfo: infoOf(shop, givingOf(order)) });

  return {
    ...goods,
    load: async (request, signal) => {
      const quoted = await goods.quote(request, signal);
      const { title } = quoted;
      const isForNothing = title !== null && isFree(title);
      const shop = await api();
      const attempt = isForNothing
        ? { key: crypto.randomUUID(), transId: null }
        : await begun(shop, begunBefore(request, quoted, goods.code(request)), signal);
      return {
        ...noOffer,
        ...quoted,
        ...attempt,
        days: giftDays(new Date(shopNow(shop))),
        pii: { draft: giftDraft(title?.id ?? draftOfCart) },
      };
    },
    begin: async (shop, order, signal) => {
      const { credits, free } = order;
      if (credits === null && !free) return goods.begin(order, sent(shop, order), signal);
      const giving = givingOf(order);
      const granting = credits === null ? freeGift(shop, giving, signal) : giftForCredits(shop, { ...giving, credits }, signal);
      return { transId: (await granting).transId, provider: '', url: '' };
    },
    payByCard: async (shop, order) => goods.payByCard(order, sent(shop, order)),
    // The list of the customer's gifts decides: the answer of a free one, or of one for credits,
    // may have been lost.
    standing: async (shop, { key, titleId }, signal) => {
      const gifts = await userGifts(shop, signal).catch((error: unknown) => orWhenUnknownCall(error, null));
      // Without the list the page does not know whether the gift went out, and sends it no second
      // time.
      if (gifts === null) return raise({ kind: 'refused', code: 'payment_unknown', message: '' });
      const given = gifts.find(({ giftId }) => giftId === key);
      return without(given === undefined ? 'none' : 'paid', { titleId, transId: given?.transId ?? '' });
    },
    granted: () => {
      // The titles that were given are no longer in the cart.
      own(cart).tellChanged();
      own(creditNews).tell();
    },
  };
};
