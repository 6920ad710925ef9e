import { confirm } from '../payment/confirm.ts';
import { findTransaction } from '../payment/transactions.ts';
import type { Answer, CustomerCall } from './call.ts';
import { purchasedCopy } from './purchased-copy.ts';
import { notFound, Refusal } from './refusal.ts';

/** Captures an authorised payment and grants its title, or all of a cart; a repetition answers the first grant. */
export async function confirmTitlePurchase(call: CustomerCall<'confirmTitlePurchase'>): Answer<'confirmTitlePurchase'> {
  const { services, store, customer, query } = call;
  const found = await findTransaction(services.db, store.id, customer.id, query.transactonId);
  if (!found || found.kind === 'subscription') throw notFound('transaction');
  if (query.intentId !== undefined && found.intent_id !== null && query.intentId !== found.intent_id)
    throw new Refusal(400, 'The intent is not this transaction’s.');
  if (query.titleId !== undefined && query.titleId !== found.title_id)
    throw new Refusal(400, 'The title is not this transaction’s.');
  const paid = await confirm(services, found);
  const copy = await purchasedCopy(services.db, store.id, customer.id, paid.id);
  if (!copy?.instanceId) throw new Error(`The paid transaction ${paid.id} granted nothing.`);
  return { transId: paid.id, titleId: copy.titleId, instanceId: copy.instanceId, status: 'paid' };
}
