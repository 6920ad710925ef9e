import type { Services } from '../services.ts';

/** Services that bring the shop in line with the payment gateway. */
export type PaymentServices = Pick<Services, 'db' | 'payment'> & { log: Pick<Services['log'], 'error'> };
