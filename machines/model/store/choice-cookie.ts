/** Lifetime of the cookie in seconds: the maximum that browsers allow. */
const MAX_AGE_S = 400 * 24 * 60 * 60;

/**
 * The cookie that sends the chosen language or look to the server, which prerenders the next page
 * accordingly. It does not identify the visitor.
 * @param value empty to delete the cookie
 */
export const formatChoiceCookie = (name: 'lang' | 'look', value: string): string =>
  `${name}=${value}; path=/; max-age=${value === '' ? 0 : MAX_AGE_S}; samesite=lax`;
