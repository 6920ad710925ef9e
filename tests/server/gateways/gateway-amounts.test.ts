import { expect, test } from 'vitest';
import { toMinor } from '../../../server/base/money.ts';
import { toRazorpayAmount } from '../../../server/payment/razorpay/amounts.ts';
import { toStripeAmount } from '../../../server/payment/stripe/amounts.ts';

test.each([
  [9.9, 'EUR', 990, 990],
  [500, 'JPY', 500, 500],
  [500, 'ISK', 50_000, 500],
  [500, 'UGX', 50_000, 500],
  [990, 'HUF', 99_000, 99_000],
  [990, 'TWD', 99_000, 99_000],
  [1.23, 'KWD', 1230, 1230],
  [990, 'INR', 99_000, 99_000],
])('%f %s are %i in the amounts of Stripe, and %i in those of Razorpay', (price, currency, atStripe, atRazorpay) => {
  const amount = toMinor(price, currency);
  expect([toStripeAmount(amount, currency), toRazorpayAmount(amount, currency)]).toEqual([atStripe, atRazorpay]);
});

test('an amount with a thousandth of a dinar or in an unknown currency is refused', () => {
  for (const toAmount of [toStripeAmount, toRazorpayAmount]) expect(() => toAmount(1234, 'KWD')).toThrow('currency');
  expect(() => toRazorpayAmount(100, 'KPW')).toThrow('currency');
});
