import { join } from 'node:path';
import type { Database } from '../../server/database/open.ts';
import { findLedgerFaults } from '../../server/payment/ledger.ts';
import type { PaymentPort } from '../../server/payment/port.ts';
import { toPaymentReference } from '../../server/payment/transactions.ts';
import { readJournal, findUnfinishedPayments } from '../server/support/gateway-journal.ts';
import { runLastSweeps } from '../server/support/last-sweeps.ts';

/** Work that is left after all purchases and sweeps. `userId` is null for an unknown customer. */
export type UnfinishedWork = { userId: string | null; description: string };

/**
 * Sweeps, then looks for reserved money, unfinished transactions and ledgers that do not balance.
 * @param data the data folder of the gateway
 */
export async function findUnfinishedWork(db: Database, payment: PaymentPort, data: string): Promise<UnfinishedWork[]> {
  await runLastSweeps([db], payment);
  const transactions = await db.selectFrom('transactions').selectAll().execute();
  const reservedPayments = findUnfinishedPayments(await readJournal(join(data, 'gateway'))).map(({ reference, state }) => ({
    userId: transactions.find((each) => toPaymentReference(each) === reference)?.user_id ?? null,
    description: `the gateway still has the payment ${reference} as ${state}`,
  }));
  const unfinishedTransactions = transactions
    .filter(({ finished }) => !finished)
    .map(({ id, user_id: userId, status }) => ({ userId, description: `the transaction ${id} is unfinished: ${status}` }));
  const ledgerFaults = (await findLedgerFaults(db)).map((description) => ({
    userId: transactions.find(({ id, user_id }) => description.includes(id) || description.includes(user_id))?.user_id ?? null,
    description: `the ledger does not balance: ${description}`,
  }));
  return [...reservedPayments, ...unfinishedTransactions, ...ledgerFaults];
}
