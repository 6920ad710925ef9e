import { DomainError } from '../kernel/errors.ts';
import { toMajor } from '../base/money.ts';
import { formatOrderNumber } from '../../machines/model/buying/order-number.ts';
import type { Database } from '../database/open.ts';
import { findGiftOfPurchase, findGiftOfTransaction, isGiftOpened } from '../gifts/give-gift.ts';
import { PaymentUnknown } from '../payment/port.ts';
import { beginRefund, refundTransaction } from '../payment/refund.ts';
import { getPurchaseKind } from '../payment/purchase-kind.ts';
import { purchaseKinds } from '../purchases/kinds.ts';
import { refundCredits } from '../purchases/refund-credits.ts';
import {
  beginSubscriptionRefund,
  findLastPayment,
  refundLastSubscriptionPayment,
  findSubscriptionById,
} from '../subscriptions/refund.ts';
import { isPaid, type Transaction } from '../payment/transactions.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import {
  type OperationInput,
  type AdminOperation,
  type OperationContext,
  type Row,
  readText,
  type OperationResult,
} from './operation-input.ts';

/** An order as the operator names it: a payment, or a purchase for credits. */
type RefundablePurchase = {
  id: string;
  email: string;
  transaction: Transaction | undefined;
  credits: CreditPurchase | undefined;
};
type CreditPurchase = { userId: string; titleId: string; credits: number; refundedAt: Date | null };

/**
 * The prefix of an order's id in the database, from the short number that customers see or from the
 * whole id.
 */
const toIdPrefix = (number: string): string => {
  const [, first, second] = /^([0-9a-f]{4})-?([0-9a-f]{4})$/i.exec(number.trim()) ?? [];
  return first === undefined ? number.trim() : `${first}${second ?? ''}-`.toLowerCase();
};

/** Finds the order with a number. @throws BadOperation for a number of no order, or of several */
async function findOrder(db: Database, store: string, number: string): Promise<RefundablePurchase> {
  const idPrefix = toIdPrefix(number);
  const idCondition = idPrefix.endsWith('-')
    ? ({ op: 'like', id: `${idPrefix}%` } as const)
    : ({ op: '=', id: idPrefix } as const);
  const transactions = await db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', store)
    .where('id', idCondition.op, idCondition.id)
    .limit(2)
    .execute();
  const purchases = await db
    .selectFrom('purchases')
    .selectAll()
    .where('store_id', '=', store)
    .where('id', idCondition.op, idCondition.id)
    // Purchases that have a payment are found by it in `transactions`.
    .where('transaction_id', 'is', null)
    .limit(2)
    .execute();
  const [transaction, purchase] = [transactions[0], purchases[0]];
  const userId = transaction?.user_id ?? purchase?.user_id;
  if (userId === undefined) throw new BadOperation(`The store ${store} has no order ${number}.`);
  if (transactions.length + purchases.length > 1)
    throw new BadOperation(`Several orders have the number ${number}. Give the whole id, as purchases list shows it.`);
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('store_id', '=', store)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (transaction) return { id: transaction.id, email, transaction, credits: undefined };
  if (!purchase || purchase.credits === null) throw new BadOperation(`The order ${number} was free: there is nothing to refund.`);
  const { credits, title_id: titleId, refunded_at: refundedAt } = purchase;
  return { id: purchase.id, email, transaction: undefined, credits: { userId, titleId: titleId ?? '', credits, refundedAt } };
}

const toPaymentRow = ({ id, email }: RefundablePurchase, { amount_minor: amount, currency, status }: Transaction): Row => ({
  order: id,
  email,
  amount: toMajor(amount, currency),
  currency,
  status,
});

/** @throws BadOperation with the reason where the payment cannot be refunded */
async function assertRefundable({ db, payment }: OperationContext, transaction: Transaction): Promise<void> {
  const number = formatOrderNumber(transaction.id);
  if (!isPaid(transaction)) throw new BadOperation(`The order ${number} was not paid: it is ${transaction.status}.`);
  if (payment && payment.provider !== transaction.provider)
    throw new BadOperation(
      `The order ${number} was paid by ${transaction.provider}, which the shop does not use now: refund it there.`,
    );
  const gift = await findGiftOfTransaction(db, transaction);
  if (gift && transaction.status === 'paid' && (await isGiftOpened(db, gift))) throw giftOpenedError(number);
}

const giftOpenedError = (number: string): BadOperation =>
  new BadOperation(`The gift of the order ${number} has been opened: its recipient keeps it.`);

