/** Adds a query parameter without encoding it, so that a gateway recognises its placeholder. */
export const withParameter = (url: string, name: string, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${name}=${value}`;
