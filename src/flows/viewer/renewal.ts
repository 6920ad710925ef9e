/**
 * Milliseconds after which signed URLs are renewed at the latest, also if their expiry is unknown.
 */
const MAX_RENEWAL_MS = 86_400_000;
/** Minimum milliseconds between two renewals, each of which requests every item of a title. */
const MIN_RENEWAL_MS = 10_000;
/**
 * The share of their lifetime after which signed URLs are renewed; the remaining time is for a
 * retry.
 */
const RENEWAL_SHARE = 0.8;

/**
 * The delay in milliseconds after which the signed URLs of a title are renewed.
 * @param lifetimes the lifetime of each URL in seconds; null if unknown
 */
export const getRenewalDelayMs = (lifetimes: (number | null)[]): number => {
  const knownLifetimes = lifetimes.filter((lifetime) => lifetime !== null);
  return Math.max(MIN_RENEWAL_MS, Math.min(MAX_RENEWAL_MS, ...knownLifetimes.map((lifetime) => lifetime * 1000 * RENEWAL_SHARE)));
};
