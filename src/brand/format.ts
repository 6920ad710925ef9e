/** `amount` in the currency's main unit; `currency` an ISO 4217 code, `symbol` stands in for one that is not. */
type Money = { amount: number; currency: string; symbol: string };

const formats = new Map<string, Intl.NumberFormat>();

/** Made once for each locale and currency: it takes longer than all else of a price, and lists are full of prices. */
const moneyFormat = (locale: string, currency = ''): Intl.NumberFormat => {
  const key = `${locale} ${currency}`;
  const style = currency === '' ? {} : ({ style: 'currency', currency } as const);
  const format =
    formats.get(key) ?? new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: 2, maximumFractionDigits: 2 });
  formats.set(key, format);
  return format;
};

/** Money with two decimals as the locale writes it. */
export const money = ({ amount, currency, symbol }: Money, locale: string): string =>
  /^[a-z]{3}$/i.test(currency) ? moneyFormat(locale, currency).format(amount) : `${symbol}${moneyFormat(locale).format(amount)}`;

/** A price: money, or the word `free` when there is nothing to pay. */
export const priceText = (price: Money, locale: string, free: string): string =>
  price.amount === 0 ? free : money(price, locale);

const listFormats = new Map<string, Intl.ListFormat>();

/** Making a format is slow, above all the first; a single name needs none. */
const listFormat = (locale: string): Intl.ListFormat => {
  const format = listFormats.get(locale) ?? new Intl.ListFormat(locale, { type: 'conjunction' });
  listFormats.set(locale, format);
  return format;
};

/** Names joined as the locale joins them. */
export const names = (list: readonly string[], locale: string): string =>
  list.length < 2 ? (list[0] ?? '') : listFormat(locale).format(list);
