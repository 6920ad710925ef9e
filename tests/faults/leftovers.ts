import { join } from 'node:path';
import type { Database } from '../../server/database/open.ts';
import { ledgerFaults } from '../../server/payment/ledger.ts';
import type { PaymentPort } from '../../server/payment/port.ts';
import { referenceOf } from '../../server/payment/transactions.ts';
import { journalOf, unfinishedIn } from '../server/support/gateway-journal.ts';
import { lastSweeps } from '../server/support/last-sweeps.ts';

/** A trace that no finished purchase leaves. `userId` is null where its customer is unknown. */
export type Leftover = { userId: string | null; says: string };

/**
 * Sweeps, and looks for reserved money, unfinished transactions, and ledgers that do not balance.
 * @param data the folder in which the gateway's is
 */
export async function leftAfterSweeps(db: Database, payment: PaymentPort, data: string): Promise<Leftover[]> {
  await lastSweeps([db], payment);
  const transactions = await db.selectFrom('transactions').selectAll().execute();
  const reserved = unfinishedIn(await journalOf(join(data, 'gateway'))).map(({ reference, state }) => ({
    userId: transactions.find((each) => referenceOf(each) === reference)?.user_id ?? null,
    says: `the gateway still has the payment ${reference} as ${state}`,
  }));
  const unfinished = transactions
    .filter(({ finished }) => !finished)
    .map(({ id, user_id: userId, status }) => ({ userId, says: `the transaction ${id} is unfinished: ${status}` }));
  const unbalanced = (await ledgerFaults(db)).map((says) => ({
    userId: transactions.find(({ id, user_id }) => says.includes(id) || says.includes(user_id))?.user_id ?? null,
    says: `the ledger does not balance: ${says}`,
  }));
  return [...reserved, ...unfinished, ...unbalanced];
}
