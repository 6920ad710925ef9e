import { BadOperation } from '../kernel/bad-operation.ts';
import { findAmountProblem } from '../base/money.ts';

/** An amount in the main unit of a currency. */
export type Amount = { amount: number; currency: string };

/** Maximum amount of a price, in the main unit of its currency. */
export const MAX_AMOUNT = 1_000_000;
/** Codes of ISO 4217 that are units of account rather than means of payment. */
const UNITS_OF_ACCOUNT = ['CLF', 'UYI', 'UYW'];
const currencies = new Set(Intl.supportedValuesOf('currency').filter((code) => !UNITS_OF_ACCOUNT.includes(code)));

export const isCurrency = (text: string): boolean => currencies.has(text);

/**
 * Parses amounts like `4.99 EUR` or `9.90EUR,1500JPY`, at most one per currency.
 * @param subject the subject of the amounts, for error messages
 * @throws BadOperation
 */
export function readAmounts(text: string, subject: string): Amount[] {
  const amounts = text.split(',').map((each) => {
    const [, number = '', currency = ''] = /^\s*(\d{1,7}(?:\.\d{1,10})?)\s*([A-Z]{3})\s*$/.exec(each) ?? [];
    const amount = Number(number);
    if (number === '' || amount > MAX_AMOUNT || !isCurrency(currency))
      throw new BadOperation(
        `${subject}: expected an amount with its currency, like 4.99EUR, not "${each.trim().slice(0, 40)}".`,
      );
    const problem = findAmountProblem(amount, currency);
    if (problem !== undefined) throw new BadOperation(`${subject}: ${problem}`);
    return { amount, currency };
  });
  const repeatedAmount = amounts.find(({ currency }, index) => amounts.findIndex((each) => each.currency === currency) !== index);
  if (repeatedAmount) throw new BadOperation(`${subject}: there are two amounts in ${repeatedAmount.currency}.`);
  return amounts;
}
