import { noOffer } from '../../../../machines/buying/purchase/offer.ts';
import { purchaseFreeTitle } from '../../../client/catalogue/free-title.ts';
import { ownershipChanged } from '../../../client/library/ownership-changed.ts';
import { fetchOwnCopyId } from '../../../client/library/ownership.ts';
import { removePendingPayments } from '../../../client/payment/pending-payments.ts';
import { fallbackIfMissing } from '../../../client/wire/problem.ts';
import type { AppEnvironment } from '../../../shell/app/environment.ts';
import { buyWithCredits } from '../calls/title.ts';
import { findResumablePayment, createCartGoods, createTitleGoods } from './goods.ts';
import { createStateWithoutTransaction, type KeyedOrder, type OfferPorts } from './offer-ports.ts';

/**
 * The parameters of a payment by card. Its key names the started payment and the card, so that a
 * repetition is not another payment.
 */
const toCardParameters = ({ transId, cardId }: KeyedOrder) => ({
  key: `card-${transId ?? ''}-${cardId ?? ''}`,
  giftInfo: undefined,
});
const toParameters = ({ key }: KeyedOrder) => ({ key, giftInfo: undefined });

/** Creates the ports for a title for the customer's own library. */
export const createTitleOffer = (environment: AppEnvironment): OfferPorts => {
  const { api, scoped, token } = environment;
  const goods = createTitleGoods(environment);

  /**
   * Finds the id of the customer's copy; null for a title that the server does not find in the
   * library.
   */
  const findOwnCopy = async (titleId: string, signal: AbortSignal): Promise<string | null> =>
    fetchOwnCopyId(await api(), { titleId }, signal).catch((error: unknown) => fallbackIfMissing(error, null));

  return {
    ...goods,
    load: async (request, signal) => {
      const { titleId } = request;
      const [quote, instanceId] = await Promise.all([
        goods.quote(request, signal),
        token() === null ? null : findOwnCopy(titleId, signal),
      ]);
      if (instanceId !== null) removePendingPayments(request);
      const pending = findResumablePayment(request, quote, goods.code(request));
      return {
        ...noOffer,
        ...quote,
        instanceId,
        key: pending?.key ?? crypto.randomUUID(),
        transId: pending?.transId ?? null,
      };
    },
    begin: async (shop, order, signal) => {
      const { titleId, key, credits, free } = order;
      if (credits === null && !free) return goods.begin(order, toParameters(order), signal);
      const grantPromise =
        credits === null
          ? purchaseFreeTitle(shop, { titleId, key }, signal)
          : buyWithCredits(shop, { titleId, credits, key }, signal);
      return { transId: (await grantPromise).transId, provider: '', url: '' };
    },
    payByCard: (_, order) => goods.payByCard(order, toCardParameters(order)),
    // The library shows whether the title was granted. A session with a lost response has charged
    // nothing, and its key is used again.
    fetchState: async (_, { titleId }, signal) => {
      const instanceId = titleId === '' ? null : await fetchOwnCopyId(await api(), { titleId }, signal);
      return createStateWithoutTransaction(instanceId === null ? 'none' : 'owned', { titleId });
    },
    notifyPaid: () => scoped(ownershipChanged).emit(),
  };
};

/** Creates the ports for the cart for the customer's own library. */
export const createCartOffer = (environment: AppEnvironment): OfferPorts => {
  const goods = createCartGoods(environment);
  return {
    ...goods,
    load: async (request, signal) => {
      const quote = await goods.quote(request, signal);
      const pending = findResumablePayment(request, quote, goods.code(request));
      return { ...noOffer, ...quote, key: pending?.key ?? crypto.randomUUID(), transId: pending?.transId ?? null };
    },
    begin: (_, order, signal) => goods.begin(order, toParameters(order), signal),
    payByCard: (_, order) => goods.payByCard(order, toCardParameters(order)),
    // Nothing has been charged: after a lost response, the server finds the session's payment by
    // the key.
    fetchState: async () => createStateWithoutTransaction('none'),
    notifyPaid: () => environment.scoped(ownershipChanged).emit(),
  };
};
