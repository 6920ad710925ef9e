import { currencyFormat } from '../../machines/model/store/currency.ts';

/** `amount` in the currency's main unit; `currency` an ISO 4217 code, `symbol` stands in for one that is not. */
type Money = { amount: number; currency: string; symbol: string };

/** Makes each format once: making one is slow, above all the first, and lists are full of prices and names. */
const keptFormats = <Format>(make: (locale: string, currency: string) => Format) => {
  const formats = new Map<string, Format>();
  return (locale: string, currency = ''): Format => {
    const key = `${locale} ${currency}`;
    const format = formats.get(key) ?? make(locale, currency);
    formats.set(key, format);
    return format;
  };
};

const moneyFormat = keptFormats(currencyFormat);
const listFormat = keptFormats((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));

/**
 * Money with the decimals of its currency, as the locale writes it; two where the currency is
 * unknown.
 */
export const money = ({ amount, currency, symbol }: Money, locale: string): string =>
  /^[a-z]{3}$/i.test(currency) ? moneyFormat(locale, currency).format(amount) : `${symbol}${moneyFormat(locale).format(amount)}`;

/** A price: money, or the word `free` when there is nothing to pay. */
export const priceText = (price: Money, locale: string, free: string): string =>
  price.amount === 0 ? free : money(price, locale);

/** Names joined as the locale joins them; a single one needs no format. */
export const names = (list: readonly string[], locale: string): string =>
  list.length < 2 ? (list[0] ?? '') : listFormat(locale).format(list);
