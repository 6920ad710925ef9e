import { decimalsOf } from '../../machines/model/store/currency.ts';

/** An amount that cannot be a price; the message names it and says what is expected. */
export class BadAmount extends Error {}

const symbols = new Map<string, string>();

/** The sign by which a currency is known, such as €; its code where it has none. */
export function currencySymbol(currency: string): string {
  const known = symbols.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const symbol = format.formatToParts(0).find((part) => part.type === 'currency')?.value ?? currency;
  symbols.set(currency, symbol);
  return symbol;
}

/** 999 euro cents as 9.99, 500 yen as 500. */
export const toMajor = (amountMinor: number, currency: string): number => Number(amountText(amountMinor, currency));

/** 9.99 euros as 999 cents; rounded to the smallest unit, to compare with what a caller says. */
export const nearestMinor = (amount: number, currency: string): number => Math.round(amount * 10 ** decimalsOf(currency));

/** The amount as the wire writes it, with all decimals of its currency: 9.90. */
export const amountText = (amountMinor: number, currency: string): string => {
  const digits = decimalsOf(currency);
  return (amountMinor / 10 ** digits).toFixed(digits);
};

/** Why a currency cannot hold an amount in its main unit; undefined where it can. */
export function amountProblem(amount: number, currency: string): string | undefined {
  if (!Number.isFinite(amount) || amount < 0) return `${amount} ${currency}: an amount is 0 or more.`;
  if (toMajor(nearestMinor(amount, currency), currency) === amount) return undefined;
  const digits = decimalsOf(currency);
  const expected = digits === 0 ? 'no decimals' : `at most ${digits} decimals`;
  return `${amount} ${currency}: an amount in ${currency} has ${expected}, like ${amountText(Math.floor(amount * 10 ** digits), currency)}.`;
}

/** 9.99 euros as 999 cents. @throws BadAmount for one that the currency cannot hold, like 9.999 */
export function toMinor(amount: number, currency: string): number {
  const problem = amountProblem(amount, currency);
  if (problem !== undefined) throw new BadAmount(problem);
  return nearestMinor(amount, currency);
}
