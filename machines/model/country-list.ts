/** The parts of a list of countries, in capitals: `GB, IE`, `[GB, IE]` and `["GB", "IE"]` are the same. */
export const countryCodesIn = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[[\]",\s]+/)
    .filter(Boolean);
