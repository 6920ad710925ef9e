import type { Config } from '../wire/config.ts';

/** Ways to pay beside cards that this page knows; any other is paid by card. */
const known = ['wallet', 'upi', 'netbanking'] as const;
type Method = (typeof known)[number];

const isKnown = (method: string | null): method is Method => known.some((each) => each === method);

/** The way to pay, as a payment's session takes it. */
export const methodQuery = (method: string | null): { method: 'card' | Method } => ({
  method: isKnown(method) ? method : 'card',
});

/** The methods of the gateway's page beside cards, where money is paid; none where unknown. */
export const methodsOffered = (config: () => Promise<Config>): Promise<string[]> =>
  config().then(
    ({ paymentMethods }) => paymentMethods.filter((method) => isKnown(method)),
    // A card is taken all the same.
    () => [],
  );
