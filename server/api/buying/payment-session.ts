import type { Begun } from '../../payment/intents.ts';
import { payTitle } from '../../purchases/pay-title.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { buyerOf, payerOf } from '../calls/caller.ts';

/** A payment that has begun, as the wire has it. */
export const sessionOf = ({ transaction, intent }: Begun) => ({
  transId: transaction.id,
  provider: transaction.provider,
  url: intent.url,
});

/** Begins the purchase of a title: a transaction, and the gateway's page. Nothing is charged. */
export async function paymentSession(call: CustomerCall<'paymentSession'>): Answer<'paymentSession'> {
  const { services, query } = call;
  const begun = await payTitle(services, buyerOf(call), payerOf(call), {
    titleId: query.titleId,
    shown: { amount: query.price, currency: query.currency },
    typedCode: query.code,
    giftInfo: query.giftInfo,
    tax: query,
    method: query.method ?? 'card',
  });
  return sessionOf(begun);
}
