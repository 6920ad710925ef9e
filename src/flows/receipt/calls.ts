import * as v from 'valibot';
import { Receipt } from '../../../machines/model/buying/purchase.ts';
import { findStartedPayment } from '../../client/payment/started-payments.ts';
import type { Api } from '../../client/wire/client.ts';
import { toIsoDate } from '../../client/wire/date.ts';
import { readJsonResponse } from '../../client/wire/json.ts';
import { fetchOwnCopyId } from '../../client/library/ownership.ts';

/** A gift as the server reports it. */
const Gift = v.pipe(
  v.object({ recipientName: v.string(), recipientEmail: v.string(), deliverOn: v.nullish(v.string(), '') }),
  v.transform(({ recipientName: name, recipientEmail: email, deliverOn }) => ({ deliverOn, pii: { name, email } })),
);

const IsoMoment = v.pipe(
  v.string(),
  v.transform((text) => toIsoDate(text)),
);

const ReceiptResponse = v.object({
  ...v.omit(Receipt, ['cover', 'gift', 'refundedAt']).entries,
  gift: v.optional(Gift),
  isGift: v.optional(v.boolean(), false),
  name: v.optional(v.string(), ''),
  amount: v.nullish(v.number()),
  instanceId: v.optional(v.string(), ''),
  currency: v.optional(v.string(), ''),
  symbol: v.optional(v.string(), ''),
  paidAt: v.optional(IsoMoment, ''),
  refundedAt: v.optional(IsoMoment),
});

/** A gift whose recipient the server does not report. */
const unknownRecipient: Receipt['gift'] = { deliverOn: '', pii: { name: '', email: '' } };

/**
 * Finds the id of the customer's copy by the transaction; else returns the title's id, since a
 * server may have no ids for copies.
 */
const findCopyId = async (api: Api, { transId, titleId }: { transId: string; titleId: string }, signal?: AbortSignal) =>
  (await fetchOwnCopyId(api, { transId }, signal).catch(() => null)) ?? titleId;

/** Fetches the receipt of a finished purchase, without its cover. */
export const fetchReceipt = async (
  api: Api,
  { transId, isGift }: { transId: string; isGift: boolean },
  signal?: AbortSignal,
): Promise<Omit<Receipt, 'cover'>> => {
  const query = { transId, ...(isGift ? { isgift: true } : {}) };
  const responsePromise = api.client.GET('/purchase/info', { params: { query }, ...api.readOptions(signal) });
  const receipt = await readJsonResponse(api, 'purchase/info', responsePromise, ReceiptResponse);
  const { refundedAt, isGift: isReportedAsGift, amount: reportedAmount, ...receiptFields } = receipt;
  // A server that does not report the paid price charged the one that the customer saw.
  const { price, tax } = findStartedPayment(transId) ?? {};
  const amount = reportedAmount ?? tax?.priceWithTax ?? price?.amount;
  const gift = receipt.gift ?? (isGift || isReportedAsGift ? unknownRecipient : undefined);
  return {
    ...receiptFields,
    ...(amount === undefined ? {} : { amount }),
    // The giver of a gift has no copy.
    instanceId: receipt.instanceId || (gift === undefined ? await findCopyId(api, receipt, signal) : receipt.titleId),
    ...(refundedAt === undefined ? {} : { refundedAt }),
    ...(gift === undefined ? {} : { gift }),
  };
};
