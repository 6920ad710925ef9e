import type { Api } from './client.ts';

/**
 * The shop's time, in milliseconds since 1970: the device's clock, unless an operator has moved the
 * clock of a test-mode shop.
 */
export const getShopTime = ({ config: { clockAhead = 0 } }: Pick<Api, 'config'>): number => Date.now() + clockAhead;
