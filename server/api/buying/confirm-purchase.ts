import * as v from 'valibot';
import { nearestMinor } from '../../base/money.ts';
import { confirm } from '../../payment/confirm.ts';
import { findTransaction, type Transaction } from '../../payment/transactions.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { kindOf } from '../../payment/purchase-kind.ts';

const changed = () => new DomainError('conflict', 'The price of this purchase is another one.', { code: 'price_changed' });

/** Rates as text, whatever else is told of them; undefined for what cannot be read. */
function ratesIn(text: string): string | undefined {
  try {
    const rates = v.parse(v.array(v.object({ name: v.string(), percent: v.number() })), JSON.parse(text));
    return JSON.stringify(rates.map(({ name, percent }) => [name, Math.round(percent * 1000)]));
  } catch {
    return undefined;
  }
}

/**
 * What the customer was shown has to be what was authorised: it is charged, or nothing is.
 * @throws DomainError conflict price_changed
 */
function refuseOtherTerms(found: Transaction, query: CustomerCall<'confirmTitlePurchase'>['query']): void {
  const { currency, amount_minor: amountMinor, tax_minor: taxMinor, tax } = found;
  const isOther = (shown: number | undefined, now: number) => shown !== undefined && nearestMinor(shown, currency) !== now;
  if (query.currency !== undefined && query.currency !== currency) throw changed();
  if (isOther(query.priceWithTax, amountMinor) || isOther(query.taxPrice, taxMinor)) throw changed();
  const rates = JSON.stringify((tax?.rates ?? []).map(({ name, milliPercent }) => [name, milliPercent]));
  if (query.taxRates !== undefined && ratesIn(query.taxRates) !== rates) throw changed();
  // Where nothing is taxed, no place was written down.
  if (tax === null) return;
  const { country = tax.country, cardCountry = tax.country, cardState = tax.region } = query;
  if (country !== tax.country || cardCountry !== tax.country || cardState !== tax.region) throw changed();
}

/** Captures an authorised payment and grants its title, or all of a cart; a repetition answers the first grant. */
export async function confirmTitlePurchase(call: CustomerCall<'confirmTitlePurchase'>): Answer<'confirmTitlePurchase'> {
  const { services, store, customer, query } = call;
  const found = await findTransaction(services.db, store.id, customer.id, query.transactonId);
  const { granted, isForAnother = false } = found ? kindOf(services.kinds, found) : {};
  if (!found || !granted) throw notFound('transaction');
  if (query.intentId !== undefined && found.intent_id !== null && query.intentId !== found.intent_id)
    throw new DomainError('bad_request', 'The intent is not this transaction’s.');
  if (query.titleId !== undefined && query.titleId !== found.title_id)
    throw new DomainError('bad_request', 'The title is not this transaction’s.');
  if (query.giftInfo && !isForAnother) throw new DomainError('bad_request', 'The transaction is no gift’s.');
  refuseOtherTerms(found, query);
  const paid = await confirm(services, found);
  return { transId: paid.id, ...(await granted(services.db, paid)), status: 'paid' };
}
