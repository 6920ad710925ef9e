import { tokenOfCard } from '../payment/cards.ts';
import { confirm } from '../payment/confirm.ts';
import { reload } from '../payment/transactions.ts';
import type { Answer, CustomerCall } from './call.ts';
import { buyerOf, payerOf } from './caller.ts';
import { endDeclined, intentFor } from '../payment/intents.ts';
import { beginPurchase } from '../purchases/title-purchase.ts';
import { notFound } from '../kernel/errors.ts';
import { statusOf } from './session-status.ts';
import { explainGatewayFailure } from './gateway-unavailable.ts';

/** Buys a title by a kept card: authorises, charges and grants at once, unless the bank asks for something first. */
export async function purchaseTitle(call: CustomerCall<'purchaseTitle'>): Answer<'purchaseTitle'> {
  const { services, store, customer, query } = call;
  const cardToken = await tokenOfCard(services.db, { storeId: store.id, userId: customer.id }, query.cardId);
  if (cardToken === undefined) throw notFound('card');
  try {
    const buyer = buyerOf(call);
    const { title, transaction } = await beginPurchase(services, buyer, payerOf(call), {
      titleId: query.titleId,
      shown: { amount: query.Price, currency: query.currency },
      typedCode: query.RedeemPin,
      giftInfo: query.giftInfo,
      tax: query,
    });
    const intent = await intentFor(services, buyer, { description: title.name }, transaction, cardToken);
    if (intent.state === 'authorized' || intent.state === 'captured')
      return statusOf(await confirm(services, await reload(services.db, transaction)), intent);
    await endDeclined(services, transaction, intent);
    return statusOf(await reload(services.db, transaction), intent);
  } catch (error) {
    throw await explainGatewayFailure(call, { titleId: query.titleId }, error);
  }
}
