import * as v from 'valibot';
import { Receipt } from '../../../machines/model/buying/purchase.ts';
import { begunPayment } from '../../client/payment/begun-payments.ts';
import type { Api } from '../../client/wire/client.ts';
import { isoDate } from '../../client/wire/date.ts';
import { jsonAnswer } from '../../client/wire/json.ts';
import { userHasTitle } from '../../client/library/ownership.ts';

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
  isGift: v.optional(v.boolean(), false),
  name: v.optional(v.string(), ''),
  amount: v.nullish(v.number()),
  instanceId: v.optional(v.string(), ''),
  currency: v.optional(v.string(), ''),
  symbol: v.optional(v.string(), ''),
  paidAt: v.optional(Moment, ''),
  refundedAt: v.optional(Moment),
});

/** A gift of which the server does not say whom it is for. */
const unnamed: Receipt['gift'] = { deliverOn: '', pii: { name: '', email: '' } };

/** The copy by its transaction, else by its title: a server may have no numbers for copies. */
const copyOf = async (api: Api, { transId, titleId }: { transId: string; titleId: string }, signal?: AbortSignal) =>
  (await userHasTitle(api, { transId }, signal).catch(() => null)) ?? titleId;

/** The receipt of a finished purchase. */
export const purchaseInfo = async (
  api: Api,
  { transId, isGift }: { transId: string; isGift: boolean },
  signal?: AbortSignal,
): Promise<Omit<Receipt, 'cover'>> => {
  const query = { transId, ...(isGift ? { isgift: true } : {}) };
  const sending = api.client.GET('/purchase/info', { params: { query }, ...api.reading(signal) });
  const receipt = await jsonAnswer(api, 'purchase/info', sending, Answer);
  const { refundedAt, isGift: saysGift, amount: told, ...rest } = receipt;
  // A server that does not say how much was paid took the price that the customer was shown.
  const { price, tax } = begunPayment(transId) ?? {};
  const amount = told ?? tax?.priceWithTax ?? price?.amount;
  const gift = receipt.gift ?? (isGift || saysGift ? unnamed : undefined);
  return {
    ...rest,
    ...(amount === undefined ? {} : { amount }),
    // Of a gift the giver has no copy.
    instanceId: receipt.instanceId || (gift === undefined ? await copyOf(api, receipt, signal) : receipt.titleId),
    ...(refundedAt === undefined ? {} : { refundedAt }),
    ...(gift === undefined ? {} : { gift }),
  };
};
