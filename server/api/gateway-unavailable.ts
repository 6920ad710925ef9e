import { paymentUnknown } from '../payment/confirm.ts';
import { PaymentUnknown } from '../payment/port.ts';
import type { CustomerCall } from './call.ts';
import { DomainError } from '../kernel/errors.ts';

/**
 * The answer to a purchase that failed with this error. It says that nothing was charged only if no capture can have been
 * requested. Each capture is written down before it is requested, so the customer's newest transaction for the title, for a
 * subscription or for the cart tells.
 * It is read again here, because another window may have confirmed it since.
 */
export async function explainGatewayFailure(
  { services, store, customer }: CustomerCall,
  bought: { titleId: string } | { planId: string } | { cart: true },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof PaymentUnknown)) return error;
  services.log.error({ err: error.cause, ...bought }, 'a purchase has no answer of the payment gateway');
  const newest = await services.db
    .selectFrom('transactions')
    .select('status')
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .where((eb) => {
      if ('titleId' in bought) return eb('title_id', '=', bought.titleId);
      if ('planId' in bought) return eb('kind', '=', 'subscription');
      return eb.or([eb('kind', '=', 'cart'), eb.and([eb('kind', '=', 'gift'), eb('title_id', 'is', null)])]);
    })
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest?.status === 'capturing' || newest?.status === 'paid') return paymentUnknown();
  return new DomainError('payment_unknown', 'Payments aren’t available right now. You haven’t been charged.', {
    code: 'payment_unavailable',
  });
}
