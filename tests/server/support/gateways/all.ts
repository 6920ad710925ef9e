import { playRazorpay } from './razorpay.ts';
import { playStripe } from './stripe.ts';
import type { Played } from './played.ts';
import { playTest } from './test.ts';

/** The gateways of the contract test, by their names: a new one is a line here. */
export const gateways: Record<string, () => Promise<Played>> = {
  test: playTest,
  stripe: playStripe,
  razorpay: playRazorpay,
};
