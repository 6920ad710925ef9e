import { note } from '../../kernel/audit.ts';
import { lockForSession } from '../../kernel/lock-customer.ts';
import { findCustomer } from '../../accounts/tokens.ts';
import { forgetCodes } from '../../sms/codes.ts';
import type { Database } from '../../database/open.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { dropLetters } from '../../mail/drop-letters.ts';
import { queueLetter } from '../../mail/queue.ts';
import { forgetGifts } from '../../gifts/sent-gift.ts';
import { originOf } from '../../stores/origin.ts';
import { dropAllCards } from '../../payment/cards.ts';
import { release } from '../../payment/open-transaction.ts';
import { PaymentUnknown } from '../../payment/port.ts';
import { OPEN } from '../../payment/transactions.ts';
import { PHONE_ISSUER } from '../../providers/provider.ts';
import { endSubscriptions } from '../../subscriptions/cancel.ts';
import type { Answer, Call } from '../calls/call.ts';
import { done } from '../calls/done.ts';
import { DomainError, unauthorized } from '../../kernel/errors.ts';
import { requireFresh } from '../calls/require-fresh.ts';
import { shopNow } from '../../base/clock/time.ts';

const paymentOpen = (): DomainError =>
  new DomainError('conflict', 'A payment of yours is on its way. Please try again in a few minutes.', { code: 'payment_open' });

const openPayments = (db: Database, storeId: string, userId: string) =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('status', 'in', OPEN)
    .execute();

/** The phone numbers that a customer signs in by, in E.164. */
async function phonesOf(trx: Database, storeId: string, userId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('identities')
    .select('subject')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('issuer', '=', PHONE_ISSUER)
    .execute();
  return rows.map(({ subject }) => subject);
}

/** Takes what was to be sent to the customer, or lies in an outbox, away. */
async function forgetMessages(trx: Database, outbox: Outbox, customer: { storeId: string; userId: string; email: string }) {
  const { storeId, userId, email } = customer;
  const phones = await phonesOf(trx, storeId, userId);
  await forgetCodes(trx, storeId, phones);
  await dropLetters(trx, customer);
  // After the queue: an e-mail that has left it by now is in the outbox, and is older than this.
  const addresses = [...(email === '' ? [] : [email]), ...phones];
  await outbox.forget(
    trx,
    addresses.map((address) => ({ storeId, address })),
  );
}

/** Deletes personal data. Purchases stay in the books, under an id that names no person. */
async function forget(trx: Database, storeId: string, userId: string): Promise<void> {
  await dropAllCards(trx, { storeId, userId });
  await endSubscriptions(trx, { storeId, userId });
  await forgetGifts(trx, { storeId, userId });
  for (const table of [
    'tokens',
    'identities',
    'passkeys',
    'passkey_challenges',
    'devices',
    'wishes',
    'progress',
    'carts',
  ] as const)
    await trx.deleteFrom(table).where('store_id', '=', storeId).where('user_id', '=', userId).execute();
  await trx.updateTable('audit_log').set({ network: '' }).where('store_id', '=', storeId).where('user_id', '=', userId).execute();
  await trx
    .updateTable('users')
    .set({
      email: '',
      email_key: '',
      name: '',
      fields: '{}',
      password_hash: null,
      email_verified_at: null,
      deleted_at: shopNow(),
    })
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .execute();
}

/**
 * Deletes the account of a customer who has just signed in again. A purchase that is not paid yet
 * is given up. One that is being charged is waited for: a deleted customer pays for no title.
 */
export async function deleteUser(call: Call<'deleteUser'>): Answer<'deleteUser'> {
  const { services, store, request, spoken } = call;
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const customer = token === undefined ? undefined : await findCustomer(services.db, store.id, token);
  if (!customer) throw unauthorized();
  await requireFresh({ services, customer });
  for (const transaction of await openPayments(services.db, store.id, customer.id)) {
    const { status } = await release(services, transaction, 'account_deleted').catch((error: unknown) => {
      throw error instanceof PaymentUnknown ? paymentOpen() : error;
    });
    if (status === 'capturing') throw paymentOpen();
  }
  const origin = originOf(store, request, services.config);
  await services.db.transaction().execute(async (trx) => {
    await lockForSession(trx, store.id, customer);
    if ((await openPayments(trx, store.id, customer.id)).length > 0) throw paymentOpen();
    // The customer may have changed the address since the call began.
    const users = trx.selectFrom('users').select('email').where('store_id', '=', store.id).where('id', '=', customer.id);
    const { email } = await users.executeTakeFirstOrThrow();
    await forgetMessages(trx, services.outbox, { storeId: store.id, userId: customer.id, email });
    await forget(trx, store.id, customer.id);
    await note(trx, 'account_deleted', { storeId: store.id, userId: customer.id });
    const letter = { kind: 'account-deleted', email, language: spoken.language, origin } as const;
    await queueLetter(trx, { storeId: store.id, ...letter });
  });
  // The clean-up of each process removes what is left, here as well.
  await services.outbox.removeForgotten().catch((error: unknown) => {
    services.log.error({ err: error }, 'outbox clean-up failed');
  });
  return done();
}
