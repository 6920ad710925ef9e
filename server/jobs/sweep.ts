import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import { sweepChanges } from '../subscriptions/change-plan.ts';
import { sweepSubscriptionRefunds } from '../subscriptions/refund.ts';
import { sweepSubscriptions } from '../subscriptions/renew.ts';
import { sweepCards } from '../payment/cards.ts';
import { release } from '../payment/open-transaction.ts';
import { refund } from '../payment/refund.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { reconcile, releaseAtGateway } from '../payment/reconcile.ts';
import { SweepRound } from '../payment/sweep-round.ts';
import { isOpen, type Transaction } from '../payment/transactions.ts';
import { shopNow } from '../base/clock/time.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Payments of one kind that a round looks at, of all customers together and of each. */
const BATCH = { all: 100, customer: 20 };

/** Rows that a round has changed. */
export type Swept = {
  payments: number;
  subscriptionRefunds: number;
  planChanges: number;
  subscriptions: number;
  forgottenCards: number;
};

/**
 * Finishes open payments. Refunds and the release of reserved money come first, then the capture
 * and grant of payments that were confirmed, then payments that the customer has not come back to,
 * which are released after a day. Then it asks about changed plans and due subscriptions, and has
 * the gateway forget removed cards. Each kind has a batch of its own, and each customer a share.
 * @param stopping ends the round after the row that it is at
 */
export async function sweep(services: PaymentServices, now: Date = shopNow(), stopping?: AbortSignal): Promise<Swept> {
  const round = new SweepRound(services, stopping);
  const subscriptionRefunds = await sweepSubscriptionRefunds(services, round, now);
  let payments = 0;
  for (const kind of [isGoingBack, isConfirmed, isUnconfirmed]) payments += await sweepPayments(services, round, now, kind);
  return {
    payments,
    subscriptionRefunds,
    planChanges: await sweepChanges(services, round, now),
    subscriptions: await sweepSubscriptions(services, round, now),
    forgottenCards: await sweepCards(services, round, now),
  };
}

type IsOfKind = (eb: ExpressionBuilder<Tables, 'transactions'>) => ExpressionWrapper<Tables, 'transactions', SqlBool>;

const isConfirmed: IsOfKind = (eb) => eb('status', '=', 'capturing');
const isUnconfirmed: IsOfKind = (eb) => eb('status', 'in', ['pending', 'authorized']);
const isGoingBack: IsOfKind = (eb) => eb('status', 'not in', ['capturing', 'pending', 'authorized']);

const sweepPayments = async (services: PaymentServices, round: SweepRound, now: Date, isOfKind: IsOfKind): Promise<number> =>
  round.run({
    rows: await nextInTurn(services.db, now, isOfKind),
    noteTurn: ({ store_id, id }) =>
      services.db
        .updateTable('transactions')
        .set({ swept_at: now })
        .where('store_id', '=', store_id)
        .where('id', '=', id)
        .execute(),
    settle: async (transaction) => (await sweepOne(services, transaction, now)).status !== transaction.status,
    describe: ({ id }) => ({ transaction: id }),
    failure: 'a transaction could not be reconciled',
  });

/**
 * Each customer's first payment, then each one's second, and so on; among these the one that was
 * looked at longest ago. So no customer's money waits for another customer's. A payment that is
 * still open a day after it was given up is asked for hourly.
 */
async function nextInTurn(db: Database, now: Date, isOfKind: IsOfKind): Promise<Transaction[]> {
  const waiting = db
    .selectFrom('transactions')
    .selectAll()
    .select((eb) =>
      eb.fn
        .agg<number>('row_number')
        .over((over) =>
          over
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
        eb('updated_at', '>', new Date(now.getTime() - DAY)),
        eb('swept_at', 'is', null),
        eb('swept_at', '<=', new Date(now.getTime() - HOUR)),
      ]),
    );
  return db
    .selectFrom(waiting.as('waiting'))
    .selectAll()
    .where('place', '<=', BATCH.customer)
    .orderBy('place')
    .orderBy('swept_at', (order) => order.asc().nullsFirst())
    .orderBy('updated_at')
    .limit(BATCH.all)
    .execute();
}

async function sweepOne(services: PaymentServices, before: Transaction, now: Date): Promise<Transaction> {
  if (before.status === 'refunding') return refund(services, before);
  if (!isOpen(before)) return releaseAtGateway(services, before, now);
  const { transaction } = await reconcile(services, before);
  const abandoned = now.getTime() - transaction.created_at.getTime() > DAY;
  return abandoned && isOpen(transaction) ? release(services, transaction, 'abandoned') : transaction;
}
