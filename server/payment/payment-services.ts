import type { Log } from '../base/log.ts';
import type { Database } from '../database/open.ts';
import type { PaymentPort } from './port.ts';
import type { PurchaseKinds } from './purchase-kind.ts';

/** Services that bring the shop in line with the payment gateway. */
export type PaymentServices = { db: Database; payment: PaymentPort; kinds: PurchaseKinds; log: Pick<Log, 'error'> };
