import { names } from '../../brand/format.ts';

/** Countries, given as ISO 3166-1 codes, by their names in the locale; a code that is nobody's stays as it is. */
export const countryNames = (codes: readonly string[], locale: string): string => {
  const regions = new Intl.DisplayNames(locale, { type: 'region' });
  return names(
    codes.map((code) => regions.of(code) ?? code),
    locale,
  );
};
