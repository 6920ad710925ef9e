import { join } from 'node:path';
import { inspect } from 'node:util';
import { type Database, openDatabase } from '../../../server/database/open.ts';
import { startGateway } from '../../../server/payment/gateway-process.ts';
import type { PaymentPort } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { testGateway } from '../../../server/payment/test-gateway.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';

const HOUR = 60 * 60 * 1000;
/** Milliseconds after which the gateway's answer counts as lost. */
const GATEWAY_TIMEOUT = 5000;

/** Sweeps in which a payment may fail before the fault counts as one that stays. */
const MAX_SWEEPS = 3;
const COULD_NOT = 'a transaction could not be reconciled';

/** @returns what the sweep logged, a line each */
async function sweepOnce(db: Database, payment: PaymentPort, now: Date): Promise<string[]> {
  const lines: string[] = [];
  const log = {
    error: (details: object, message: string) => {
      lines.push(`${message}: ${inspect(details, { breakLength: Infinity, compact: true })}`);
    },
  };
  await sweep({ db, payment, kinds: purchaseKinds, log }, now);
  return lines;
}

/** The shop sweeps every few seconds: a call that got no answer is made again by the next sweep. */
async function sweepUntilSilent(db: Database, payment: PaymentPort, now: Date): Promise<void> {
  for (let sweeps = 1; ; sweeps += 1) {
    const lines = await sweepOnce(db, payment, now);
    if (lines.length === 0) return;
    if (sweeps === MAX_SWEEPS || lines.some((line) => !line.startsWith(COULD_NOT))) throw new Error(lines.join('\n'));
    console.info(`sweep ${sweeps} of ${MAX_SWEEPS} at most:\n${lines.join('\n')}`);
  }
}

/**
 * Sweeps now; a day later, when payments that no customer confirmed are given up; and once more,
 * when those of them end that the gateway never got. Several databases are several connections to
 * one: their sweeps run at the same time.
 * @throws Error where the same sweep logs an error three times, or one of another kind
 */
export async function lastSweeps(databases: readonly Database[], payment: PaymentPort): Promise<void> {
  for (const hours of [0, 25, 27]) {
    const now = new Date(Date.now() + hours * HOUR);
    await Promise.all(databases.map((db) => sweepUntilSilent(db, payment, now)));
  }
}

/** The gateway as a shop reaches it. */
export const gatewayAt = (origin: string, secret: string): PaymentPort =>
  testGateway({ origin, secret, timeout: GATEWAY_TIMEOUT });

/** Opens a stopped shop's data folder, and runs its gateway, as long as `look` takes. */
export async function inStoppedShop<Seen>(
  folder: string,
  look: (db: Database, payment: PaymentPort) => Promise<Seen>,
): Promise<Seen> {
  const { db, close } = await openDatabase({ kind: 'folder', folder });
  try {
    const gateway = await startGateway({ folder: join(folder, 'gateway'), port: 0, hostname: 'localhost' });
    try {
      return await look(db, gatewayAt(gateway.origin, gateway.secret));
    } finally {
      await gateway.stop();
    }
  } finally {
    await close();
  }
}
