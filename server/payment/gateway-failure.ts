import { DomainError } from '../kernel/errors.ts';
import type { Buyer } from './buyer.ts';
import { paymentUnknown } from './confirm.ts';
import type { PaymentServices } from './payment-services.ts';
import { PaymentUnknown } from './port.ts';

/** The transactions that a purchase may have begun: kinds, and the one title, null for a cart. */
export type Attempted = { kinds: readonly string[]; titleId?: string | null };

/**
 * The error of a purchase that got no answer of the gateway. It says that nothing was charged only
 * if no capture can have been requested. Each capture is written down before it is requested, so
 * the customer's newest transaction of the purchase tells. It is read again here, because another
 * window may have confirmed it since.
 */
async function afterGatewayFailure(
  { db, log }: Pick<PaymentServices, 'db' | 'log'>,
  { storeId, userId }: Pick<Buyer, 'storeId' | 'userId'>,
  { kinds, titleId }: Attempted,
  failure: PaymentUnknown,
): Promise<DomainError> {
  const newest = await db
    .selectFrom('transactions')
    .select(['id', 'status'])
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .$if(titleId !== undefined, (query) => query.where('title_id', 'is not distinct from', titleId ?? null))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const about = { storeId, kinds, titleId, transaction: newest?.id };
  log.error({ err: failure.cause, ...about }, 'a purchase has no answer of the payment gateway');
  if (newest?.status === 'capturing' || newest?.status === 'paid') return paymentUnknown();
  return new DomainError('payment_unknown', 'Payments aren’t available right now. You haven’t been charged.', {
    code: 'payment_unavailable',
  });
}

/**
 * Runs a purchase.
 * @throws DomainError payment_unknown where the gateway gives no answer; the purchase's own errors
 */
export async function attempt<Done>(
  services: Pick<PaymentServices, 'db' | 'log'>,
  buyer: Pick<Buyer, 'storeId' | 'userId'>,
  attempted: Attempted,
  purchase: () => Promise<Done>,
): Promise<Done> {
  try {
    return await purchase();
  } catch (error) {
    throw error instanceof PaymentUnknown ? await afterGatewayFailure(services, buyer, attempted, error) : error;
  }
}
