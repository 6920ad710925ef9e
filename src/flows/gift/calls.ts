import { GiftLetter, type GiftForm } from '../../../machines/model/gift.ts';
import type { PaymentSession, PaymentState } from '../../../machines/model/purchase.ts';
import type { Credits } from '../../../machines/model/subscription.ts';
import type { Tax } from '../../../machines/model/tax.ts';
import type { Price } from '../../../machines/model/title.ts';
import { cartSession } from '../../client/cart-session.ts';
import type { Api } from '../../client/client.ts';
import { Grant } from '../../client/free-title.ts';
import { jsonAnswer } from '../../client/json.ts';
import { methodOf } from '../../client/payment-methods.ts';
import { shopNow } from '../../client/shop-time.ts';
import { SessionAnswer, StateAnswer } from '../../client/payment-status.ts';
import { taxQuery } from '../../client/tax.ts';
import { orWithoutCall } from '../../client/unknown-call.ts';
import { giftInfoOf } from '../../client/gift-info.ts';

/**
 * A gift of a title. The server knows a repetition by `giftId`, although its answer was lost.
 */
type Giving = { titleId: string; giftId: string; form: GiftForm };

const detailsOf = (api: Api, { form, giftId }: Pick<Giving, 'form'> & { giftId?: string }) =>
  giftInfoOf(form, new Date(shopNow(api)), giftId);
const infoOf = (api: Api, giving: Pick<Giving, 'form' | 'giftId'>): string => JSON.stringify(detailsOf(api, giving));

/**
 * The e-mail of a gift: of a title, or of several that are given together; null where the server
 * does not show it.
 * @throws Problem `refused` with `gift_day`, `gift_info`, `gifting_off` or `not_for_sale`
 */
export const giftLetter = (
  api: Api,
  { titleId, titleIds, form }: Omit<Giving, 'giftId'> & { titleIds?: readonly string[] },
  signal?: AbortSignal,
): Promise<GiftLetter | null> => {
  const of = titleIds === undefined ? { titleId } : { titleIds: [...titleIds] };
  const body = { ...of, giftInfo: detailsOf(api, { form }) };
  const asking = jsonAnswer(api, 'gift/preview', api.client.POST('/gift/preview', { body, ...api.reading(signal) }), GiftLetter);
  return asking.catch((error: unknown) => orWithoutCall(api, 'gift/preview', error, () => null));
};

/**
 * Begins the payment of a gift, and charges nothing. @throws Problem as `giftLetter`, and
 * `price_changed`
 */
export const giftSession = (
  api: Api,
  giving: Giving & { price: Price | null; method?: string | undefined; tax?: Tax | undefined },
  signal?: AbortSignal,
): Promise<PaymentSession> => {
  const { titleId, price } = giving;
  const query = {
    titleId,
    price: price?.amount,
    currency: price?.currency || undefined,
    method: methodOf(giving.method),
    giftInfo: infoOf(api, giving),
    ...taxQuery(giving.tax),
  };
  const sending = api.client.GET('/payment/session', { params: { query }, ...api.changing(null, signal) });
  return jsonAnswer(api, 'payment/session', sending, SessionAnswer(api.base));
};

/**
 * Pays for a gift by a card that the store keeps; a card that asks for an action leaves the
 * transaction pending with a url.
 */
export const giftByCard = (
  api: Api,
  giving: Giving & { price: Price | null; tax?: Tax | undefined; cardId: string },
  signal?: AbortSignal,
): Promise<PaymentState> => {
  const { titleId, price, cardId } = giving;
  const query = {
    titleId,
    cardId,
    Price: price?.amount,
    currency: price?.currency || undefined,
    giftInfo: infoOf(api, giving),
    ...taxQuery(giving.tax),
  };
  const sending = api.client.GET('/purchase/title', { params: { query }, ...api.changing(null, signal) });
  return jsonAnswer(api, 'purchase/title', sending, StateAnswer(api.base));
};

/** Sends a free title to somebody. */
export const freeGift = (api: Api, giving: Giving, signal?: AbortSignal): Promise<Grant> => {
  const query = { titleId: giving.titleId, giftInfo: infoOf(api, giving) };
  const sending = api.client.GET('/purchase/free', { params: { query }, ...api.changing(null, signal) });
  return jsonAnswer(api, 'purchase/free', sending, Grant);
};

/**
 * Gives a title for credits. @throws Problem as `giftLetter`, and `insufficient_credits`,
 * `price_changed` or `conflict`
 */
export const giftForCredits = (
  api: Api,
  { titleId, giftId, form, credits }: Giving & { credits: Credits },
  signal?: AbortSignal,
): Promise<Grant> => {
  const body = {
    titleId,
    credits: credits.amount,
    creditCurrency: credits.currency,
    giftInfo: detailsOf(api, { form, giftId }),
  };
  const sending = api.client.POST('/purchase/credits', { body, ...api.changing(null, signal) });
  return jsonAnswer(api, 'purchase/credits', sending, Grant);
};

/** Begins the payment of a gift of all that is in the cart. */
export const cartGiftSession = (
  api: Api,
  { giftId, form, ...seen }: Omit<Giving, 'titleId'> & Omit<Parameters<typeof cartSession>[1], 'key' | 'giftInfo'>,
  signal?: AbortSignal,
): Promise<PaymentSession> => cartSession(api, { ...seen, key: null, giftInfo: infoOf(api, { form, giftId }) }, signal);
