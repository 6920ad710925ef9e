import { noOffer } from '../../../../machines/buying/purchase/offer.ts';
import { purchaseFreeTitle } from '../../../client/catalogue/free-title.ts';
import { ownershipChanged } from '../../../client/library/ownership-changed.ts';
import { fetchOwnCopyId } from '../../../client/library/ownership.ts';
import { removePendingPayments } from '../../../client/payment/pending-payments.ts';
import { fallbackIfMissing } from '../../../client/wire/problem.ts';
import type { AppEnvironment } from '../../../shell/app/environment.ts';
import { buyWithCredits } from '../calls/title.ts';
import { findStartedBefore, createCartGoods, createTitleGoods } from './goods.ts';
import { stateWithoutTransaction, type KeyedOrder, type OfferPorts } from './offer-ports.ts';

/**
 * For a card the key is the started payment and the card; without it a repetition would be another
 * payment.
 */
const toCardParameters = ({ transId, cardId }: KeyedOrder) => ({
  key: `card-${transId ?? ''}-${cardId ?? ''}`,
  giftInfo: undefined,
});
const toParameters = ({ key }: KeyedOrder) => ({ key, giftInfo: undefined });

/** A title for the customer's own library. */
export const createTitleOffer = (environment: AppEnvironment): OfferPorts => {
  const { api, scoped, token } = environment;
  const goods = createTitleGoods(environment);

  /** The customer's copy; null for a title that the server does not find in the library. */
  const ownCopy = async (titleId: string, signal: AbortSignal): Promise<string | null> =>
    fetchOwnCopyId(await api(), { titleId }, signal).catch((error: unknown) => fallbackIfMissing(error, null));

  return {
    ...goods,
    load: async (request, signal) => {
      const { titleId } = request;
      const [quoted, instanceId] = await Promise.all([
        goods.quote(request, signal),
        token() === null ? null : ownCopy(titleId, signal),
      ]);
      if (instanceId !== null) removePendingPayments(request);
      const pending = findStartedBefore(request, quoted, goods.code(request));
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
      if (credits === null && !free) return goods.begin(order, toParameters(order), signal);
      const granting =
        credits === null
          ? purchaseFreeTitle(shop, { titleId, key }, signal)
          : buyWithCredits(shop, { titleId, credits, key }, signal);
      return { transId: (await granting).transId, provider: '', url: '' };
    },
    payByCard: (_, order) => goods.payByCard(order, toCardParameters(order)),
    // The library decides: a session with a lost answer has charged nothing, and its key is used
    // again.
    fetchState: async (_, { titleId }, signal) => {
      const instanceId = titleId === '' ? null : await fetchOwnCopyId(await api(), { titleId }, signal);
      return stateWithoutTransaction(instanceId === null ? 'none' : 'owned', { titleId });
    },
    notifyPaid: () => scoped(ownershipChanged).emit(),
  };
};

/** The cart for the customer's own library. */
export const createCartOffer = (environment: AppEnvironment): OfferPorts => {
  const goods = createCartGoods(environment);
  return {
    ...goods,
    load: async (request, signal) => {
      const quoted = await goods.quote(request, signal);
      const pending = findStartedBefore(request, quoted, goods.code(request));
      return { ...noOffer, ...quoted, key: pending?.key ?? crypto.randomUUID(), transId: pending?.transId ?? null };
    },
    begin: (_, order, signal) => goods.begin(order, toParameters(order), signal),
    payByCard: (_, order) => goods.payByCard(order, toCardParameters(order)),
    // Nothing has been charged: after a lost answer, the key finds the session's payment again.
    fetchState: async () => stateWithoutTransaction('none'),
    notifyPaid: () => environment.scoped(ownershipChanged).emit(),
  };
};
