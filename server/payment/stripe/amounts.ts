import { Refusal } from '../../api/refusal.ts';
import { minorDigits } from '../../catalogue/money.ts';

/** Currencies whose amounts Stripe takes in whole units. All others have hundredths there, even those without (ISK, UGX), or thousandths. */
const WHOLE = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
const THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '));

const digitsAtStripe = (currency: string): number => (WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2);

/**
 * An amount as Stripe takes it.
 * @param amountMinor in the smallest unit of the currency, as the store counts
 * @throws Refusal 409 not_for_sale for one that Stripe cannot charge to the unit
 */
export function stripeAmount(amountMinor: number, currency: string): number {
  const amount = amountMinor * 10 ** (digitsAtStripe(currency) - minorDigits(currency));
  const isPossible = Number.isSafeInteger(amount) && (!THOUSANDTHS.has(currency) || amount % 10 === 0);
  if (!isPossible) throw new Refusal(409, 'This amount can’t be paid in this currency.', { code: 'not_for_sale' });
  return amount;
}
