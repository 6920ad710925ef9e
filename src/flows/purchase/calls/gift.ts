import { GiftPreview, type GiftForm } from '../../../../machines/model/buying/gift.ts';
import type { Credits } from '../../../../machines/model/buying/subscription.ts';
import type { Api } from '../../../client/wire/client.ts';
import { Grant } from '../../../client/catalogue/free-title.ts';
import { readJsonResponse } from '../../../client/wire/json.ts';
import { getShopTime } from '../../../client/wire/shop-time.ts';
import { fallbackIfUnavailable } from '../../../client/wire/unsupported-call.ts';
import { toGiftInfo } from '../../../client/payment/gift-info.ts';

/** A gift of a title. The server recognises a repetition by `giftId` after a lost answer. */
type GiftRequest = { titleId: string; giftId: string; form: GiftForm };

const toDetails = (api: Api, { form, giftId }: Pick<GiftRequest, 'form'> & { giftId?: string }) =>
  toGiftInfo(form, new Date(getShopTime(api)), giftId);
/** GiftInfo as JSON text, for the calls that start a payment. */
export const toGiftInfoText = (api: Api, giving: Pick<GiftRequest, 'form' | 'giftId'>): string =>
  JSON.stringify(toDetails(api, giving));

/**
 * The e-mail of a gift of one or several titles; null where the server has no preview.
 * @throws Problem `refused` with `gift_day`, `gift_info`, `gifting_off` or `not_for_sale`
 */
export const giftPreview = (
  api: Api,
  { titleId, titleIds, form }: Omit<GiftRequest, 'giftId'> & { titleIds: readonly string[] | null },
  signal?: AbortSignal,
): Promise<GiftPreview | null> => {
  const of = titleIds === null ? { titleId } : { titleIds: [...titleIds] };
  const body = { ...of, giftInfo: toDetails(api, { form }) };
  const asking = readJsonResponse(
    api,
    'gift/preview',
    api.client.POST('/gift/preview', { body, ...api.readOptions(signal) }),
    GiftPreview,
  );
  return asking.catch((error: unknown) => fallbackIfUnavailable(api, 'gift/preview', error, () => null));
};

/** Gives a free title to another person. */
export const sendFreeGift = (api: Api, giving: GiftRequest, signal?: AbortSignal): Promise<Grant> => {
  const query = { titleId: giving.titleId, giftInfo: toGiftInfoText(api, giving) };
  const sending = api.client.GET('/purchase/free', { params: { query }, ...api.changeOptions(null, signal) });
  return readJsonResponse(api, 'purchase/free', sending, Grant);
};

/**
 * Buys a gift with credits. @throws Problem as `giftPreview`, and `insufficient_credits`,
 * `price_changed` or `conflict`
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
    giftInfo: toDetails(api, { form, giftId }),
  };
  const sending = api.client.POST('/purchase/credits', { body, ...api.changeOptions(null, signal) });
  return readJsonResponse(api, 'purchase/credits', sending, Grant);
};
