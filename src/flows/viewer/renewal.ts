/** Maximum use of addresses, and that of those with an unknown expiry. */
const MAX_RENEWAL_MS = 86_400_000;
/** Minimum time between two renewals, each of which requests every item of a title. */
const MIN_RENEWAL_MS = 10_000;
/**
 * The share of their lifetime after which addresses are renewed: the rest leaves time for a retry.
 */
const RENEWAL_SHARE = 0.8;

/**
 * Milliseconds after which addresses are renewed.
 * @param lives the lifetime of each in seconds, null where unknown
 */
export const getRenewalDelayMs = (lives: (number | null)[]): number => {
  const known = lives.filter((life) => life !== null);
  return Math.max(MIN_RENEWAL_MS, Math.min(MAX_RENEWAL_MS, ...known.map((life) => life * 1000 * RENEWAL_SHARE)));
};
