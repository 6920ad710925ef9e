import type { Services } from '../services.ts';
import { release } from './open-transaction.ts';
import { PaymentUnknown } from './port.ts';
import { finish, reconcile } from './reconcile.ts';
import { isOpen, type Transaction } from './transactions.ts';

const DAY = 24 * 60 * 60 * 1000;
const BATCH = 200;

/** Payments in a row about which a gateway says nothing before it is taken for gone. */
const SILENCE = 5;

/**
 * Finishes what was left open: books payments that were captured but not granted, captures those that the customer had
 * confirmed, releases what nobody came back to for a day, and what is reserved for purchases that were given up. Each
 * round looks first at confirmed payments, then at those that it has not looked at for longest.
 * @returns how many transactions changed
 */
export async function sweep(services: Services, now: Date = new Date()): Promise<number> {
  const unfinished = await services.db
    .selectFrom('transactions')
    .selectAll()
    .where('finished', '=', false)
    .orderBy((eb) => eb.case().when('status', '=', 'capturing').then(0).else(1).end())
    .orderBy('swept_at', (order) => order.asc().nullsFirst())
    .orderBy('updated_at')
    .limit(BATCH)
    .execute();
  let changed = 0;
  let silent = 0;
  for (const transaction of unfinished) {
    try {
      await noteSwept(services, transaction, now);
      const after = await attend(services, transaction, now);
      silent = 0;
      if (after.status !== transaction.status) changed += 1;
    } catch (error) {
      if (!(error instanceof PaymentUnknown))
        services.log.error({ err: error, transaction: transaction.id }, 'a transaction could not be reconciled');
      else if (++silent === SILENCE) return changed;
    }
  }
  return changed;
}

const noteSwept = ({ db }: Services, { store_id, id }: Transaction, now: Date): Promise<unknown> =>
  db.updateTable('transactions').set({ swept_at: now }).where('store_id', '=', store_id).where('id', '=', id).execute();

async function attend(services: Services, before: Transaction, now: Date): Promise<Transaction> {
  if (!isOpen(before)) return finish(services, before, now);
  const { transaction } = await reconcile(services, before);
  const abandoned = now.getTime() - transaction.created_at.getTime() > DAY;
  return abandoned && isOpen(transaction) ? release(services, transaction, 'abandoned') : transaction;
}
