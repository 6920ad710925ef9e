import { toCurrencySet, toGatewayAmount, fromGatewayAmount, type CurrencyUnits } from '../gateway-amount.ts';

/**
 * The units of Stripe's documentation. Currencies without decimals that are not listed here (ISK,
 * UGX) have two decimals at Stripe.
 */
const UNITS: CurrencyUnits = {
  zeroDecimal: toCurrencySet('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'),
  threeDecimal: toCurrencySet('BHD JOD KWD OMR TND'),
};

/** Converts an amount of the store to Stripe's unit. @throws DomainError conflict not_for_sale */
export const toStripeAmount = (amountMinor: number, currency: string): number => toGatewayAmount(amountMinor, currency, UNITS);

/**
 * Converts an amount of Stripe to the store's smallest unit.
 * @param currency in lower case, as Stripe returns it
 */
export const fromStripeAmount = (amount: number, currency: string): number =>
  fromGatewayAmount(amount, currency.toUpperCase(), UNITS);
