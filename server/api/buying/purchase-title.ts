import { payTitleByCard } from '../../purchases/pay-title.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { toBuyer, toPayer } from '../calls/caller.ts';
import { toSessionStatus } from './session-status.ts';

/** Buys a title with a saved card. */
export async function purchaseTitle(call: CustomerCall<'purchaseTitle'>): Answer<'purchaseTitle'> {
  const { services, query } = call;
  const purchase = {
    titleId: query.titleId,
    shownPrice: { amount: query.Price, currency: query.currency },
    typedCode: query.RedeemPin,
    giftInfo: query.giftInfo,
    tax: query,
  };
  const { transaction, intent } = await payTitleByCard(services, toBuyer(call), toPayer(call), purchase, query.cardId);
  return toSessionStatus(transaction, intent);
}
