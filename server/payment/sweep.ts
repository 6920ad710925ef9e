import type { Services } from '../services.ts';
import { release } from './open-transaction.ts';
import { PaymentUnknown } from './port.ts';
import { reconcile } from './reconcile.ts';
import { OPEN, move, type Transaction } from './transactions.ts';

const DAY = 24 * 60 * 60 * 1000;
const BATCH = 200;

/**
 * Finishes what was left open: books payments that were captured but not granted, captures those that the customer had
 * confirmed, and releases what nobody came back to for a day. A gateway that does not answer ends the round.
 * @returns how many transactions changed
 */
export async function sweep(services: Services, now: Date = new Date()): Promise<number> {
  const open = await services.db
    .selectFrom('transactions')
    .selectAll()
    .where('status', 'in', OPEN)
    .orderBy((eb) => eb.case().when('status', '=', 'capturing').then(0).else(1).end())
    .orderBy('updated_at')
    .limit(BATCH)
    .execute();
  let changed = 0;
  for (const transaction of open) {
    try {
      const after = await attend(services, transaction, now);
      if (after.status !== transaction.status) changed += 1;
    } catch (error) {
      if (error instanceof PaymentUnknown) return changed;
      services.log.error({ err: error, transaction: transaction.id }, 'a transaction could not be reconciled');
    }
  }
  return changed;
}

async function attend(services: Services, before: Transaction, now: Date): Promise<Transaction> {
  const { transaction } = await reconcile(services, before);
  const abandoned = now.getTime() - transaction.created_at.getTime() > DAY;
  if (!abandoned || !OPEN.includes(transaction.status) || transaction.status === 'capturing') return transaction;
  return transaction.intent_id === null
    ? move(services.db, transaction, ['pending'], 'cancelled', 'abandoned')
    : release(services, transaction, 'abandoned');
}

/** Sweeps now and every minute; rounds do not overlap. @returns stops it, and waits for a round that is under way */
export function startSweeping(services: Services, interval = 60_000): () => Promise<void> {
  let round: Promise<unknown> = Promise.resolve();
  const start = () => {
    round = round
      .then(() => sweep(services))
      .catch((error: unknown) => {
        services.log.error({ err: error }, 'the sweep failed');
      });
  };
  start();
  const timer = setInterval(start, interval);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}
