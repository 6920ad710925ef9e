import type { PaymentMethod } from '../database/schema/payments.ts';
import { DomainError } from '../kernel/errors.ts';
import { readShopName } from '../catalogue/shop-name.ts';
import type { Buyer } from './buyer.ts';
import { toGatewayCustomer } from './cards.ts';
import { getUnpaidError } from './confirm.ts';
import { boughtElsewhereError } from './open-transaction.ts';
import type { PaymentServices } from './payment-services.ts';
import type { Intent, Terms } from './port.ts';
import { setReceiptOrigin } from './receipt.ts';
import { applyIntent, releaseAtGateway } from './reconcile.ts';
import { isOpen, changeStatus, toPaymentReference, type Transaction } from './transactions.ts';
import { getPurchaseKind } from './purchase-kind.ts';

/**
 * The description on the gateway's page, and the terms of a subscription that the customer agrees
 * to there.
 */
export type GatewayOrder = { description: string; subscription?: Terms };

/**
 * Creates the transaction's intent at the gateway, or returns the existing one.
 * @throws DomainError conflict conflict if another window has ended the transaction in the
 * meantime: it must not be paid any more; conflict not_for_sale if the gateway cannot charge the
 * amount in this currency; payment_failed if the saved card failed and the gateway accepts no other
 * one; PaymentUnknown
 */
export async function getOrCreateIntent(
  services: PaymentServices,
  { storeId, userId, spoken, origin, acceptLanguage }: Buyer,
  { description, subscription }: GatewayOrder,
  transaction: Transaction,
  cardToken?: string,
): Promise<Intent> {
  await setReceiptOrigin(services.db, transaction, { language: spoken.language, origin });
  const intent = await services.payment.create({
    reference: toPaymentReference(transaction),
    amountMinor: transaction.amount_minor,
    currency: transaction.currency,
    description,
    shopName: await readShopName(services.db, storeId, spoken),
    returnUrl: origin + getPurchaseKind(services.kinds, transaction).returnPath(transaction),
    language: acceptLanguage.slice(0, 100) || '*',
    customer: toGatewayCustomer({ storeId, userId }),
    ...(transaction.method === 'card' ? {} : { method: transaction.method }),
    ...(cardToken === undefined ? {} : { cardToken }),
    ...(subscription === undefined ? {} : { subscription }),
  });
  const updatedTransaction = await applyIntent(services, transaction, intent);
  if (isOpen(updatedTransaction) || updatedTransaction.status === 'paid') return intent;
  const releasedTransaction = await releaseAtGateway(services, updatedTransaction);
  if (releasedTransaction.status === 'paid') return intent;
  throw releasedTransaction.status === 'failed' && cardToken !== undefined
    ? getUnpaidError(releasedTransaction)
    : boughtElsewhereError();
}

/**
 * Ends a payment whose saved card was declined: without a page, no other card can be tried. Does
 * nothing for any other payment.
 * @throws DomainError payment_failed if the card was declined; PaymentUnknown
 */
export async function failDeclinedPayment(
  { db, payment }: Pick<PaymentServices, 'db' | 'payment'>,
  transaction: Transaction,
  intent: Intent,
): Promise<void> {
  if (intent.state !== 'open' || intent.reason === null) return;
  await payment.cancel(intent.id);
  throw getUnpaidError(await changeStatus(db, transaction, ['pending'], 'failed', intent.reason));
}

/** A transaction and its intent at the gateway. */
export type StartedPayment = { transaction: Transaction; intent: Intent };

/**
 * Checks the payment method, card by default.
 * @returns the method
 * @throws DomainError bad_request for a method that the store's gateway does not offer
 */
export function requireMethod(
  { payment }: Pick<PaymentServices, 'payment'>,
  method: 'card' | PaymentMethod = 'card',
): 'card' | PaymentMethod {
  if (method !== 'card' && !payment.methods.includes(method))
    throw new DomainError(
      'bad_request',
      `Unsupported payment method: ${method}. Expected ${['card', ...payment.methods].join(', ')}.`,
    );
  return method;
}
