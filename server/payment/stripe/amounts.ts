import { currencies, gatewayAmount, minorAmount, type Units } from '../gateway-amount.ts';

/** As Stripe's documentation lists them; those without hundredths that are not here (ISK, UGX) have some at Stripe all the same. */
const UNITS: Units = {
  whole: currencies('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'),
  thousandths: currencies('BHD JOD KWD OMR TND'),
};

/** An amount of the store as Stripe takes it. @throws DomainError conflict not_for_sale */
export const stripeAmount = (amountMinor: number, currency: string): number => gatewayAmount(amountMinor, currency, UNITS);

/** An amount of Stripe's as the store counts. @param currency in small letters, as Stripe has it */
export const minorOfStripe = (amount: number, currency: string): number => minorAmount(amount, currency.toUpperCase(), UNITS);
