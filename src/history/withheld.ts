/** Whole addresses by what machines know of them. */
const withheld = new Map<string, string>();

/** From now on the address without its secrets leads to the whole one. */
export const withhold = (known: string, whole: string): void => void withheld.set(known, whole);

export const wholeOf = (known: string): string => withheld.get(known) ?? known;
