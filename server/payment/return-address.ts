/** Adds a query parameter without encoding it, so that a gateway recognises its placeholder. */
export const withParameter = (address: string, name: string, value: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${name}=${value}`;
