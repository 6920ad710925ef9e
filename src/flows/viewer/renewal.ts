/** How long addresses are used at most, as those whose end is unknown. */
const MAX_RENEWAL_MS = 86_400_000;
/** The least time between two renewals, which ask for every item of a title. */
const MIN_RENEWAL_MS = 10_000;
/** The share of their life after which addresses are renewed: there is time left to try again. */
const RENEWED_SHARE = 0.8;

/**
 * Milliseconds after which addresses are renewed.
 * @param lives how many seconds each of them opens, null where that is unknown
 */
export const renewalAfter = (lives: (number | null)[]): number => {
  const known = lives.filter((life) => life !== null);
  return Math.max(MIN_RENEWAL_MS, Math.min(MAX_RENEWAL_MS, ...known.map((life) => life * 1000 * RENEWED_SHARE)));
};
