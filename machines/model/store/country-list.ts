/**
 * The words of a list of countries, in capitals: `GB, IE`, `[GB, IE]` and `["GB", "IE"]` are the
 * same. A word may be empty or not a country code.
 */
export const parseCountryCodes = (text: string): string[] => text.toUpperCase().split(/\W+/);
