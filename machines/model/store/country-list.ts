/**
 * The words of a list of countries, in capitals: `GB, IE`, `[GB, IE]` and `["GB", "IE"]` are the
 * same. They may be empty, or no codes.
 */
export const countryCodesIn = (text: string): string[] => text.toUpperCase().split(/\W+/);
