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
import { beginSubscriptionRefund, findLastPayment, refundSubscription, findSubscriptionById } from '../subscriptions/refund.ts';
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

/** @throws BadOperation for no order, or several */
async function findOrder(db: Database, store: string, number: string): Promise<RefundablePurchase> {
  const beginning = toIdPrefix(number);
  const isMeant = beginning.endsWith('-')
    ? ({ op: 'like', id: `${beginning}%` } as const)
    : ({ op: '=', id: beginning } as const);
  const transactions = await db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', store)
    .where('id', isMeant.op, isMeant.id)
    .limit(2)
    .execute();
  const purchases = await db
    .selectFrom('purchases')
    .selectAll()
    .where('store_id', '=', store)
    .where('id', isMeant.op, isMeant.id)
    // Purchases with a payment are found by the payment.
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
  operator: OperationContext,
  found: RefundablePurchase,
  payment: Transaction,
  isDryRun: boolean,
): Promise<OperationResult> {
  const number = formatOrderNumber(found.id);
  const amount = `${toMajor(payment.amount_minor - payment.refunded_minor, payment.currency)} ${payment.currency}`;
  if (payment.status === 'refunded')
    return { rows: [toPaymentRow(found, payment)], says: `The order ${number} of ${found.email} was already refunded.` };
  await assertRefundable(operator, payment);
  if (isDryRun)
    return {
      rows: [toPaymentRow(found, payment)],
      says: `${amount} of the order ${number} could be refunded to ${found.email}.`,
    };
  const { payment: port, log } = operator;
  try {
    const begun = await beginRefund({ db: operator.db, kinds: purchaseKinds }, payment);
    const done =
      port && log ? await refundTransaction({ db: operator.db, payment: port, log, kinds: purchaseKinds }, begun) : begun;
    const says =
      done.status === 'refunded'
        ? `${amount} of the order ${number} was refunded to ${found.email}, and its titles were taken back.`
        : `${amount} of the order ${number} will be refunded to ${found.email} as soon as the shop runs.`;
    return { rows: [toPaymentRow(found, done)], says };
  } catch (error) {
    if (error instanceof PaymentUnknown)
      return {
        rows: [toPaymentRow(found, { ...payment, status: 'refunding' })],
        says: `${amount} of the order ${number} will be refunded to ${found.email}: the gateway did not answer, and is retried.`,
      };
    if (!(error instanceof DomainError)) throw error;
    throw error.code === 'gift_redeemed'
      ? giftOpenedError(number)
      : new BadOperation(`The gateway refused to refund the order ${number}: ${error.message}`);
  }
}

/** Refunds the last payment of a subscription, and ends it. */
async function refundLastPayment(
  operator: OperationContext,
  found: RefundablePurchase,
  begun: Transaction,
  isDryRun: boolean,
): Promise<OperationResult> {
  const { db, payment: port, log } = operator;
  const number = formatOrderNumber(found.id);
  await assertRefundable(operator, begun);
  const held = await findSubscriptionById(db, begun.store_id, begun.id);
  const last = held && (await findLastPayment(db, held));
  if (!held || !last) throw new BadOperation(`The subscription ${number} has no payment to refund yet.`);
  const amount = `${toMajor(last.amountMinor, last.currency)} ${last.currency}`;
  const row = (status: string): Row => ({
    order: found.id,
    email: found.email,
    amount: toMajor(last.amountMinor, last.currency),
    currency: last.currency,
    status,
  });
  if (isDryRun)
    return {
      rows: [row(held.status)],
      says: `The last payment of the subscription ${number}, ${amount}, could be refunded to ${found.email}, which would end it.`,
    };
  const toDo = `The last payment of the subscription ${number}, ${amount}, will be refunded to ${found.email}`;
  await beginSubscriptionRefund(db, held);
  if (!port || !log) return { rows: [row('refunding')], says: `${toDo} as soon as the shop runs.` };
  try {
    await refundSubscription({ db, payment: port, log, kinds: purchaseKinds }, held);
  } catch (error) {
    if (error instanceof PaymentUnknown)
      return { rows: [row('refunding')], says: `${toDo}: the gateway has not answered, and is retried.` };
    if (!(error instanceof DomainError)) throw error;
    throw new BadOperation(`The gateway refused to refund the payment of ${number}: ${error.message}`);
  }
  const isNew = (await findSubscriptionById(db, held.store_id, held.id))?.refunded_minor !== held.refunded_minor;
  const says = isNew
    ? `The last payment of the subscription ${number}, ${amount}, was refunded to ${found.email}, and the subscription has ended.`
    : `The last payment of the subscription ${number} was already refunded to ${found.email}.`;
  return { rows: [row('refunded')], says };
}

async function purchasesRefund(operator: OperationContext, store: string, given: OperationInput): Promise<OperationResult> {
  const isDryRun = given['dryRun'] === true;
  const found = await findOrder(operator.db, store, readText(given, 'order'));
  if (found.transaction && getPurchaseKind(purchaseKinds, found.transaction).isRefundedBySubscription === true)
    return refundLastPayment(operator, found, found.transaction, isDryRun);
  if (found.transaction) return refundPayment(operator, found, found.transaction, isDryRun);
  const { id, email, credits: spent } = found;
  if (!spent) throw new BadOperation(`The order ${formatOrderNumber(id)} was free: there is nothing to refund.`);
  const { credits, refundedAt, ...of } = spent;
  const gift = refundedAt === null ? await findGiftOfPurchase(operator.db, store, id) : undefined;
  if (gift && (await isGiftOpened(operator.db, gift))) throw giftOpenedError(formatOrderNumber(id));
  const isNew =
    !isDryRun &&
    (await refundCredits(operator.db, { storeId: store, id, credits, ...of }).catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'gift_redeemed' ? giftOpenedError(formatOrderNumber(id)) : error;
    }));
  const could = refundedAt === null ? 'could be refunded' : 'were already refunded';
  return {
    rows: [
      { order: id, email, amount: credits, currency: 'credits', status: isNew || refundedAt !== null ? 'refunded' : 'paid' },
    ],
    says: `${credits} credits of the order ${formatOrderNumber(id)} ${isNew ? 'were refunded' : could} to ${email}.`,
  };
}

export const refundOperations: Readonly<Record<string, AdminOperation>> = { 'purchases refund': purchasesRefund };
