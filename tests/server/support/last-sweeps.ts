import { join } from 'node:path';
import { inspect } from 'node:util';
import { type Database, openDatabase } from '../../../server/database/open.ts';
import { startGateway } from '../../../server/payment/gateway-process.ts';
import type { PaymentPort } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/payment/sweep.ts';
import { testGateway } from '../../../server/payment/test-gateway.ts';

const HOUR = 60 * 60 * 1000;
/** Milliseconds after which the gateway's answer counts as lost. */
const GATEWAY_TIMEOUT = 5000;

const log = {
  error(details: object, message: string): never {
    throw new Error(`${message}: ${inspect(details)}`);
  },
};

/**
 * Sweeps now; a day later, when payments that no customer confirmed are given up; and once more,
 * when those of them end that the gateway never got. Several databases are several connections to
 * one: their sweeps run at the same time.
 * @throws Error where a sweep logs one
 */
export async function lastSweeps(databases: readonly Database[], payment: PaymentPort): Promise<void> {
  for (const hours of [0, 25, 27]) {
    const now = new Date(Date.now() + hours * HOUR);
    await Promise.all(databases.map((db) => sweep({ db, payment, log }, now)));
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
