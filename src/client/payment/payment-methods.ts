import type { Config } from '../wire/config.ts';

/** Payment methods besides cards that this page knows; others are paid by card. */
const knownMethods = ['wallet', 'upi', 'netbanking'] as const;
type Method = (typeof knownMethods)[number];

const isKnownMethod = (method: string | null): method is Method => knownMethods.some((each) => each === method);

/** The payment method, as the call for a payment session takes it. */
export const toMethodQuery = (method: string | null): { method: 'card' | Method } => ({
  method: isKnownMethod(method) ? method : 'card',
});

/** The gateway's payment methods besides cards for a paid purchase; empty where unknown. */
export const fetchOfferedMethods = (config: () => Promise<Config>): Promise<string[]> =>
  config().then(
    ({ paymentMethods }) => paymentMethods.filter((method) => isKnownMethod(method)),
    // Cards are accepted in any case.
    () => [],
  );
