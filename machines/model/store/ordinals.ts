/** The first day of a month by language; `Intl` formats it as a plain number. */
const firstOrdinals: Readonly<Record<string, string>> = { fr: '1er', it: '1º' };

/** A date formatted by `Intl`, with the ordinal of the language: “1er décembre 2026”. */
export const withOrdinal = (language: string, date: string): string => date.replace(/^1(?= )/, firstOrdinals[language] ?? '1');
