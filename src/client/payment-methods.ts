import type { Config } from './config.ts';

/** Ways to pay beside cards that this page knows; any other is paid by card. */
const known = ['wallet', 'upi', 'netbanking'] as const;
type Method = (typeof known)[number];

const isKnown = (method: string | null): method is Method => known.some((each) => each === method);

/** What a payment's session is sent for a way to pay. */
export const methodQuery = (method: string | null): { method: 'card' | Method } => ({
  method: isKnown(method) ? method : 'card',
});

/** What the gateway's page takes beside cards, for something that costs money: none where that is not known. */
export const methodsOffered = (config: () => Promise<Config>): Promise<string[]> =>
  config().then(
    ({ paymentMethods }) => paymentMethods.filter((method) => isKnown(method)),
    // A card is taken all the same.
    () => [],
  );
