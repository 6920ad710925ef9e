import { playRazorpay } from './razorpay.ts';
import { playStripe } from './stripe.ts';
import type { PlayedGateway } from './played.ts';
import { playTest } from './test.ts';

/** The gateways of the contract test, by name: add a line for a new one. */
export const gateways: Record<string, () => Promise<PlayedGateway>> = {
  test: playTest,
  stripe: playStripe,
  razorpay: playRazorpay,
};
