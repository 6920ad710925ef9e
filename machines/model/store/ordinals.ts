/** How the first of a month is written, which `Intl` writes as a plain number. */
const first: Readonly<Record<string, string>> = { fr: '1er', it: '1º' };

/** A day that `Intl` has written, with the ordinal of its language: “1er décembre 2026”. */
export const withOrdinal = (language: string, date: string): string => date.replace(/^1(?= )/, first[language] ?? '1');
