/**
 * The number of decimals of a currency, by its ISO 4217 code; two for an empty text. `Intl` is not
 * used: it follows custom (no decimals for forints), and browsers differ. Codes of units of account
 * are not listed.
 */
export const getDecimals = (currency: string): number => {
  if (/BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|VND|VUV|X[AOP]F/i.test(currency)) return 0;
  return /BHD|IQD|JOD|KWD|LYD|OMR|TND/i.test(currency) ? 3 : 2;
};

/** An amount in the currency's main unit, rounded to the decimals of the currency. */
export const roundToCurrency = (currency: string, amount: number): number => {
  const scale = 10 ** getDecimals(currency);
  return Math.round(amount * scale) / scale;
};

/**
 * Creates a format for amounts in a currency's main unit, with all of its decimals.
 * @param currency its code, or an empty text for a number without a currency
 */
export const createCurrencyFormat = (locale: string, currency: string): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    ...(currency === '' ? {} : { style: 'currency', currency }),
    minimumFractionDigits: getDecimals(currency),
  });
