const formats = new Map<string, { digits: number; symbol: string }>();

/** How a currency is written: its decimal places and its symbol. */
function formatOf(currency: string): { digits: number; symbol: string } {
  const known = formats.get(currency);
  if (known) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const made = {
    digits: format.resolvedOptions().maximumFractionDigits ?? 2,
    symbol: format.formatToParts(0).find((part) => part.type === 'currency')?.value ?? currency,
  };
  formats.set(currency, made);
  return made;
}

/** The decimal places of a currency: 2 for euros, 0 for yen. */
export const minorDigits = (currency: string): number => formatOf(currency).digits;

export const currencySymbol = (currency: string): string => formatOf(currency).symbol;

/** 999 euro cents as 9.99, 500 yen as 500. */
export const toMajor = (amountMinor: number, currency: string): number =>
  Number((amountMinor / 10 ** formatOf(currency).digits).toFixed(formatOf(currency).digits));

/** 9.99 euros as 999 cents; rounded to the smallest unit. */
export const toMinor = (amount: number, currency: string): number => Math.round(amount * 10 ** formatOf(currency).digits);

/** The amount as the wire writes it, with all decimal places: 9.90. */
export const amountText = (amountMinor: number, currency: string): string =>
  (amountMinor / 10 ** formatOf(currency).digits).toFixed(formatOf(currency).digits);
