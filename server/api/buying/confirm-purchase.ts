import * as v from 'valibot';
import { toNearestMinor } from '../../base/money.ts';
import { confirmPayment } from '../../payment/confirm.ts';
import { findTransaction, type Transaction } from '../../payment/transactions.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { getPurchaseKind } from '../../payment/purchase-kind.ts';

const priceChanged = () => new DomainError('conflict', 'The price of this purchase has changed.', { code: 'price_changed' });

/** Normalises tax rates, without their other fields; undefined where they cannot be parsed. */
function normalizeRates(text: string): string | undefined {
  try {
    const rates = v.parse(v.array(v.object({ name: v.string(), percent: v.number() })), JSON.parse(text));
    return JSON.stringify(rates.map(({ name, percent }) => [name, Math.round(percent * 1000)]));
  } catch {
    return undefined;
  }
}

/**
 * The terms shown to the customer must be those that were authorised: otherwise nothing is charged.
 * @throws DomainError conflict price_changed
 */
function assertTermsUnchanged(found: Transaction, query: CustomerCall<'confirmTitlePurchase'>['query']): void {
  const { currency, amount_minor: amountMinor, tax_minor: taxMinor, tax } = found;
  const isOther = (shown: number | undefined, now: number) => shown !== undefined && toNearestMinor(shown, currency) !== now;
  if (query.currency !== undefined && query.currency !== currency) throw priceChanged();
  if (isOther(query.priceWithTax, amountMinor) || isOther(query.taxPrice, taxMinor)) throw priceChanged();
  const rates = JSON.stringify((tax?.rates ?? []).map(({ name, milliPercent }) => [name, milliPercent]));
  if (query.taxRates !== undefined && normalizeRates(query.taxRates) !== rates) throw priceChanged();
  // Without tax, no place was recorded.
  if (tax === null) return;
  const { country = tax.country, cardCountry = tax.country, cardState = tax.region } = query;
  if (country !== tax.country || cardCountry !== tax.country || cardState !== tax.region) throw priceChanged();
}

/**
 * Captures an authorised payment and grants its title, or a whole cart; a repeated call gets the
 * first result.
 */
export async function confirmTitlePurchase(call: CustomerCall<'confirmTitlePurchase'>): Answer<'confirmTitlePurchase'> {
  const { services, store, customer, query } = call;
  const found = await findTransaction(services.db, store.id, customer.id, query.transactonId);
  const { granted, isForAnother = false } = found ? getPurchaseKind(services.kinds, found) : {};
  if (!found || !granted) throw notFound('transaction');
  if (query.intentId !== undefined && found.intent_id !== null && query.intentId !== found.intent_id)
    throw new DomainError('bad_request', 'intentId does not match the transaction.');
  if (query.titleId !== undefined && query.titleId !== found.title_id)
    throw new DomainError('bad_request', 'titleId does not match the transaction.');
  if (query.giftInfo && !isForAnother) throw new DomainError('bad_request', 'The transaction is not a gift.');
  assertTermsUnchanged(found, query);
  const paid = await confirmPayment(services, found);
  return { transId: paid.id, ...(await granted(services.db, paid)), status: 'paid' };
}
