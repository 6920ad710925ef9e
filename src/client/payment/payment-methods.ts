import type { Config } from '../wire/config.ts';

/** Payment methods besides cards that this page knows; others are paid by card. */
const known = ['wallet', 'upi', 'netbanking'] as const;
type Method = (typeof known)[number];

const isKnown = (method: string | null): method is Method => known.some((each) => each === method);

/** The payment method, as the call for a payment session takes it. */
export const methodQuery = (method: string | null): { method: 'card' | Method } => ({
  method: isKnown(method) ? method : 'card',
});

/** The gateway's payment methods besides cards for a paid purchase; empty where unknown. */
export const methodsOffered = (config: () => Promise<Config>): Promise<string[]> =>
  config().then(
    ({ paymentMethods }) => paymentMethods.filter((method) => isKnown(method)),
    // Cards are accepted in any case.
    () => [],
  );
