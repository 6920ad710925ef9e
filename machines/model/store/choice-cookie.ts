/** Seconds for which what was chosen is remembered: as long as browsers allow. */
const longest = 400 * 24 * 60 * 60;

/**
 * The cookie that tells the server at the next visit what was chosen in a browser, so that it can paint the page so: a language or a
 * look, which name nobody.
 * @param value empty where nothing was chosen: then there is to be none
 */
export const choiceCookie = (name: 'lang' | 'look', value: string): string =>
  `${name}=${value}; path=/; max-age=${value === '' ? 0 : longest}; samesite=lax`;
