import type { PaymentMethod } from '../database/schema/payments.ts';
import { DomainError } from '../kernel/errors.ts';
import { shopName } from '../catalogue/shop-name.ts';
import type { Buyer } from './buyer.ts';
import { gatewayCustomer } from './cards.ts';
import { refusalOf } from './confirm.ts';
import { boughtElsewhere } from './open-transaction.ts';
import type { PaymentServices } from './payment-services.ts';
import type { Intent, Terms } from './port.ts';
import { addressReceipt } from './receipt.ts';
import { follow, releaseAtGateway } from './reconcile.ts';
import { isOpen, move, referenceOf, type Transaction } from './transactions.ts';
import { kindOf } from './purchase-kind.ts';

/** The subject of a payment, in the words of the gateway's page. */
export type GatewayOrder = { description: string; subscription?: Terms };

/**
 * The transaction's intent at the gateway; the one that is there already when it is asked for
 * again.
 * @throws DomainError conflict when another window has ended the transaction in between: nothing
 * may be paid for it any more; payment_failed when this kept card was the last that the gateway
 * tries
 */
export async function intentFor(
  services: PaymentServices,
  { storeId, userId, spoken, origin, acceptLanguage }: Buyer,
  { description, subscription }: GatewayOrder,
  transaction: Transaction,
  cardToken?: string,
): Promise<Intent> {
  await addressReceipt(services.db, transaction, { language: spoken.language, origin });
  const intent = await services.payment.create({
    reference: referenceOf(transaction),
    amountMinor: transaction.amount_minor,
    currency: transaction.currency,
    description,
    shopName: await shopName(services.db, storeId, spoken),
    returnUrl: origin + kindOf(services.kinds, transaction).returnPath(transaction),
    language: acceptLanguage.slice(0, 100) || '*',
    customer: gatewayCustomer({ storeId, userId }),
    ...(transaction.method === 'card' ? {} : { method: transaction.method }),
    ...(cardToken === undefined ? {} : { cardToken }),
    ...(subscription === undefined ? {} : { subscription }),
  });
  const followed = await follow(services, transaction, intent);
  if (isOpen(followed) || followed.status === 'paid') return intent;
  const released = await releaseAtGateway(services, followed);
  if (released.status === 'paid') return intent;
  throw released.status === 'failed' && cardToken !== undefined ? refusalOf(released) : boughtElsewhere();
}

/**
 * A kept card that is declined ends its payment: there is no page on which to try another.
 * @throws DomainError payment_failed when it was
 */
export async function endDeclined(
  { db, payment }: Pick<PaymentServices, 'db' | 'payment'>,
  transaction: Transaction,
  intent: Intent,
): Promise<void> {
  if (intent.state !== 'open' || intent.reason === null) return;
  await payment.cancel(intent.id);
  throw refusalOf(await move(db, transaction, ['pending'], 'failed', intent.reason));
}

/** A payment, and its page at the gateway. */
export type Begun = { transaction: Transaction; intent: Intent };

/**
 * How it is to be paid on the gateway's page. @throws DomainError bad_request for a way that the
 * store's gateway does not offer
 */
export function methodOf(
  { payment }: Pick<PaymentServices, 'payment'>,
  method: 'card' | PaymentMethod = 'card',
): 'card' | PaymentMethod {
  if (method !== 'card' && !payment.methods.includes(method))
    throw new DomainError('bad_request', 'Payments are not taken in this way here.');
  return method;
}
