/** Seconds for which what was chosen is remembered: as long as browsers allow. */
const longest = 400 * 24 * 60 * 60;

/**
 * Tells the server at the next visit what was chosen in this browser, so that it can paint the page so: a language or a look, which name
 * nobody. What counts is what the browser itself has stored.
 */
export const tellServer = (name: 'lang' | 'look', value: string): void => {
  document.cookie = `${name}=${value}; path=/; max-age=${longest}; samesite=lax`;
};
