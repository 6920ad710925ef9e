import { DomainError } from '../kernel/errors.ts';
import { getDecimals } from '../../machines/model/store/currency.ts';

/**
 * The currencies whose amounts a gateway expects without decimals, or with three decimals, of which
 * the last must be 0. Amounts of all others have two decimals.
 */
export type CurrencyUnits = { zeroDecimal: ReadonlySet<string>; threeDecimal: ReadonlySet<string> };

export const toCurrencySet = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const getGatewayDecimals = (currency: string, { zeroDecimal, threeDecimal }: CurrencyUnits): number =>
  zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2;

/**
 * Converts an amount of the store to the gateway's unit.
 * @param amountMinor in the smallest unit of the currency (ISO 4217)
 * @throws DomainError conflict not_for_sale if the gateway cannot charge exactly this amount
 */
export function toGatewayAmount(amountMinor: number, currency: string, units: CurrencyUnits): number {
  const decimals = getGatewayDecimals(currency, units);
  const amount = amountMinor * 10 ** (decimals - getDecimals(currency));
  if (!Number.isSafeInteger(amount) || (decimals === 3 && amount % 10 !== 0)) throw wrongCurrencyError();
  return amount;
}

/** Converts a gateway's amount to the store's smallest unit, rounded down. */
export const fromGatewayAmount = (amount: number, currency: string, units: CurrencyUnits): number =>
  Math.floor(amount / 10 ** (getGatewayDecimals(currency, units) - getDecimals(currency)));

export const wrongCurrencyError = (): DomainError =>
  new DomainError('conflict', 'This amount can’t be paid in this currency.', { code: 'not_for_sale' });
