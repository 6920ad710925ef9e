import { startRazorpayHarness } from './razorpay.ts';
import { startStripeHarness } from './stripe.ts';
import type { PlayedGateway } from './harness.ts';
import { startTestHarness } from './test.ts';

/** The gateways of the contract test, by name: add a line for a new one. */
export const gateways: Record<string, () => Promise<PlayedGateway>> = {
  test: startTestHarness,
  stripe: startStripeHarness,
  razorpay: startRazorpayHarness,
};
