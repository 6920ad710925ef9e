import type { LanguageCode } from './language-names.ts';

/** Where the languages of the shop are spoken (ISO 3166-1), and in what is paid there (ISO 4217). */
export const paidIn: Readonly<Record<LanguageCode, Readonly<Record<string, string>>>> = {
  en: { US: 'USD', GB: 'GBP', IE: 'EUR', MT: 'EUR', CA: 'CAD', AU: 'AUD', NZ: 'NZD', ZA: 'ZAR', IN: 'INR', SG: 'SGD' },
  zh: { CN: 'CNY', TW: 'TWD', HK: 'HKD', MO: 'MOP', SG: 'SGD' },
  es: { ES: 'EUR', MX: 'MXN', AR: 'ARS', CO: 'COP', CL: 'CLP', PE: 'PEN', UY: 'UYU', EC: 'USD', PR: 'USD' },
  fr: { FR: 'EUR', BE: 'EUR', LU: 'EUR', MC: 'EUR', CH: 'CHF', CA: 'CAD' },
  it: { IT: 'EUR', SM: 'EUR', VA: 'EUR', CH: 'CHF' },
};

/** In what is paid in a country, whatever is spoken there; undefined for one that is not listed. */
const currencyOf = (country: string): string | undefined =>
  Object.values(paidIn).find((currencies) => Object.hasOwn(currencies, country))?.[country];

/** Whether it is paid in this money in the countries that a store sells to. A country whose money is not known lets any be asked for. */
export const isPaidIn = (currency: string, countries: readonly string[]): boolean => {
  const currencies = countries.map((country) => currencyOf(country));
  return countries.length === 0 || currencies.includes(undefined) || currencies.includes(currency);
};
