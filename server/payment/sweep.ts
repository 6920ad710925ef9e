import { sweepChanges } from '../subscriptions/change-plan.ts';
import { sweepSubscriptionRefunds } from '../subscriptions/refund.ts';
import { sweepSubscriptions } from '../subscriptions/renew.ts';
import { sweepCards } from './cards.ts';
import { release } from './open-transaction.ts';
import { PaymentUnknown } from './port.ts';
import { refund } from './refund.ts';
import { type PaymentServices, reconcile, releaseAtGateway } from './reconcile.ts';
import { isOpen, type Transaction } from './transactions.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Payments that a round looks at, and how many of them confirmed ones may be, however many there are. */
const BATCH = 200;
const CONFIRMED = 100;

/** Payments in a row without an answer before the gateway is asked whether it is there at all. */
const MOST_UNANSWERED = 5;

/**
 * Finishes what was left open: books payments that were captured but not granted, captures those that the customer had
 * confirmed, releases what nobody came back to for a day, and what is reserved for purchases that were given up, and gives back
 * what is to go back. Each round looks at those that none has looked at for longest; half of it is kept for confirmed payments. Then it asks about
 * the subscriptions that are due, and has the gateway forget the cards that were taken off.
 * @param stopping ends the round after the payment that it is at
 * @returns how many transactions changed
 */
export async function sweep(services: PaymentServices, now: Date = new Date(), stopping?: AbortSignal): Promise<number> {
  let changed = 0;
  let unanswered = 0;
  for (const transaction of await nextInTurn(services, now)) {
    if (stopping?.aborted) break;
    try {
      await noteSwept(services, transaction, now);
      const after = await sweepOne(services, transaction, now);
      unanswered = 0;
      if (after.status !== transaction.status) changed += 1;
    } catch (error) {
      if (!(error instanceof PaymentUnknown)) {
        services.log.error({ err: error, transaction: transaction.id }, 'a transaction could not be reconciled');
        continue;
      }
      unanswered += 1;
      if (unanswered < MOST_UNANSWERED) continue;
      // A few payments that get no answer keep no other waiting.
      if (!(await services.payment.isUp())) break;
      unanswered = 0;
    }
  }
  await sweepChanges(services, undefined, stopping);
  await sweepSubscriptionRefunds(services, stopping);
  await sweepSubscriptions(services, now, stopping);
  await sweepCards(services, now, stopping);
  return changed;
}

/** Those that were looked at longest ago first. What is still not over a day after it was given up is asked for hourly. */
async function nextInTurn({ db }: PaymentServices, now: Date): Promise<Transaction[]> {
  const unfinished = db
    .selectFrom('transactions')
    .selectAll()
    .where('finished', '=', false)
    .orderBy('swept_at', (order) => order.asc().nullsFirst())
    .orderBy('updated_at');
  const confirmed = await unfinished.where('status', '=', 'capturing').limit(CONFIRMED).execute();
  const others = await unfinished
    .where('status', '<>', 'capturing')
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['pending', 'authorized']),
        eb('updated_at', '>', new Date(now.getTime() - DAY)),
        eb('swept_at', 'is', null),
        eb('swept_at', '<=', new Date(now.getTime() - HOUR)),
      ]),
    )
    .limit(BATCH - confirmed.length)
    .execute();
  return [...confirmed, ...others].toSorted((one, other) => lastSwept(one) - lastSwept(other));
}

const lastSwept = ({ swept_at }: Transaction): number => swept_at?.getTime() ?? 0;

const noteSwept = ({ db }: PaymentServices, { store_id, id }: Transaction, now: Date): Promise<unknown> =>
  db.updateTable('transactions').set({ swept_at: now }).where('store_id', '=', store_id).where('id', '=', id).execute();

async function sweepOne(services: PaymentServices, before: Transaction, now: Date): Promise<Transaction> {
  if (before.status === 'refunding') return refund(services, before);
  if (!isOpen(before)) return releaseAtGateway(services, before, now);
  const { transaction } = await reconcile(services, before);
  const abandoned = now.getTime() - transaction.created_at.getTime() > DAY;
  return abandoned && isOpen(transaction) ? release(services, transaction, 'abandoned') : transaction;
}
