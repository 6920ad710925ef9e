import { isSupportedCountry } from 'libphonenumber-js/max';

const MAX_SHOWN_CHARS = 100;

/**
 * Reads the countries that a store sends text messages to, by ISO 3166-1.
 * @param json the property's value; `[]` is no country
 * @returns `problem` for a value that is no JSON list, or has an unknown code
 */
export function readSmsCountries(json: string): { countries: string[] } | { problem: string } {
  const problem = `SmsCountries is ${json.slice(0, MAX_SHOWN_CHARS)}: expected a list of country codes (ISO 3166-1), such as ["GB", "IE"].`;
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch {
    return { problem };
  }
  if (!Array.isArray(read)) return { problem };
  const countries = read.map((code) => (typeof code === 'string' ? code.trim().toUpperCase() : ''));
  return countries.every((code) => isSupportedCountry(code)) ? { countries } : { problem };
}
