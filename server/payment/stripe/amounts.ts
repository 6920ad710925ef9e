import { currencies, gatewayAmount, minorAmount, type Units } from '../gateway-amount.ts';

/**
 * From Stripe's documentation. Currencies without decimals that are not listed here (ISK, UGX) have
 * two at Stripe.
 */
const UNITS: Units = {
  whole: currencies('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'),
  thousandths: currencies('BHD JOD KWD OMR TND'),
};

/** Converts an amount of the store to Stripe's unit. @throws DomainError conflict not_for_sale */
export const stripeAmount = (amountMinor: number, currency: string): number => gatewayAmount(amountMinor, currency, UNITS);

/**
 * Converts an amount of Stripe to the store's smallest unit.
 * @param currency in lower case, as Stripe returns it
 */
export const minorOfStripe = (amount: number, currency: string): number => minorAmount(amount, currency.toUpperCase(), UNITS);
