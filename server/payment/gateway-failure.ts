import { DomainError } from '../kernel/errors.ts';
import type { Buyer } from './buyer.ts';
import { paymentUnknown } from './confirm.ts';
import type { PaymentServices } from './payment-services.ts';
import { PaymentUnknown } from './port.ts';

/** The transactions that a purchase may have created: their kinds, and the title (null: a cart). */
export type FailedPurchase = { kinds: readonly string[]; titleId?: string | null };

/**
 * The error of a purchase that the gateway did not answer. It says that nothing was charged only if
 * no capture can have been requested. `capturing` is stored before each capture is requested, so
 * the status of the customer's newest transaction decides. It is read again because another window
 * may have confirmed it since.
 */
async function toPurchaseError(
  { db, log }: Pick<PaymentServices, 'db' | 'log'>,
  { storeId, userId }: Pick<Buyer, 'storeId' | 'userId'>,
  { kinds, titleId }: FailedPurchase,
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
  log.warn({ err: failure.cause, store: storeId, kinds, title: titleId, transaction: newest?.id }, 'payment.purchase.timeout');
  if (newest?.status === 'capturing' || newest?.status === 'paid') return paymentUnknown();
  return new DomainError('payment_unknown', 'Payments aren’t available right now. You haven’t been charged.', {
    code: 'payment_unavailable',
  });
}

/**
 * Runs a purchase.
 * @throws DomainError payment_unknown if the gateway does not answer; the purchase's own errors
 */
export async function attemptPurchase<Done>(
  services: Pick<PaymentServices, 'db' | 'log'>,
  buyer: Pick<Buyer, 'storeId' | 'userId'>,
  attempted: FailedPurchase,
  purchase: () => Promise<Done>,
): Promise<Done> {
  try {
    return await purchase();
  } catch (error) {
    throw error instanceof PaymentUnknown ? await toPurchaseError(services, buyer, attempted, error) : error;
  }
}
