/**
 * The decimals of a currency, by its ISO 4217 code; two for an empty text. `Intl` is not asked: it
 * follows custom, where forints have none, and browsers differ. Units of account are left out.
 */
export const decimalsOf = (currency: string): number => {
  if (/BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|VND|VUV|X[AOP]F/i.test(currency)) return 0;
  return /BHD|IQD|JOD|KWD|LYD|OMR|TND/i.test(currency) ? 3 : 2;
};

/** An amount of a currency, given in its main unit, with no more decimals than the currency has. */
export const roundedIn = (currency: string, amount: number): number => {
  const scale = 10 ** decimalsOf(currency);
  return Math.round(amount * scale) / scale;
};

/**
 * Writes amounts of a currency, given in its main unit, with all of its decimals: none have more.
 * @param currency its code, or an empty text for a number without a currency
 */
export const currencyFormat = (locale: string, currency: string): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    ...(currency === '' ? {} : { style: 'currency', currency }),
    minimumFractionDigits: decimalsOf(currency),
  });
