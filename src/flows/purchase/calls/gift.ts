import { GiftLetter, type GiftForm } from '../../../../machines/model/buying/gift.ts';
import type { Credits } from '../../../../machines/model/buying/subscription.ts';
import type { Api } from '../../../client/wire/client.ts';
import { Grant } from '../../../client/catalogue/free-title.ts';
import { jsonAnswer } from '../../../client/wire/json.ts';
import { shopNow } from '../../../client/wire/shop-time.ts';
import { orWithoutCall } from '../../../client/wire/unknown-call.ts';
import { giftInfoOf } from '../../../client/payment/gift-info.ts';

/**
 * A gift of a title. The server knows a repetition by `giftId`, although its answer was lost.
 */
type Giving = { titleId: string; giftId: string; form: GiftForm };

const detailsOf = (api: Api, { form, giftId }: Pick<Giving, 'form'> & { giftId?: string }) =>
  giftInfoOf(form, new Date(shopNow(api)), giftId);
/** GiftInfo as JSON text, as calls carry it that begin a payment. */
export const infoOf = (api: Api, giving: Pick<Giving, 'form' | 'giftId'>): string => JSON.stringify(detailsOf(api, giving));

/**
 * The e-mail of a gift: of a title, or of several that are given together; null where the server
 * does not show it.
 * @throws Problem `refused` with `gift_day`, `gift_info`, `gifting_off` or `not_for_sale`
 */
export const giftLetter = (
  api: Api,
  { titleId, titleIds, form }: Omit<Giving, 'giftId'> & { titleIds: readonly string[] | null },
  signal?: AbortSignal,
): Promise<GiftLetter | null> => {
  const of = titleIds === null ? { titleId } : { titleIds: [...titleIds] };
  const body = { ...of, giftInfo: detailsOf(api, { form }) };
  const asking = jsonAnswer(api, 'gift/preview', api.client.POST('/gift/preview', { body, ...api.reading(signal) }), GiftLetter);
  return asking.catch((error: unknown) => orWithoutCall(api, 'gift/preview', error, () => null));
};

/** Sends a free title to another person. */
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
