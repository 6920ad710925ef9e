import { createCurrencyFormat } from '../../machines/model/store/currency.ts';
import { toRegionalTag } from '../../machines/model/store/dates.ts';

/**
 * Money to show: `amount` is in the currency's main unit, `currency` an ISO 4217 code; `symbol` is
 * the fallback for an invalid code.
 */
type Money = { amount: number; currency: string; symbol: string };

/**
 * Caches formatters: creating one is slow, above all the first, and lists are full of prices and
 * names.
 */
const memoizeFormat = <Format>(create: (locale: string, currency: string) => Format) => {
  const formats = new Map<string, Format>();
  return (locale: string, currency = ''): Format => {
    const key = `${locale} ${currency}`;
    const format = formats.get(key) ?? create(locale, currency);
    formats.set(key, format);
    return format;
  };
};

const getMoneyFormat = memoizeFormat(createCurrencyFormat);
const getListFormat = memoizeFormat((locale) => new Intl.ListFormat(toRegionalTag(locale), { type: 'conjunction' }));

/** Formats money for the locale with its currency's decimals; two where the currency is unknown. */
export const formatMoney = ({ amount, currency, symbol }: Money, locale: string): string =>
  /^[a-z]{3}$/i.test(currency)
    ? getMoneyFormat(locale, currency).format(amount)
    : `${symbol}${getMoneyFormat(locale).format(amount)}`;

/** A formatted price, or the text `free` when there is nothing to pay. */
export const formatPrice = (price: Money, locale: string, free: string): string =>
  price.amount === 0 ? free : formatMoney(price, locale);

/** Joins names to a list by the locale's grammar; a single name needs no formatter. */
export const joinNames = (list: readonly string[], locale: string): string =>
  list.length < 2 ? (list[0] ?? '') : getListFormat(locale).format(list);
