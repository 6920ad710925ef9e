import { noOffer } from '../../../../machines/buying/purchase/offer.ts';
import { purchaseFreeTitle } from '../../../client/catalogue/free-title.ts';
import { grants } from '../../../client/library/grants.ts';
import { userHasTitle } from '../../../client/library/ownership.ts';
import { forgetPending } from '../../../client/payment/pending-payments.ts';
import { orWhenMissing } from '../../../client/wire/problem.ts';
import type { World } from '../../../shell/app/world.ts';
import { buyWithCredits } from '../calls/title.ts';
import { begunBefore, cartGoods, titleGoods } from './goods.ts';
import { without, type Keyed, type OfferPorts } from './offer-ports.ts';

/**
 * Without a key of the browser a repetition would be another payment; for a card the key is the
 * started payment and the card.
 */
const sentByCard = ({ transId, cardId }: Keyed) => ({ key: `card-${transId ?? ''}-${cardId ?? ''}`, giftInfo: undefined });
const sent = ({ key }: Keyed) => ({ key, giftInfo: undefined });

/** A title for the customer's own library. */
export const titleOffer = (world: World): OfferPorts => {
  const { api, own, token } = world;
  const goods = titleGoods(world);

  /** The customer's copy; null for a title that the server does not find in the library. */
  const ownCopy = async (titleId: string, signal: AbortSignal): Promise<string | null> =>
    userHasTitle(await api(), { titleId }, signal).catch((error: unknown) => orWhenMissing(error, null));

  return {
    ...goods,
    load: async (request, signal) => {
      const { titleId } = request;
      const [quoted, instanceId] = await Promise.all([
        goods.quote(request, signal),
        token() === null ? null : ownCopy(titleId, signal),
      ]);
      if (instanceId !== null) forgetPending(request);
      const pending = begunBefore(request, quoted, goods.code(request));
      return {
        ...noOffer,
        ...quoted,
        instanceId,
        key: pending?.key ?? crypto.randomUUID(),
        transId: pending?.transId ?? null,
      };
    },
    begin: async (shop, order, signal) => {
      const { titleId, key, credits, free } = order;
      if (credits === null && !free) return goods.begin(order, sent(order), signal);
      const granting =
        credits === null
          ? purchaseFreeTitle(shop, { titleId, key }, signal)
          : buyWithCredits(shop, { titleId, credits, key }, signal);
      return { transId: (await granting).transId, provider: '', url: '' };
    },
    payByCard: (_, order) => goods.payByCard(order, sentByCard(order)),
    // The library decides: a session whose answer was lost has made no charge, and its key is used
    // again.
    standing: async (_, { titleId }, signal) => {
      const instanceId = titleId === '' ? null : await userHasTitle(await api(), { titleId }, signal);
      return without(instanceId === null ? 'none' : 'owned', { titleId });
    },
    granted: () => own(grants).tell(),
  };
};

/** The cart for the customer's own library. */
export const cartOffer = (world: World): OfferPorts => {
  const goods = cartGoods(world);
  return {
    ...goods,
    load: async (request, signal) => {
      const quoted = await goods.quote(request, signal);
      const pending = begunBefore(request, quoted, goods.code(request));
      return { ...noOffer, ...quoted, key: pending?.key ?? crypto.randomUUID(), transId: pending?.transId ?? null };
    },
    begin: (_, order, signal) => goods.begin(order, sent(order), signal),
    payByCard: (_, order) => goods.payByCard(order, sentByCard(order)),
    // Nothing has been charged: a session whose answer was lost finds its payment again by its key.
    standing: async () => without('none'),
    granted: () => world.own(grants).tell(),
  };
};
