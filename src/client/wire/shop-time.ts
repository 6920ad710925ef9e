import type { Api } from './client.ts';

/**
 * The shop's time, in milliseconds since 1970. It is the device's unless an operator has moved the
 * clock of a test-mode shop.
 */
export const shopNow = ({ config: { clockAhead = 0 } }: Pick<Api, 'config'>): number => Date.now() + clockAhead;
