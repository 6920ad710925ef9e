import { randomUUID } from 'node:crypto';
import type { IntentRequest, Terms } from '../../../../server/payment/port.ts';

const returnUrl = 'http://shop.example/checkout/complete?transId=t1';
export const newRequest = (more: Partial<IntentRequest> = {}): IntentRequest => ({
  reference: `s1/${randomUUID()}`,
  amountMinor: 990,
  currency: 'EUR',
  description: 'The Salt <Road>',
  shopName: 'Books',
  returnUrl,
  language: 'fr-CH, en;q=0.5',
  customer: `s1/${randomUUID()}`,
  ...more,
});
export const monthly: Terms = { amountMinor: 900, period: 'month', trialDays: 0 };
