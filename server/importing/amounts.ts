import { BadOperation } from '../kernel/bad-operation.ts';
import { amountProblem } from '../base/money.ts';

/** In the main unit of a currency. */
export type Amount = { amount: number; currency: string };

/** In the main unit of a currency. */
export const MAX_AMOUNT = 1_000_000;
/** ISO 4217 lists them among the currencies, but nothing is paid in them. */
const UNITS_OF_ACCOUNT = ['CLF', 'UYI', 'UYW'];
const currencies = new Set(Intl.supportedValuesOf('currency').filter((code) => !UNITS_OF_ACCOUNT.includes(code)));

export const isCurrency = (text: string): boolean => currencies.has(text);

/**
 * Reads amounts like `4.99 EUR` or `9.90EUR,1500JPY`, each in another currency.
 * @param what whose they are, for the message
 * @throws BadOperation
 */
export function readAmounts(text: string, what: string): Amount[] {
  const amounts = text.split(',').map((each) => {
    const [, number = '', currency = ''] = /^\s*(\d{1,7}(?:\.\d{1,10})?)\s*([A-Z]{3})\s*$/.exec(each) ?? [];
    const amount = Number(number);
    if (number === '' || amount > MAX_AMOUNT || !isCurrency(currency))
      throw new BadOperation(`${what}: an amount is written with its currency, like 4.99EUR, not "${each.trim().slice(0, 40)}".`);
    const problem = amountProblem(amount, currency);
    if (problem !== undefined) throw new BadOperation(`${what}: ${problem}`);
    return { amount, currency };
  });
  const twice = amounts.find(({ currency }, at) => amounts.findIndex((each) => each.currency === currency) !== at);
  if (twice) throw new BadOperation(`${what}: there are two amounts in ${twice.currency}.`);
  return amounts;
}