async function refundPayment(
  context: OperationContext,
  purchase: RefundablePurchase,
  payment: Transaction,
  isDryRun: boolean,
): Promise<OperationResult> {
  const number = formatOrderNumber(purchase.id);
  const amount = `${toMajor(payment.amount_minor - payment.refunded_minor, payment.currency)} ${payment.currency}`;
  if (payment.status === 'refunded')
    return { rows: [toPaymentRow(purchase, payment)], message: `The order ${number} of ${purchase.email} was already refunded.` };
  await assertRefundable(context, payment);
  if (isDryRun)
    return {
      rows: [toPaymentRow(purchase, payment)],
      message: `${amount} of the order ${number} could be refunded to ${purchase.email}.`,
    };
  const { payment: paymentPort, log } = context;
  try {
    const startedRefund = await beginRefund({ db: context.db, kinds: purchaseKinds }, payment);
    const refundedPayment =
      paymentPort && log
        ? await refundTransaction({ db: context.db, payment: paymentPort, log, kinds: purchaseKinds }, startedRefund)
        : startedRefund;
    const message =
      refundedPayment.status === 'refunded'
        ? `${amount} of the order ${number} was refunded to ${purchase.email}, and its titles were taken back.`
        : `${amount} of the order ${number} will be refunded to ${purchase.email} as soon as the shop runs.`;
    return { rows: [toPaymentRow(purchase, refundedPayment)], message };
  } catch (error) {
    if (error instanceof PaymentUnknown)
      return {
        rows: [toPaymentRow(purchase, { ...payment, status: 'refunding' })],
        message: `${amount} of the order ${number} will be refunded to ${purchase.email}: the gateway did not answer, and is retried.`,
      };
    if (!(error instanceof DomainError)) throw error;
    throw error.code === 'gift_redeemed'
      ? giftOpenedError(number)
      : new BadOperation(`The gateway refused to refund the order ${number}: ${error.message}`);
  }
}

/** Refunds the last payment of a subscription, and ends it. */
async function refundLastPayment(
  context: OperationContext,
  purchase: RefundablePurchase,
  transaction: Transaction,
  isDryRun: boolean,
): Promise<OperationResult> {
  const { db, payment: paymentPort, log } = context;
  const number = formatOrderNumber(purchase.id);
  await assertRefundable(context, transaction);
  const subscription = await findSubscriptionById(db, transaction.store_id, transaction.id);
  const lastPayment = subscription && (await findLastPayment(db, subscription));
  if (!subscription || !lastPayment) throw new BadOperation(`The subscription ${number} has no payment to refund yet.`);
  const amount = `${toMajor(lastPayment.amountMinor, lastPayment.currency)} ${lastPayment.currency}`;
  const toRow = (status: string): Row => ({
    order: purchase.id,
    email: purchase.email,
    amount: toMajor(lastPayment.amountMinor, lastPayment.currency),
    currency: lastPayment.currency,
    status,
  });
  if (isDryRun)
    return {
      rows: [toRow(subscription.status)],
      message: `The last payment of the subscription ${number}, ${amount}, could be refunded to ${purchase.email}, which would end it.`,
    };
  const pendingText = `The last payment of the subscription ${number}, ${amount}, will be refunded to ${purchase.email}`;
  await beginSubscriptionRefund(db, subscription);
  if (!paymentPort || !log) return { rows: [toRow('refunding')], message: `${pendingText} as soon as the shop runs.` };
  try {
    await refundLastSubscriptionPayment({ db, payment: paymentPort, log, kinds: purchaseKinds }, subscription);
  } catch (error) {
    if (error instanceof PaymentUnknown)
      return { rows: [toRow('refunding')], message: `${pendingText}: the gateway has not answered, and is retried.` };
    if (!(error instanceof DomainError)) throw error;
    throw new BadOperation(`The gateway refused to refund the payment of ${number}: ${error.message}`);
  }
  const isNew =
    (await findSubscriptionById(db, subscription.store_id, subscription.id))?.refunded_minor !== subscription.refunded_minor;
  const message = isNew
    ? `The last payment of the subscription ${number}, ${amount}, was refunded to ${purchase.email}, and the subscription has ended.`
    : `The last payment of the subscription ${number} was already refunded to ${purchase.email}.`;
  return { rows: [toRow('refunded')], message };
}

async function refundPurchase(context: OperationContext, store: string, input: OperationInput): Promise<OperationResult> {
  const isDryRun = input['dryRun'] === true;
  const purchase = await findOrder(context.db, store, readText(input, 'order'));
  if (purchase.transaction && getPurchaseKind(purchaseKinds, purchase.transaction).isRefundedBySubscription === true)
    return refundLastPayment(context, purchase, purchase.transaction, isDryRun);
  if (purchase.transaction) return refundPayment(context, purchase, purchase.transaction, isDryRun);
  const { id, email, credits: creditPurchase } = purchase;
  if (!creditPurchase) throw new BadOperation(`The order ${formatOrderNumber(id)} was free: there is nothing to refund.`);
  const { credits, refundedAt, ...owner } = creditPurchase;
  const gift = refundedAt === null ? await findGiftOfPurchase(context.db, store, id) : undefined;
  if (gift && (await isGiftOpened(context.db, gift))) throw giftOpenedError(formatOrderNumber(id));
  const isNew =
    !isDryRun &&
    (await refundCredits(context.db, { storeId: store, id, credits, ...owner }).catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'gift_redeemed' ? giftOpenedError(formatOrderNumber(id)) : error;
    }));
  const outcome = refundedAt === null ? 'could be refunded' : 'were already refunded';
  return {
    rows: [
      { order: id, email, amount: credits, currency: 'credits', status: isNew || refundedAt !== null ? 'refunded' : 'paid' },
    ],
    message: `${credits} credits of the order ${formatOrderNumber(id)} ${isNew ? 'were refunded' : outcome} to ${email}.`,
  };
}

export const refundOperations: Readonly<Record<string, AdminOperation>> = { 'purchases refund': refundPurchase };
