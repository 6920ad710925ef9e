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

/** `hh:mm:ss`, or `mm:ss` under an hour. */
export const duration = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] === 0 ? parts.slice(1) : parts).map((part) => String(part).padStart(2, '0')).join(':');
};

/** A day as the locale writes it, from ISO 8601; a bare year and text that is no date stay as they are. */
export const day = (iso: string, locale: string): string => {
  const time = /^\d{4}-\d{2}/.test(iso) ? Date.parse(iso) : Number.NaN;
  if (Number.isNaN(time)) return iso;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
};

export const count = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value);

/** The locale's word for a language given as a BCP 47 tag; a tag that is none stays as it is. */
export const languageName = (tag: string, locale: string): string => {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag)) return tag;
  return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;
};

/** Names joined as the locale joins them. */
export const names = (list: readonly string[], locale: string): string =>
  new Intl.ListFormat(locale, { type: 'conjunction' }).format(list);
