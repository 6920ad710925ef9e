import * as v from 'valibot';
import { Receipt } from '../../../machines/model/purchase.ts';
import type { Api } from '../../client/client.ts';
import { isoDate } from '../../client/date.ts';
import { jsonAnswer } from '../../client/json.ts';

/** The server's names of whom a gift is for. */
const Gift = v.pipe(
  v.object({ recipientName: v.string(), recipientEmail: v.string(), deliverOn: v.nullish(v.string(), '') }),
  v.transform(({ recipientName: name, recipientEmail: email, deliverOn }) => ({ deliverOn, pii: { name, email } })),
);

const Moment = v.pipe(
  v.string(),
  v.transform((text) => isoDate(text)),
);

const Answer = v.object({
  ...v.omit(Receipt, ['cover', 'gift', 'refundedAt']).entries,
  gift: v.optional(Gift),
  instanceId: v.optional(v.string(), ''),
  currency: v.optional(v.string(), ''),
  symbol: v.optional(v.string(), ''),
  paidAt: v.optional(Moment, ''),
  refundedAt: v.optional(Moment),
});

/** What a finished purchase granted and cost. A copy without a number of its own is known by its title's. */
export const purchaseInfo = async (api: Api, transId: string, signal?: AbortSignal): Promise<Omit<Receipt, 'cover'>> => {
  const sending = api.client.GET('/purchase/info', { params: { query: { transId } }, ...api.reading(signal) });
  const receipt = await jsonAnswer(api, 'purchase/info', sending, Answer);
  const { gift, refundedAt, ...rest } = receipt;
  return {
    ...rest,
    instanceId: receipt.instanceId || receipt.titleId,
    ...(refundedAt === undefined ? {} : { refundedAt }),
    ...(gift === undefined ? {} : { gift }),
  };
};
