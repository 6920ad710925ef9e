import { BadOperation } from '../kernel/bad-operation.ts';
import { findAmountProblem } from '../base/money.ts';

/** In the main unit of a currency. */
export type Amount = { amount: number; currency: string };

/** In the main unit of a currency. */
export const MAX_AMOUNT = 1_000_000;
/** In ISO 4217, but units of account rather than means of payment. */
const UNITS_OF_ACCOUNT = ['CLF', 'UYI', 'UYW'];
const currencies = new Set(Intl.supportedValuesOf('currency').filter((code) => !UNITS_OF_ACCOUNT.includes(code)));

export const isCurrency = (text: string): boolean => currencies.has(text);

/**
 * Parses amounts like `4.99 EUR` or `9.90EUR,1500JPY`, at most one per currency.
 * @param what the subject of the amounts, for error messages
 * @throws BadOperation
 */
export function readAmounts(text: string, what: string): Amount[] {
  const amounts = text.split(',').map((each) => {
    const [, number = '', currency = ''] = /^\s*(\d{1,7}(?:\.\d{1,10})?)\s*([A-Z]{3})\s*$/.exec(each) ?? [];
    const amount = Number(number);
    if (number === '' || amount > MAX_AMOUNT || !isCurrency(currency))
      throw new BadOperation(`${what}: expected an amount with its currency, like 4.99EUR, not "${each.trim().slice(0, 40)}".`);
    const problem = findAmountProblem(amount, currency);
    if (problem !== undefined) throw new BadOperation(`${what}: ${problem}`);
    return { amount, currency };
  });
  const twice = amounts.find(({ currency }, at) => amounts.findIndex((each) => each.currency === currency) !== at);
  if (twice) throw new BadOperation(`${what}: there are two amounts in ${twice.currency}.`);
  return amounts;
}
