/*
 * The two times that the server knows. No other file reads the machine's clock, so that each use
 * states which time it means; the lint rule `server-clock` checks it.
 */

/** Milliseconds by which this process has the shop's time ahead of the machine's. */
let ahead = 0;

/**
 * The shop's time, by which customers and operators count: renewals, expiry, campaigns, gifts. It
 * is the machine's unless an operator has moved the clock of a test-mode shop.
 */
export const shopNow = (): Date => new Date(Date.now() + ahead);

/**
 * The machine's time, in milliseconds since 1970: for durations, files, sessions, codes and links
 * that begin a session, rate limits, retries, and signatures and tokens that other programs check
 * by their own clocks.
 */
export const realNow = (): number => Date.now();

/** Milliseconds by which the shop's time is ahead of the machine's, as this process knows it. */
export const clockAhead = (): number => ahead;

/** Sets by how many milliseconds this process runs ahead of the machine's clock. */
export function setClockAhead(milliseconds: number): void {
  ahead = milliseconds;
}
