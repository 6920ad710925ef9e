/** The address with a parameter added as it stands, so that a gateway still finds what it fills in. */
export const withParameter = (address: string, name: string, value: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${name}=${value}`;
