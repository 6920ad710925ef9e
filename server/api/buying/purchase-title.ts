import { payTitleByCard } from '../../purchases/pay-title.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { buyerOf, payerOf } from '../calls/caller.ts';
import { statusOf } from './session-status.ts';

/** Buys a title by a kept card. */
export async function purchaseTitle(call: CustomerCall<'purchaseTitle'>): Answer<'purchaseTitle'> {
  const { services, query } = call;
  const purchase = {
    titleId: query.titleId,
    shown: { amount: query.Price, currency: query.currency },
    typedCode: query.RedeemPin,
    giftInfo: query.giftInfo,
    tax: query,
  };
  const { transaction, intent } = await payTitleByCard(services, buyerOf(call), payerOf(call), purchase, query.cardId);
  return statusOf(transaction, intent);
}
