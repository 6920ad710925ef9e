import { confirm } from '../payment/confirm.ts';
import type { Database } from '../database/open.ts';
import { giftOf, linesOfGift } from '../gifts/give-gift.ts';
import { findTransaction, type Transaction } from '../payment/transactions.ts';
import type { Answer, CustomerCall } from './call.ts';
import { purchasedCopy } from './purchased-copy.ts';
import { notFound, Refusal } from './refusal.ts';

/** A gift is granted to nobody yet: its own id stands in for a copy. */
async function giftGranted(db: Database, paid: Transaction): Answer<'confirmTitlePurchase'> {
  const gift = await giftOf(db, paid);
  if (!gift) throw new Error(`The paid transaction ${paid.id} gave nothing.`);
  const [first] = await linesOfGift(db, gift);
  return { transId: paid.id, titleId: first?.titleId ?? '', instanceId: gift.id, status: 'paid' };
}

/** Captures an authorised payment and grants its title, or all of a cart; a repetition answers the first grant. */
export async function confirmTitlePurchase(call: CustomerCall<'confirmTitlePurchase'>): Answer<'confirmTitlePurchase'> {
  const { services, store, customer, query } = call;
  const found = await findTransaction(services.db, store.id, customer.id, query.transactonId);
  if (!found || found.kind === 'subscription') throw notFound('transaction');
  if (query.intentId !== undefined && found.intent_id !== null && query.intentId !== found.intent_id)
    throw new Refusal(400, 'The intent is not this transaction’s.');
  if (query.titleId !== undefined && query.titleId !== found.title_id)
    throw new Refusal(400, 'The title is not this transaction’s.');
  if (query.giftInfo && found.kind !== 'gift') throw new Refusal(400, 'The transaction is no gift’s.');
  const paid = await confirm(services, found);
  if (found.kind === 'gift') return giftGranted(services.db, paid);
  const copy = await purchasedCopy(services.db, store.id, customer.id, paid.id);
  if (!copy?.instanceId) throw new Error(`The paid transaction ${paid.id} granted nothing.`);
  return { transId: paid.id, titleId: copy.titleId, instanceId: copy.instanceId, status: 'paid' };
}
