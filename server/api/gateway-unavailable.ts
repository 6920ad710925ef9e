import { paymentUnknown } from '../payment/confirm.ts';
import { PaymentUnknown } from '../payment/port.ts';
import type { CustomerCall } from './call.ts';
import { Refusal } from './refusal.ts';

/**
 * What a purchase that ended with this error answers. A silent gateway is said to have charged nothing only when no
 * capture can have been asked of it: asking is always written down first, so the customer's newest transaction for
 * the title tells, as it stands now and not as it was read before another window confirmed it.
 */
export async function explainGatewayFailure(
  { services, store, customer }: CustomerCall,
  titleId: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof PaymentUnknown)) return error;
  const newest = await services.db
    .selectFrom('transactions')
    .select('status')
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .where('title_id', '=', titleId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest?.status === 'capturing' || newest?.status === 'paid') return paymentUnknown();
  return new Refusal(502, 'The payment gateway cannot be reached. Nothing was charged.', { code: 'payment_unavailable' });
}
