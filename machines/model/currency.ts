// Regular expressions are the smallest form of these lists, which each first visit loads.
const none = /BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|UYI|VND|VUV|XAF|XOF|XPF/i;
const three = /BHD|IQD|JOD|KWD|LYD|OMR|TND/i;
const four = /CLF|UYW/i;

/**
 * The decimals of a currency, by its ISO 4217 code; two for an empty text. `Intl` is not asked: it
 * follows custom, where forints have none, and browsers differ.
 */
export const decimalsOf = (currency: string): number =>
  none.test(currency) ? 0 : three.test(currency) ? 3 : four.test(currency) ? 4 : 2;

/**
 * Writes amounts of a currency, given in its main unit, with all of its decimals.
 * @param currency its code, or an empty text for a number without a currency
 */
export const currencyFormat = (locale: string, currency: string): Intl.NumberFormat => {
  const digits = decimalsOf(currency);
  const style = currency === '' ? {} : ({ style: 'currency', currency } as const);
  return new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: digits, maximumFractionDigits: digits });
};
