import { DomainError } from '../kernel/errors.ts';
import type { Buyer } from './buyer.ts';
import { paymentUnknownError } from './confirm.ts';
import type { PaymentServices } from './payment-services.ts';
import { PaymentUnknown } from './port.ts';

/**
 * Selects the transactions that a purchase may have created: their kinds, and the title (null: a
 * cart; left out: any).
 */
export type TransactionFilter = { kinds: readonly string[]; titleId?: string | null };

/**
 * Returns the error of a purchase whose call of the gateway has an unknown outcome. Its text states
 * that nothing was charged only if no capture can have been requested. `capturing` is stored before
 * each capture is requested, so the status of the customer's newest transaction decides. The status
 * is read again because another window may have confirmed the transaction since.
 */
async function toPurchaseError(
  { db, log }: Pick<PaymentServices, 'db' | 'log'>,
  { storeId, userId }: Pick<Buyer, 'storeId' | 'userId'>,
  { kinds, titleId }: TransactionFilter,
  failure: PaymentUnknown,
): Promise<DomainError> {
  const row = await db
    .selectFrom('transactions')
    .select(['id', 'status'])
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .$if(titleId !== undefined, (query) => query.where('title_id', 'is not distinct from', titleId ?? null))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const fields = { err: failure.cause, store: storeId, customer: userId, kinds, title: titleId, transaction: row?.id };
  log.warn(fields, 'payment.purchase.outcome_unknown');
  if (row?.status === 'capturing' || row?.status === 'paid') return paymentUnknownError();
  return new DomainError('payment_unknown', 'Payments aren’t available right now. You haven’t been charged.', {
    code: 'payment_unavailable',
  });
}

/**
 * Runs a purchase.
 * @throws DomainError payment_unknown if the outcome of a call of the gateway is unknown; the
 * purchase's own errors
 */
export async function attemptPurchase<Result>(
  services: Pick<PaymentServices, 'db' | 'log'>,
  buyer: Pick<Buyer, 'storeId' | 'userId'>,
  filter: TransactionFilter,
  purchase: () => Promise<Result>,
): Promise<Result> {
  try {
    return await purchase();
  } catch (error) {
    throw error instanceof PaymentUnknown ? await toPurchaseError(services, buyer, filter, error) : error;
  }
}
