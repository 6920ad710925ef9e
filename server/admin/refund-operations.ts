import { DomainError } from '../kernel/errors.ts';
import { toMajor } from '../base/money.ts';
import { shortNumber } from '../../machines/model/buying/order-number.ts';
import type { Database } from '../database/open.ts';
import { giftBought, giftOf, isGiftOpened } from '../gifts/give-gift.ts';
import { PaymentUnknown } from '../payment/port.ts';
import { beginRefund, refund } from '../payment/refund.ts';
import { kindOf } from '../payment/purchase-kind.ts';
import { purchaseKinds } from '../purchases/kinds.ts';
import { refundCredits } from '../purchases/refund-credits.ts';
import { beginSubscriptionRefund, lastPayment, refundSubscription, subscriptionById } from '../subscriptions/refund.ts';
import { isPaid, type Transaction } from '../payment/transactions.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { type Given, type Operation, type Operator, type Row, textOf, type Told } from './given.ts';

/** An order as the operator names it: a payment, or a purchase for credits. */
type Found = { id: string; email: string; transaction: Transaction | undefined; credits: CreditPurchase | undefined };
type CreditPurchase = { userId: string; titleId: string; credits: number; refundedAt: Date | null };

/** How an order's number begins in the database, as it is read out or as a whole. */
const beginningOf = (number: string): string => {
  const [, first, second] = /^([0-9a-f]{4})-?([0-9a-f]{4})$/i.exec(number.trim()) ?? [];
  return first === undefined ? number.trim() : `${first}${second ?? ''}-`.toLowerCase();
};

/** @throws BadOperation for none, or several */
async function findOrder(db: Database, store: string, number: string): Promise<Found> {
  const beginning = beginningOf(number);
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
    // What a payment has bought is named by the payment.
    .where('transaction_id', 'is', null)
    .limit(2)
    .execute();
  const [transaction, purchase] = [transactions[0], purchases[0]];
  const userId = transaction?.user_id ?? purchase?.user_id;
  if (userId === undefined) throw new BadOperation(`The store ${store} has no order ${number}.`);
  if (transactions.length + purchases.length > 1)
    throw new BadOperation(`Several orders have the number ${number}. Give the whole one, as purchases list tells it.`);
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('store_id', '=', store)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (transaction) return { id: transaction.id, email, transaction, credits: undefined };
  if (!purchase || purchase.credits === null) throw new BadOperation(`The order ${number} has cost nothing.`);
  const { credits, title_id: titleId, refunded_at: refundedAt } = purchase;
  return { id: purchase.id, email, transaction: undefined, credits: { userId, titleId: titleId ?? '', credits, refundedAt } };
}

const paymentRow = ({ id, email }: Found, { amount_minor: amount, currency, status }: Transaction): Row => ({
  order: id,
  email,
  amount: toMajor(amount, currency),
  currency,
  status,
});

/** @throws BadOperation where the payment cannot go back, and why */
async function refuseRefund({ db, payment }: Operator, transaction: Transaction): Promise<void> {
  const number = shortNumber(transaction.id);
  if (!isPaid(transaction)) throw new BadOperation(`The order ${number} was not paid: it is ${transaction.status}.`);
  if (payment && payment.provider !== transaction.provider)
    throw new BadOperation(
      `The order ${number} was paid by ${transaction.provider}, which the shop does not use now: give it back there.`,
    );
  const gift = await giftOf(db, transaction);
  if (gift && transaction.status === 'paid' && (await isGiftOpened(db, gift))) throw giftOpened(number);
}

const giftOpened = (number: string): BadOperation =>
  new BadOperation(`The gift of the order ${number} has been opened: who opened it keeps it.`);

