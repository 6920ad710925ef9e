/** In milliseconds: how long addresses whose end is unknown are used, which is the longest anyway. */
const aDay = 86_400_000;
/** In milliseconds: the least time between two renewals, which ask for every item of a title. */
const least = 10_000;
/** The share of their life after which addresses are renewed: there is time left to try again. */
const share = 0.8;

/** Milliseconds after which addresses are renewed that live for so many seconds; null where nobody knows. */
export const renewalAfter = (lives: (number | null)[]): number => {
  const known = lives.filter((life) => life !== null);
  return Math.max(least, Math.min(aDay, ...known.map((life) => life * 1000 * share)));
};
