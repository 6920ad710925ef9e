import type { Log } from '../base/log.ts';
import type { Database } from '../database/open.ts';
import type { PaymentPort } from './port.ts';
import type { PurchaseKinds } from './purchase-kind.ts';

/** Dependencies of the code that synchronises the shop with the payment gateway. */
export type PaymentServices = { db: Database; payment: PaymentPort; kinds: PurchaseKinds; log: Log };