async function refundPayment(operator: Operator, found: Found, payment: Transaction, isDryRun: boolean): Promise<Told> {
  const number = shortNumber(found.id);
  const amount = `${toMajor(payment.amount_minor - payment.refunded_minor, payment.currency)} ${payment.currency}`;
  if (payment.status === 'refunded')
    return { rows: [paymentRow(found, payment)], says: `The order ${number} of ${found.email} was given back before.` };
  await refuseRefund(operator, payment);
  if (isDryRun)
    return { rows: [paymentRow(found, payment)], says: `${amount} of the order ${number} could go back to ${found.email}.` };
  const { payment: port, log } = operator;
  try {
    const begun = await beginRefund({ db: operator.db, kinds: purchaseKinds }, payment);
    const done = port && log ? await refund({ db: operator.db, payment: port, log, kinds: purchaseKinds }, begun) : begun;
    const says =
      done.status === 'refunded'
        ? `${amount} of the order ${number} went back to ${found.email}, and what it paid for is taken back.`
        : `${amount} of the order ${number} is to go back to ${found.email}: the shop gives it back as soon as it runs.`;
    return { rows: [paymentRow(found, done)], says };
  } catch (error) {
    if (error instanceof PaymentUnknown)
      return {
        rows: [paymentRow(found, { ...payment, status: 'refunding' })],
        says: `${amount} of the order ${number} is to go back to ${found.email}: the gateway has not answered yet, and is asked again.`,
      };
    if (!(error instanceof DomainError)) throw error;
    throw error.code === 'gift_redeemed'
      ? giftOpened(number)
      : new BadOperation(`The gateway does not give the order ${number} back: ${error.message}`);
  }
}

/** Gives back what was paid for a subscription last, and ends it. */
async function refundOfSubscription(operator: Operator, found: Found, begun: Transaction, isDryRun: boolean): Promise<Told> {
  const { db, payment: port, log } = operator;
  const number = shortNumber(found.id);
  await refuseRefund(operator, begun);
  const held = await subscriptionById(db, begun.store_id, begun.id);
  const last = held && (await lastPayment(db, held));
  if (!held || !last) throw new BadOperation(`The subscription ${number} has cost nothing yet.`);
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
      says: `The last payment of the subscription ${number}, ${amount}, could go back to ${found.email}; the subscription would end.`,
    };
  const toDo = `The last payment of the subscription ${number}, ${amount}, is to go back to ${found.email}`;
  await beginSubscriptionRefund(db, held);
  if (!port || !log) return { rows: [row('refunding')], says: `${toDo}: the shop gives it back as soon as it runs.` };
  try {
    await refundSubscription({ db, payment: port, log, kinds: purchaseKinds }, held);
  } catch (error) {
    if (error instanceof PaymentUnknown)
      return { rows: [row('refunding')], says: `${toDo}: the gateway has not answered yet, and is asked again.` };
    if (!(error instanceof DomainError)) throw error;
    throw new BadOperation(`The gateway does not give the payment of ${number} back: ${error.message}`);
  }
  const isNew = (await subscriptionById(db, held.store_id, held.id))?.refunded_minor !== held.refunded_minor;
  const says = isNew
    ? `The last payment of the subscription ${number}, ${amount}, went back to ${found.email}, and the subscription has ended.`
    : `The last payment of the subscription ${number} went back to ${found.email} before.`;
  return { rows: [row('refunded')], says };
}

async function purchasesRefund(operator: Operator, store: string, given: Given): Promise<Told> {
  const isDryRun = given['dryRun'] === true;
  const found = await findOrder(operator.db, store, textOf(given, 'order'));
  if (found.transaction && kindOf(purchaseKinds, found.transaction).isRefundedBySubscription === true)
    return refundOfSubscription(operator, found, found.transaction, isDryRun);
  if (found.transaction) return refundPayment(operator, found, found.transaction, isDryRun);
  const { id, email, credits: spent } = found;
  if (!spent) throw new BadOperation(`The order ${shortNumber(id)} has cost nothing.`);
  const { credits, refundedAt, ...of } = spent;
  const gift = refundedAt === null ? await giftBought(operator.db, store, id) : undefined;
  if (gift && (await isGiftOpened(operator.db, gift))) throw giftOpened(shortNumber(id));
  const isNew =
    !isDryRun &&
    (await refundCredits(operator.db, { storeId: store, id, credits, ...of }).catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'gift_redeemed' ? giftOpened(shortNumber(id)) : error;
    }));
  const could = refundedAt === null ? 'could go back' : 'went back before';
  return {
    rows: [
      { order: id, email, amount: credits, currency: 'credits', status: isNew || refundedAt !== null ? 'refunded' : 'paid' },
    ],
    says: `${credits} credits of the order ${shortNumber(id)} ${isNew ? 'went back' : could} to ${email}.`,
  };
}

export const refundOperations: Readonly<Record<string, Operation>> = { 'purchases refund': purchasesRefund };
