import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import { sweepChanges } from '../subscriptions/change-plan.ts';
import { sweepSubscriptionRefunds } from '../subscriptions/refund.ts';
import { sweepSubscriptions } from '../subscriptions/renew.ts';
import { sweepCards } from '../payment/cards.ts';
import { releaseTransaction } from '../payment/open-transaction.ts';
import { refundTransaction } from '../payment/refund.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { reconcile, releaseAtGateway } from '../payment/reconcile.ts';
import { SweepRound } from '../payment/sweep-round.ts';
import { isOpen, type Transaction } from '../payment/transactions.ts';
import { shopNow } from '../base/clock/time.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Maximum payments of one kind in a sweep: in total, and per customer. */
const BATCH_SIZES = { total: 100, perCustomer: 20 };

/** The numbers of rows that a sweep has changed, by kind. */
export type SweepCounts = {
  payments: number;
  subscriptionRefunds: number;
  planChanges: number;
  subscriptions: number;
  forgottenCards: number;
};

/**
 * Completes open payments: first refunds and the release of reserved money, then the capture and
 * grant of confirmed payments, then unconfirmed payments, which are released after a day. Then it
 * applies plan changes, reads due subscriptions, and deletes removed cards at the gateway. Each
 * kind has a batch of its own, with a maximum per customer.
 * @param stopping ends the sweep after the current row
 */
export async function sweep(services: PaymentServices, now: Date = shopNow(), stopping?: AbortSignal): Promise<SweepCounts> {
  const round = new SweepRound(services, stopping);
  const subscriptionRefunds = await sweepSubscriptionRefunds(services, round, now);
  let payments = 0;
  for (const kind of [isBeingRefunded, isConfirmed, isUnconfirmed]) payments += await sweepPayments(services, round, now, kind);
  return {
    payments,
    subscriptionRefunds,
    planChanges: await sweepChanges(services, round, now),
    subscriptions: await sweepSubscriptions(services, round, now),
    forgottenCards: await sweepCards(services, round, now),
  };
}

/** Condition: the payment is of one kind of the sweep. */
type IsOfKind = (eb: ExpressionBuilder<Tables, 'transactions'>) => ExpressionWrapper<Tables, 'transactions', SqlBool>;

const isConfirmed: IsOfKind = (eb) => eb('status', '=', 'capturing');
const isUnconfirmed: IsOfKind = (eb) => eb('status', 'in', ['pending', 'authorized']);
const isBeingRefunded: IsOfKind = (eb) => eb('status', 'not in', ['capturing', 'pending', 'authorized']);

const sweepPayments = async (services: PaymentServices, round: SweepRound, now: Date, isOfKind: IsOfKind): Promise<number> =>
  round.run({
    rows: await readNextPayments(services.db, now, isOfKind),
    markSwept: ({ store_id, id }) =>
      services.db
        .updateTable('transactions')
        .set({ swept_at: now })
        .where('store_id', '=', store_id)
        .where('id', '=', id)
        .execute(),
    settle: async (transaction) => (await sweepPayment(services, transaction, now)).status !== transaction.status,
    describe: ({ store_id: store, id }) => ({ store, transaction: id }),
    unknownEvent: 'payment.reconcile.outcome_unknown',
    failedEvent: 'payment.reconcile.failed',
  });

/**
 * Reads a batch of payments, round robin over customers: each customer's first payment, then each
 * one's second, and so on, least recently tried first, so that no customer waits for another
 * customer's payments. A refund or release that is unfinished a day after the payment's last change
 * is retried hourly.
 */
async function readNextPayments(db: Database, now: Date, isOfKind: IsOfKind): Promise<Transaction[]> {
  const unfinished = db
    .selectFrom('transactions')
    .selectAll()
    .select((eb) =>
      eb.fn
        .agg<number>('row_number')
        .over((window) =>
          window
            .partitionBy(['store_id', 'user_id'])
            .orderBy('swept_at', (order) => order.asc().nullsFirst())
            .orderBy('updated_at'),
        )
        .as('place'),
    )
    .where('finished', '=', false)
    .where(isOfKind)
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['capturing', 'pending', 'authorized']),
        eb('updated_at', '>', new Date(now.getTime() - DAY_MS)),
        eb('swept_at', 'is', null),
        eb('swept_at', '<=', new Date(now.getTime() - HOUR_MS)),
      ]),
    );
  return db
    .selectFrom(unfinished.as('waiting'))
    .selectAll()
    .where('place', '<=', BATCH_SIZES.perCustomer)
    .orderBy('place')
    .orderBy('swept_at', (order) => order.asc().nullsFirst())
    .orderBy('updated_at')
    .limit(BATCH_SIZES.total)
    .execute();
}

async function sweepPayment(services: PaymentServices, storedTransaction: Transaction, now: Date): Promise<Transaction> {
  if (storedTransaction.status === 'refunding') return refundTransaction(services, storedTransaction);
  if (!isOpen(storedTransaction)) return releaseAtGateway(services, storedTransaction, now);
  const { transaction } = await reconcile(services, storedTransaction);
  const isAbandoned = now.getTime() - transaction.created_at.getTime() > DAY_MS;
  return isAbandoned && isOpen(transaction) ? releaseTransaction(services, transaction, 'abandoned') : transaction;
}
