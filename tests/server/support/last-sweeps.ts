import { join } from 'node:path';
import { inspect } from 'node:util';
import { type Database, openDatabase } from '../../../server/database/open.ts';
import { startGateway } from '../../../server/payment/gateway-process.ts';
import type { PaymentPort } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { createTestGateway } from '../../../server/payment/test-gateway.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Milliseconds after which the gateway's response counts as lost. */
const GATEWAY_TIMEOUT_MS = 5000;

/** Sweeps in which a payment may fail before the fault counts as permanent. */
const MAX_SWEEPS = 3;
const RETRYABLE_EVENT_PREFIX = 'payment.reconcile.';

/** Sweeps once. @returns the warnings and errors that the sweep logs */
async function sweepOnce(db: Database, payment: PaymentPort, now: Date): Promise<string[]> {
  const lines: string[] = [];
  const record = (fields: object, event: string) => {
    lines.push(`${event}: ${inspect(fields, { breakLength: Infinity, compact: true })}`);
  };
  const log = { debug: () => undefined, info: () => undefined, warn: record, error: record };
  await sweep({ db, payment, kinds: purchaseKinds, log }, now);
  return lines;
}

/**
 * Sweeps until a sweep logs nothing. The shop sweeps every few seconds, too: the next sweep retries
 * a call that got no response.
 */
async function sweepUntilQuiet(db: Database, payment: PaymentPort, now: Date): Promise<void> {
  for (let sweepCount = 1; ; sweepCount += 1) {
    const lines = await sweepOnce(db, payment, now);
    if (lines.length === 0) return;
    if (sweepCount === MAX_SWEEPS || lines.some((line) => !line.startsWith(RETRYABLE_EVENT_PREFIX)))
      throw new Error(lines.join('\n'));
    console.info(`sweep ${sweepCount} of ${MAX_SWEEPS} at most:\n${lines.join('\n')}`);
  }
}

/**
 * Sweeps now; a day later, when unconfirmed payments are abandoned; and two hours later, when
 * payments that the gateway never received end. The databases are connections to the same database:
 * their sweeps run at the same time.
 * @throws where three sweeps in a row log a retryable error, or a sweep logs any other error
 */
export async function runLastSweeps(databases: readonly Database[], payment: PaymentPort): Promise<void> {
  for (const hours of [0, 25, 27]) {
    const now = new Date(Date.now() + hours * HOUR_MS);
    await Promise.all(databases.map((db) => sweepUntilQuiet(db, payment, now)));
  }
}

/** The gateway's port as a shop uses it. */
export const connectGateway = (origin: string, secret: string): PaymentPort =>
  createTestGateway({ origin, secret, timeout: GATEWAY_TIMEOUT_MS });

/** Opens a stopped shop's data folder, and runs its gateway until `runInShop` settles. */
export async function withStoppedShop<Result>(
  folder: string,
  runInShop: (db: Database, payment: PaymentPort) => Promise<Result>,
): Promise<Result> {
  const { db, close } = await openDatabase({ kind: 'folder', folder });
  try {
    const gateway = await startGateway({ folder: join(folder, 'gateway'), port: 0, hostname: 'localhost' });
    try {
      return await runInShop(db, connectGateway(gateway.origin, gateway.secret));
    } finally {
      await gateway.stop();
    }
  } finally {
    await close();
  }
}
