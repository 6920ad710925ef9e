import { getDecimals } from '../../machines/model/store/currency.ts';

/** An amount that is not a valid price; the message names the amount and the expected form. */
export class BadAmount extends Error {}

const symbols = new Map<string, string>();

/** The symbol of a currency, such as €; its code where it has none. */
export function currencySymbol(currency: string): string {
  const cachedSymbol = symbols.get(currency);
  if (cachedSymbol !== undefined) return cachedSymbol;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const symbol = format.formatToParts(0).find((part) => part.type === 'currency')?.value ?? currency;
  symbols.set(currency, symbol);
  return symbol;
}

/** 999 euro cents as 9.99, 500 yen as 500. */
export const toMajor = (amountMinor: number, currency: string): number => Number(formatAmount(amountMinor, currency));

/**
 * 9.99 euros as 999 cents; rounded to the smallest unit, to compare with an amount from a caller.
 */
export const toNearestMinor = (amount: number, currency: string): number => Math.round(amount * 10 ** getDecimals(currency));

/** The amount as the wire writes it, with all decimals of its currency: 9.90. */
export const formatAmount = (amountMinor: number, currency: string): string => {
  const digits = getDecimals(currency);
  return (amountMinor / 10 ** digits).toFixed(digits);
};

/** The reason why a currency cannot hold an amount in its main unit; undefined where it can. */
export function findAmountProblem(amount: number, currency: string): string | undefined {
  if (!Number.isFinite(amount) || amount < 0) return `${amount} ${currency}: an amount must be 0 or more.`;
  if (toMajor(toNearestMinor(amount, currency), currency) === amount) return undefined;
  const digits = getDecimals(currency);
  const expected = digits === 0 ? 'no decimals' : `at most ${digits} decimals`;
  return `${amount} ${currency}: an amount in ${currency} has ${expected}, like ${formatAmount(Math.floor(amount * 10 ** digits), currency)}.`;
}

/** 9.99 euros as 999 cents. @throws BadAmount for one that the currency cannot hold, like 9.999 */
export function toMinor(amount: number, currency: string): number {
  const problem = findAmountProblem(amount, currency);
  if (problem !== undefined) throw new BadAmount(problem);
  return toNearestMinor(amount, currency);
}
