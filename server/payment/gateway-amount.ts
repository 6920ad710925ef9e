import { DomainError } from '../kernel/errors.ts';
import { decimalsOf } from '../../machines/model/store/currency.ts';

/** The currencies whose amounts a gateway takes in whole units, and in thousandths of which the last digit is nought; others have hundredths. */
export type Units = { whole: ReadonlySet<string>; thousandths: ReadonlySet<string> };

export const currencies = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const digitsOf = (currency: string, { whole, thousandths }: Units): number =>
  whole.has(currency) ? 0 : thousandths.has(currency) ? 3 : 2;

/**
 * An amount as a gateway takes it.
 * @param amountMinor in the smallest unit of the currency, as the store counts (ISO 4217)
 * @throws DomainError conflict not_for_sale for one that the gateway cannot charge to the unit
 */
export function gatewayAmount(amountMinor: number, currency: string, units: Units): number {
  const digits = digitsOf(currency, units);
  const amount = amountMinor * 10 ** (digits - decimalsOf(currency));
  if (!Number.isSafeInteger(amount) || (digits === 3 && amount % 10 !== 0)) throw notInThisCurrency();
  return amount;
}

/** A gateway's amount in the smallest unit as the store counts; what is less than one is none. */
export const minorAmount = (amount: number, currency: string, units: Units): number =>
  Math.floor(amount / 10 ** (digitsOf(currency, units) - decimalsOf(currency)));

export const notInThisCurrency = (): DomainError =>
  new DomainError('conflict', 'This amount can’t be paid in this currency.', { code: 'not_for_sale' });
