import { GiftPreview, type GiftForm } from '../../../../machines/model/buying/gift.ts';
import type { Credits } from '../../../../machines/model/buying/subscription.ts';
import type { Api } from '../../../client/wire/client.ts';
import { Grant } from '../../../client/catalogue/free-title.ts';
import { readJsonResponse } from '../../../client/wire/json.ts';
import { getShopTime } from '../../../client/wire/shop-time.ts';
import { fallbackIfUnavailable } from '../../../client/wire/unsupported-call.ts';
import { toGiftInfo } from '../../../client/payment/gift-info.ts';

/** A gift of a title. After a lost response, the server recognises a repetition by `giftId`. */
type GiftRequest = { titleId: string; giftId: string; form: GiftForm };

const toGiftDetails = (api: Api, { form, giftId }: Pick<GiftRequest, 'form'> & { giftId?: string }) =>
  toGiftInfo(form, new Date(getShopTime(api)), giftId);
/** GiftInfo as JSON text, for the calls that start a payment. */
export const toGiftInfoText = (api: Api, gift: Pick<GiftRequest, 'form' | 'giftId'>): string =>
  JSON.stringify(toGiftDetails(api, gift));

/**
 * Fetches a preview of the e-mail of a gift of one or several titles; null from a server without
 * previews.
 * @throws Problem `refused` with `gift_day`, `gift_info`, `gift_link`, `giver_link`, `gifting_off`
 * or `not_for_sale`
 */
export const fetchGiftPreview = (
  api: Api,
  { titleId, titleIds, form }: Omit<GiftRequest, 'giftId'> & { titleIds: readonly string[] | null },
  signal?: AbortSignal,
): Promise<GiftPreview | null> => {
  const goods = titleIds === null ? { titleId } : { titleIds: [...titleIds] };
  const body = { ...goods, giftInfo: toGiftDetails(api, { form }) };
  const responsePromise = readJsonResponse(
    api,
    'gift/preview',
    api.client.POST('/gift/preview', { body, ...api.readOptions(signal) }),
    GiftPreview,
  );
  return responsePromise.catch((error: unknown) => fallbackIfUnavailable(api, 'gift/preview', error, () => null));
};

/**
 * Gives a free title to another person.
 * @throws the same Problems as `fetchGiftPreview`, and `not_free` or `free_gifts_used`
 */
export const sendFreeGift = (api: Api, gift: GiftRequest, signal?: AbortSignal): Promise<Grant> => {
  const query = { titleId: gift.titleId, giftInfo: toGiftInfoText(api, gift) };
  const responsePromise = api.client.GET('/purchase/free', { params: { query }, ...api.changeOptions(null, signal) });
  return readJsonResponse(api, 'purchase/free', responsePromise, Grant);
};

/**
 * Buys a gift with credits.
 * @throws the same Problems as `fetchGiftPreview`, and `insufficient_credits`, `price_changed` or
 * `conflict`
 */
export const sendGiftForCredits = (
  api: Api,
  { titleId, giftId, form, credits }: GiftRequest & { credits: Credits },
  signal?: AbortSignal,
): Promise<Grant> => {
  const body = {
    titleId,
    credits: credits.amount,
    creditCurrency: credits.currency,
    giftInfo: toGiftDetails(api, { form, giftId }),
  };
  const responsePromise = api.client.POST('/purchase/credits', { body, ...api.changeOptions(null, signal) });
  return readJsonResponse(api, 'purchase/credits', responsePromise, Grant);
};
