import * as v from 'valibot';
import { giftStatuses, type GivenGift } from '../../../machines/model/buying/gift.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';

const OptionalText = v.nullish(v.string(), '');

const Gift = v.object({
  giftId: v.pipe(v.string(), v.nonEmpty()),
  titleId: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  titles: v.optional(v.array(v.object({ titleId: v.string(), name: v.string() })), []),
  transId: v.string(),
  givenAt: v.string(),
  recipientName: v.string(),
  recipientEmail: v.string(),
  deliverOn: OptionalText,
  sentAt: OptionalText,
  redeemedAt: OptionalText,
  status: v.picklist(giftStatuses),
});

const toGivenGift = ({ recipientName, recipientEmail, titles, ...gift }: v.InferOutput<typeof Gift>): GivenGift => ({
  ...gift,
  ...(titles.length > 1 ? { titles } : {}),
  pii: { name: recipientName, email: recipientEmail },
});

/** The gifts that the customer has bought for others, the latest first. */
export const fetchGifts = async (api: Api, signal?: AbortSignal): Promise<GivenGift[]> => {
  const responsePromise = api.client.GET('/user/gifts', api.readOptions(signal));
  const { gifts } = await readJsonResponse(api, 'user/gifts', responsePromise, v.object({ gifts: v.array(Gift) }));
  return gifts.map(toGivenGift);
};

/**
 * Sends a gift's e-mail again, or to another address.
 * @returns the gift after the change
 * @throws Problem `refused` with `gift_redeemed`, `gift_letters_used`, `gift_link`,
 * `free_gifts_used`, or `gift_just_sent` soon after the last e-mail to the same address
 */
export const resendGift = async (
  api: Api,
  { giftId, email }: { giftId: string; email: string | null },
  signal?: AbortSignal,
): Promise<GivenGift> => {
  const body = { giftId, ...(email === null ? {} : { email }) };
  const responsePromise = api.client.POST('/user/gifts/resend', { body, ...api.changeOptions(null, signal) });
  return toGivenGift(await readJsonResponse(api, 'user/gifts/resend', responsePromise, Gift));
};
