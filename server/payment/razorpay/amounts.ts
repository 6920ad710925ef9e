import { currencies, gatewayAmount, minorAmount, notInThisCurrency, type Units } from '../gateway-amount.ts';

/** What Razorpay charges in, as its documentation lists it. */
const CURRENCIES = currencies(
  'AED ALL AMD ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BZD CAD CHF CLP CNY COP CRC CUP CVE CZK ' +
    'DJF DKK DOP DZD EGP ETB EUR FJD GBP GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD ISK JMD JOD JPY KES KGS KHR ' +
    'KMF KRW KWD KYD KZT LAK LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PEN ' +
    'PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SCR SEK SGD SLL SOS SSP SVC SZL THB TND TRY TTD TWD TZS UAH UGX USD UYU UZS ' +
    'VND VUV XAF XCD XOF XPF YER ZAR ZMW',
);

const UNITS: Units = {
  whole: currencies('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'),
  thousandths: currencies('BHD IQD JOD KWD OMR TND'),
};

/**
 * An amount of the store as Razorpay takes it. @throws DomainError conflict not_for_sale, also for
 * a currency that it does not know
 */
export function razorpayAmount(amountMinor: number, currency: string): number {
  if (!CURRENCIES.has(currency)) throw notInThisCurrency();
  return gatewayAmount(amountMinor, currency, UNITS);
}

/** An amount of Razorpay's as the store counts. */
export const minorOfRazorpay = (amount: number, currency: string): number => minorAmount(amount, currency, UNITS);
