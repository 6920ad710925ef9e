/**
 * Splits a list of countries into words in capitals: `GB, IE`, `[GB, IE]` and `["GB", "IE"]` give
 * the same words, some of which may be empty. The words are not validated.
 */
export const parseCountryCodes = (text: string): string[] => text.toUpperCase().split(/\W+/);
