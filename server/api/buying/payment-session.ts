import type { StartedPayment } from '../../payment/intents.ts';
import { payTitle } from '../../purchases/pay-title.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { toBuyer, toPayer } from '../calls/caller.ts';

/** Converts a started payment to its wire format. */
export const toSession = ({ transaction, intent }: StartedPayment) => ({
  transId: transaction.id,
  provider: transaction.provider,
  url: intent.url,
});

/** Starts the purchase of a title: a transaction, and the gateway's page. No money is charged. */
export async function paymentSession(call: CustomerCall<'paymentSession'>): Answer<'paymentSession'> {
  const { services, query } = call;
  const startedPayment = await payTitle(services, toBuyer(call), toPayer(call), {
    titleId: query.titleId,
    shownPrice: { amount: query.price, currency: query.currency },
    typedCode: query.code,
    giftInfo: query.giftInfo,
    tax: query,
    method: query.method ?? 'card',
  });
  return toSession(startedPayment);
}
