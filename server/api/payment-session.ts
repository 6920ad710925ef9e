import { intentFor } from '../payment/intents.ts';
import { beginPurchase } from '../purchases/title-purchase.ts';
import type { Answer, CustomerCall } from './call.ts';
import { buyerOf, payerOf } from './caller.ts';
import { explainGatewayFailure } from './gateway-unavailable.ts';

/** Begins the purchase of a title: a transaction, and the gateway's page to pay it on. Nothing is charged. */
export async function paymentSession(call: CustomerCall<'paymentSession'>): Answer<'paymentSession'> {
  const { services, query } = call;
  try {
    const buyer = buyerOf(call);
    const { title, transaction } = await beginPurchase(services, buyer, payerOf(call), {
      titleId: query.titleId,
      shown: { amount: query.price, currency: query.currency },
      typedCode: query.code,
      giftInfo: query.giftInfo,
      tax: query,
      method: query.method ?? 'card',
    });
    const intent = await intentFor(services, buyer, { description: title.name }, transaction);
    return { transId: transaction.id, provider: transaction.provider, url: intent.url };
  } catch (error) {
    throw await explainGatewayFailure(call, { titleId: query.titleId }, error);
  }
}
