import { writeAuditLog } from '../../kernel/audit.ts';
import { lockForSession } from '../../kernel/lock-customer.ts';
import { findCustomer } from '../../accounts/tokens.ts';
import { forgetCodes } from '../../sms/codes.ts';
import type { Database } from '../../database/open.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { dropQueuedEmails } from '../../mail/drop-queued-emails.ts';
import { enqueueEmail } from '../../mail/queue.ts';
import { forgetGifts } from '../../gifts/sent-gift.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import { removeAllCards } from '../../payment/cards.ts';
import { releaseTransaction } from '../../payment/open-transaction.ts';
import { PaymentUnknown } from '../../payment/port.ts';
import { OPEN_STATUSES } from '../../payment/transactions.ts';
import { PHONE_ISSUER } from '../../providers/provider.ts';
import { endSubscriptions } from '../../subscriptions/cancel.ts';
import type { Answer, Call } from '../calls/call.ts';
import { okResult } from '../calls/ok-result.ts';
import { DomainError, unauthorized } from '../../kernel/errors.ts';
import { requireRecentSignIn } from '../calls/require-recent-sign-in.ts';
import { shopNow } from '../../base/clock/time.ts';

const paymentOpenError = (): DomainError =>
  new DomainError('conflict', 'One of your payments is still being processed. Please try again in a few minutes.', {
    code: 'payment_open',
  });

const readOpenPayments = (db: Database, storeId: string, userId: string) =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('status', 'in', OPEN_STATUSES)
    .execute();

/** The phone numbers that a customer signs in by, in E.164. */
async function readPhones(trx: Database, storeId: string, userId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('identities')
    .select('subject')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('issuer', '=', PHONE_ISSUER)
    .execute();
  return rows.map(({ subject }) => subject);
}

/** Removes queued messages to the customer, and messages in the outboxes. */
async function deleteMessages(trx: Database, outbox: Outbox, customer: { storeId: string; userId: string; email: string }) {
  const { storeId, userId, email } = customer;
  const phones = await readPhones(trx, storeId, userId);
  await forgetCodes(trx, storeId, phones);
  await dropQueuedEmails(trx, customer);
  // After the queue: an e-mail that has already left the queue is in an outbox, with an earlier
  // time.
  const addresses = [...(email === '' ? [] : [email]), ...phones];
  await outbox.forget(
    trx,
    addresses.map((address) => ({ storeId, address })),
  );
}

/** Deletes personal data. Purchases stay in the books, under an id that identifies no person. */
async function deletePersonalData(trx: Database, storeId: string, userId: string): Promise<void> {
  await removeAllCards(trx, { storeId, userId });
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
 * Deletes the account of a customer who has just signed in again. Open payments are released. A
 * payment that is being captured must finish first: no deleted customer pays for a title.
 */
export async function deleteUser(call: Call<'deleteUser'>): Answer<'deleteUser'> {
  const { services, store, request, spoken } = call;
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const customer = token === undefined ? undefined : await findCustomer(services.db, store.id, token);
  if (!customer) throw unauthorized();
  await requireRecentSignIn({ services, customer });
  for (const transaction of await readOpenPayments(services.db, store.id, customer.id)) {
    const { status } = await releaseTransaction(services, transaction, 'account_deleted').catch((error: unknown) => {
      throw error instanceof PaymentUnknown ? paymentOpenError() : error;
    });
    if (status === 'capturing') throw paymentOpenError();
  }
  const origin = getStoreOrigin(store, request, services.config);
  await services.db.transaction().execute(async (trx) => {
    await lockForSession(trx, store.id, customer);
    if ((await readOpenPayments(trx, store.id, customer.id)).length > 0) throw paymentOpenError();
    // The customer may have changed the address since the start of the call.
    const emailQuery = trx.selectFrom('users').select('email').where('store_id', '=', store.id).where('id', '=', customer.id);
    const { email } = await emailQuery.executeTakeFirstOrThrow();
    await deleteMessages(trx, services.outbox, { storeId: store.id, userId: customer.id, email });
    await deletePersonalData(trx, store.id, customer.id);
    await writeAuditLog(trx, 'account_deleted', { storeId: store.id, userId: customer.id });
    const notification = { kind: 'account-deleted', email, language: spoken.language, origin } as const;
    await enqueueEmail(trx, { storeId: store.id, ...notification });
  });
  // Also removed by the periodic clean-up of each process.
  await services.outbox.removeForgotten().catch((error: unknown) => {
    services.log.warn({ err: error, store: store.id, customer: customer.id, willRetry: true }, 'outbox.clean_up.failed');
  });
  return okResult();
}
