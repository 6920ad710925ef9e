import type { LanguageCode } from './language-names.ts';

/**
 * The countries in which each language of the shop is spoken (ISO 3166-1), with their currencies
 * (ISO 4217).
 */
export const localCurrencies: Readonly<Record<LanguageCode, Readonly<Record<string, string>>>> = {
  en: { US: 'USD', GB: 'GBP', IE: 'EUR', MT: 'EUR', CA: 'CAD', AU: 'AUD', NZ: 'NZD', ZA: 'ZAR', IN: 'INR', SG: 'SGD' },
  zh: { CN: 'CNY', TW: 'TWD', HK: 'HKD', MO: 'MOP', SG: 'SGD' },
  es: { ES: 'EUR', MX: 'MXN', AR: 'ARS', CO: 'COP', CL: 'CLP', PE: 'PEN', UY: 'UYU', EC: 'USD', PR: 'USD' },
  fr: { FR: 'EUR', BE: 'EUR', LU: 'EUR', MC: 'EUR', CH: 'CHF', CA: 'CAD' },
  it: { IT: 'EUR', SM: 'EUR', VA: 'EUR', CH: 'CHF' },
};

/** The currency of a country; undefined if the country is not listed. */
const findCurrency = (country: string): string | undefined =>
  Object.values(localCurrencies).find((currencies) => Object.hasOwn(currencies, country))?.[country];

/**
 * Whether a currency is used in one of the countries that a store sells to. True if there are no
 * countries, or if the currency of one of them is unknown.
 */
export const isLocalCurrency = (currency: string, countries: readonly string[]): boolean => {
  const currencies = countries.map((country) => findCurrency(country));
  return countries.length === 0 || currencies.includes(undefined) || currencies.includes(currency);
};
