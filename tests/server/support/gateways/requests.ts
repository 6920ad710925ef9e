import { randomUUID } from 'node:crypto';
import type { IntentRequest, Terms } from '../../../../server/payment/port.ts';

const returnUrl = 'http://shop.example/checkout/complete?transId=t1';
export const createIntentRequest = (overrides: Partial<IntentRequest> = {}): IntentRequest => ({
  reference: `s1/${randomUUID()}`,
  amountMinor: 990,
  currency: 'EUR',
  description: 'The Salt <Road>',
  shopName: 'Books',
  returnUrl,
  language: 'fr-CH, en;q=0.5',
  customer: `s1/${randomUUID()}`,
  ...overrides,
});
export const monthlyTerms: Terms = { amountMinor: 900, period: 'month', trialDays: 0 };
