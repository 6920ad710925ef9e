/** The currencies that do not have two decimals, by how many they have (ISO 4217). */
const codesByDecimals: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const decimals = new Map(
  Object.entries(codesByDecimals).flatMap(([count, codes]) => codes.split(' ').map((code) => [code, Number(count)])),
);

/**
 * The decimals of a currency, by its ISO 4217 code in capitals. `Intl` is not asked: it follows
 * custom, where forints have none, and browsers differ.
 */
export const decimalsOf = (currency: string): number => decimals.get(currency) ?? 2;

/** Writes amounts of a currency, given in its main unit, with all of its decimals. */
export const currencyFormat = (locale: string, currency: string): Intl.NumberFormat => {
  const digits = decimalsOf(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
};
