import { sql } from 'kysely';
import { toMajor } from '../base/money.ts';
import type { Database } from '../database/open.ts';
import { findLedgerFaults } from '../payment/ledger.ts';
import type { AdminOperation, OperationResult } from './operation-input.ts';

/** The sum of each account in each month, and whether the ledger balances. */
async function listLedger(db: Database, store: string): Promise<OperationResult> {
  const month = sql<string>`to_char(booked_at at time zone 'UTC', 'YYYY-MM')`;
  const rows = await db
    .selectFrom('ledger')
    .select([month.as('month'), 'account', 'currency'])
    .select((eb) => eb.fn.sum<number | string>('amount').as('sum'))
    .where('store_id', '=', store)
    .groupBy(['month', 'account', 'currency'])
    .orderBy('month')
    .orderBy('currency')
    .orderBy('account')
    .execute();
  const faults = await findLedgerFaults(db, store);
  return {
    rows: rows.map(({ sum, ...row }) => ({
      ...row,
      amount: row.currency === 'credits' ? Number(sum) : toMajor(Number(sum), row.currency),
    })),
    message:
      faults.length === 0 ? `The ledger of ${store} balances.` : `The ledger of ${store} does not balance:\n${faults.join('\n')}`,
  };
}

export const ledgerOperations: Readonly<Record<string, AdminOperation>> = {
  'ledger list': ({ db }, store) => listLedger(db, store),
};
