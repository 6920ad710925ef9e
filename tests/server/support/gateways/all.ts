import { startRazorpayHarness } from './razorpay.ts';
import { startStripeHarness } from './stripe.ts';
import type { GatewayHarness } from './harness.ts';
import { startTestHarness } from './test.ts';

/** The gateways of the contract test, by name: add a line for a new gateway. */
export const gateways: Record<string, () => Promise<GatewayHarness>> = {
  test: startTestHarness,
  stripe: startStripeHarness,
  razorpay: startRazorpayHarness,
};
