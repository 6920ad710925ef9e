import * as v from 'valibot';
import { toNearestMinor } from '../../base/money.ts';
import { confirmPayment } from '../../payment/confirm.ts';
import { findTransaction, type Transaction } from '../../payment/transactions.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { getPurchaseKind } from '../../payment/purchase-kind.ts';

const priceChangedError = () => new DomainError('conflict', 'The price of this purchase has changed.', { code: 'price_changed' });

/** Normalises tax rates, without their other fields; undefined if the text cannot be parsed. */
function normalizeRates(text: string): string | undefined {
  try {
    const rates = v.parse(v.array(v.object({ name: v.string(), percent: v.number() })), JSON.parse(text));
    return JSON.stringify(rates.map(({ name, percent }) => [name, Math.round(percent * 1000)]));
  } catch {
    return undefined;
  }
}

/**
 * Checks that the terms shown to the customer are the authorised ones: otherwise no money is
 * charged.
 * @throws DomainError conflict price_changed
 */
function assertTermsUnchanged(transaction: Transaction, query: CustomerCall<'confirmTitlePurchase'>['query']): void {
  const { currency, amount_minor: amountMinor, tax_minor: taxMinor, tax } = transaction;
  const differs = (shown: number | undefined, authorized: number) =>
    shown !== undefined && toNearestMinor(shown, currency) !== authorized;
  if (query.currency !== undefined && query.currency !== currency) throw priceChangedError();
  if (differs(query.priceWithTax, amountMinor) || differs(query.taxPrice, taxMinor)) throw priceChangedError();
  const rates = JSON.stringify((tax?.rates ?? []).map(({ name, milliPercent }) => [name, milliPercent]));
  if (query.taxRates !== undefined && normalizeRates(query.taxRates) !== rates) throw priceChangedError();
  // Without tax, no place of taxation was stored.
  if (tax === null) return;
  const { country = tax.country, cardCountry = tax.country, cardState = tax.region } = query;
  if (country !== tax.country || cardCountry !== tax.country || cardState !== tax.region) throw priceChangedError();
}

/**
 * Captures an authorised payment and grants its title, or a whole cart; a repeated call returns the
 * first result.
 */
export async function confirmTitlePurchase(call: CustomerCall<'confirmTitlePurchase'>): Answer<'confirmTitlePurchase'> {
  const { services, store, customer, query } = call;
  const transaction = await findTransaction(services.db, store.id, customer.id, query.transactonId);
  const { findGrantedTitle, isForAnother = false } = transaction ? getPurchaseKind(services.kinds, transaction) : {};
  if (!transaction || !findGrantedTitle) throw notFound('transaction');
  if (query.intentId !== undefined && transaction.intent_id !== null && query.intentId !== transaction.intent_id)
    throw new DomainError(
      'bad_request',
      `intentId ${query.intentId} is not that of transaction ${transaction.id}: expected ${transaction.intent_id}.`,
    );
  if (query.titleId !== undefined && query.titleId !== transaction.title_id)
    throw new DomainError(
      'bad_request',
      `titleId ${query.titleId} is not that of transaction ${transaction.id}: expected ${transaction.title_id ?? 'no titleId'}.`,
    );
  if (query.giftInfo && !isForAnother)
    throw new DomainError('bad_request', `Transaction ${transaction.id} is not a gift: expected no giftInfo.`);
  assertTermsUnchanged(transaction, query);
  const paidTransaction = await confirmPayment(services, transaction);
  return { transId: paidTransaction.id, ...(await findGrantedTitle(services.db, paidTransaction)), status: 'paid' };
}
