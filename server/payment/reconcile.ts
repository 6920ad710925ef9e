import type { PaymentServices } from './payment-services.ts';
import type { Database } from '../database/open.ts';
import { saveCard } from './cards.ts';
import type { Intent, IntentState } from './port.ts';
import { settle } from './settle.ts';
import { isOpen, changeStatus, OPEN_STATUSES, toPaymentReference, reload, type Transaction } from './transactions.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Updates a transaction from its intent at the gateway. A captured payment is always booked, also
 * after a lost response.
 * @returns the updated transaction
 */
export async function applyIntent(services: PaymentServices, transaction: Transaction, intent: Intent): Promise<Transaction> {
  const { db, payment } = services;
  const replacesIntent = transaction.intent_id !== null && transaction.intent_id !== intent.id;
  if (transaction.intent_id !== intent.id) await linkIntent(services, transaction, intent.id);
  if (intent.keptCard) await saveCard(db, { storeId: transaction.store_id, userId: transaction.user_id }, intent.keptCard);
  switch (intent.state) {
    case 'captured':
      await settle(services, transaction, intent.subscription ?? null);
      return reload(db, transaction);
    case 'authorized':
      if (transaction.status !== 'capturing') return changeStatus(db, transaction, ['pending', 'authorized'], 'authorized');
      // The customer has confirmed, but the capture's outcome was unknown: request it again.
      return applyIntentOnce(services, transaction, await payment.capture(intent.id));
    case 'cancelled':
      return changeStatus(db, transaction, OPEN_STATUSES, 'cancelled', intent.reason);
    case 'failed':
      return changeStatus(db, transaction, OPEN_STATUSES, 'failed', intent.reason ?? 'payment_failed');
    case 'open':
    case 'action_required':
      // The gateway no longer knows the authorised intent, and its replacement is not paid yet.
      return replacesIntent ? changeStatus(db, transaction, ['authorized'], 'pending') : reload(db, transaction);
  }
}

/**
 * Applies an intent after its capture. If it is still authorised, the transaction stays
 * `capturing`, which ends the recursion.
 */
const applyIntentOnce = (services: PaymentServices, transaction: Transaction, intent: Intent): Promise<Transaction> =>
  intent.state === 'authorized' ? reload(services.db, transaction) : applyIntent(services, transaction, intent);

/**
 * Reads an open transaction's intent from the gateway and updates the transaction.
 * @returns the updated transaction; no intent if the transaction is not open or the gateway has
 * none
 * @throws PaymentUnknown
 */
export async function reconcile(
  services: PaymentServices,
  transaction: Transaction,
): Promise<{ transaction: Transaction; intent?: Intent }> {
  if (!isOpen(transaction)) return { transaction };
  const intent = await findIntent(services, transaction);
  if (!intent) return { transaction };
  return { transaction: await applyIntent(services, transaction, intent), intent };
}

/**
 * Reads the intent of a transaction; undefined if the gateway has none. The lookup by reference
 * finds an intent whose creation got no response, and a second intent created by a gateway that
 * does not know the first one.
 */
async function findIntent({ payment, log }: PaymentServices, transaction: Transaction): Promise<Intent | undefined> {
  const { store_id: store, user_id: customer, id, intent_id: storedIntentId } = transaction;
  const intent = storedIntentId === null ? undefined : await payment.read(storedIntentId);
  if (intent) return intent;
  const intentByReference = await payment.readByReference(toPaymentReference(transaction));
  if (storedIntentId !== null && storedIntentId !== intentByReference?.id)
    log.error(
      { store, customer, transaction: id, intent: storedIntentId, newIntent: intentByReference?.id ?? null },
      'payment.intent.lost',
    );
  return intentByReference;
}

/** Age in ms after which no request that creates an intent can still be running. */
const MAX_CALL_MS = 10 * 60_000;

/** States in which the gateway certainly holds no reserved money for an intent. */
const FINAL_STATES: IntentState[] = ['captured', 'cancelled', 'failed'];

/**
 * Releases money that the gateway may hold for a cancelled or failed transaction. If the gateway
 * has charged it, the payment is booked instead. An intent counts as ended only if the gateway
 * reports so: a gateway that does not know the intent may not be the gateway that holds the money.
 * @throws PaymentUnknown
 */
export async function releaseAtGateway(
  services: PaymentServices,
  transaction: Transaction,
  now = shopNow(),
): Promise<Transaction> {
  const intentAtGateway = await findIntent(services, transaction);
  if (!intentAtGateway) {
    const hasNoIntent = transaction.intent_id === null && now.getTime() - transaction.updated_at.getTime() > MAX_CALL_MS;
    return hasNoIntent ? markFinished(services.db, transaction) : transaction;
  }
  const intent = FINAL_STATES.includes(intentAtGateway.state)
    ? intentAtGateway
    : await services.payment.cancel(intentAtGateway.id);
  const updatedTransaction = intent.state === 'captured' ? await applyIntent(services, transaction, intent) : transaction;
  return FINAL_STATES.includes(intent.state) ? markFinished(services.db, updatedTransaction) : updatedTransaction;
}

const markFinished = (db: Database, transaction: Transaction): Promise<Transaction> =>
  db
    .updateTable('transactions')
    .set({ finished: true })
    .where('store_id', '=', transaction.store_id)
    .where('id', '=', transaction.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Stores an intent's id and its gateway, perhaps in place of those of an earlier intent. */
async function linkIntent({ db, payment }: PaymentServices, transaction: Transaction, intentId: string): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ intent_id: intentId, provider: payment.provider })
    .where('store_id', '=', transaction.store_id)
    .where('id', '=', transaction.id)
    .execute();
}
