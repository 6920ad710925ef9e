import { toCurrencySet, toGatewayAmount, fromGatewayAmount, wrongCurrencyError, type CurrencyUnits } from '../gateway-amount.ts';

/** The currencies that Razorpay's documentation lists. */
const CURRENCIES = toCurrencySet(
  'AED ALL AMD ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BZD CAD CHF CLP CNY COP CRC CUP CVE CZK ' +
    'DJF DKK DOP DZD EGP ETB EUR FJD GBP GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD ISK JMD JOD JPY KES KGS KHR ' +
    'KMF KRW KWD KYD KZT LAK LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PEN ' +
    'PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SCR SEK SGD SLL SOS SSP SVC SZL THB TND TRY TTD TWD TZS UAH UGX USD UYU UZS ' +
    'VND VUV XAF XCD XOF XPF YER ZAR ZMW',
);

const UNITS: CurrencyUnits = {
  zeroDecimal: toCurrencySet('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'),
  threeDecimal: toCurrencySet('BHD IQD JOD KWD OMR TND'),
};

/**
 * Converts an amount of the store to Razorpay's unit.
 * @throws DomainError conflict not_for_sale for an amount that Razorpay cannot charge exactly, or a
 * currency that it does not support
 */
export function toRazorpayAmount(amountMinor: number, currency: string): number {
  if (!CURRENCIES.has(currency)) throw wrongCurrencyError();
  return toGatewayAmount(amountMinor, currency, UNITS);
}

/** Converts an amount of Razorpay to the store's smallest unit. */
export const fromRazorpayAmount = (amount: number, currency: string): number => fromGatewayAmount(amount, currency, UNITS);
