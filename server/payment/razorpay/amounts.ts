import { Refusal } from '../../api/refusal.ts';
import { minorDigits } from '../../catalogue/money.ts';

/** What Razorpay charges in, as its documentation lists it. */
const CURRENCIES = new Set(
  (
    'AED ALL AMD ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BZD CAD CHF CLP CNY COP CRC CUP CVE CZK ' +
    'DJF DKK DOP DZD EGP ETB EUR FJD GBP GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD ISK JMD JOD JPY KES KGS KHR ' +
    'KMF KRW KWD KYD KZT LAK LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PEN ' +
    'PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SCR SEK SGD SLL SOS SSP SVC SZL THB TND TRY TTD TWD TZS UAH UGX USD UYU UZS ' +
    'VND VUV XAF XCD XOF XPF YER ZAR ZMW'
  ).split(' '),
);

/**
 * An amount as Razorpay takes it, in the smallest unit of the currency; of thousandths the last digit is nought.
 * @throws Refusal 409 not_for_sale for one that it cannot charge to the unit
 */
export function razorpayAmount(amountMinor: number, currency: string): number {
  if (!CURRENCIES.has(currency) || (minorDigits(currency) === 3 && amountMinor % 10 !== 0))
    throw new Refusal(409, 'This amount can’t be paid in this currency.', { code: 'not_for_sale' });
  return amountMinor;
}
