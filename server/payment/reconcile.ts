import type { PaymentServices } from './payment-services.ts';
import type { Database } from '../database/open.ts';
import { saveCard } from './cards.ts';
import type { Intent, IntentState } from './port.ts';
import { settle } from './settle.ts';
import { isOpen, changeStatus, OPEN_STATUSES, toReference, reload, type Transaction } from './transactions.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Updates a transaction from its intent at the gateway. A captured payment is always booked, also
 * after a lost answer.
 */
export async function applyIntent(services: PaymentServices, transaction: Transaction, intent: Intent): Promise<Transaction> {
  const { db, payment } = services;
  const standsIn = transaction.intent_id !== null && transaction.intent_id !== intent.id;
  if (transaction.intent_id !== intent.id) await linkIntent(services, transaction, intent.id);
  if (intent.keptCard) await saveCard(db, { storeId: transaction.store_id, userId: transaction.user_id }, intent.keptCard);
  switch (intent.state) {
    case 'captured':
      await settle(services, transaction, intent.subscription ?? null);
      return reload(db, transaction);
    case 'authorized':
      if (transaction.status !== 'capturing') return changeStatus(db, transaction, ['pending', 'authorized'], 'authorized');
      // The customer has confirmed, but the capture got no answer: request it again.
      return applyIntentOnce(services, transaction, await payment.capture(intent.id));
    case 'cancelled':
      return changeStatus(db, transaction, OPEN_STATUSES, 'cancelled', intent.reason);
    case 'failed':
      return changeStatus(db, transaction, OPEN_STATUSES, 'failed', intent.reason ?? 'payment_failed');
    case 'open':
    case 'action_required':
      // The gateway no longer knows the authorised intent; its replacement is still to be paid.
      return standsIn ? changeStatus(db, transaction, ['authorized'], 'pending') : reload(db, transaction);
  }
}

/** Ends the recursion: an intent that is still authorised after a capture stays `capturing`. */
const applyIntentOnce = (services: PaymentServices, transaction: Transaction, intent: Intent): Promise<Transaction> =>
  intent.state === 'authorized' ? reload(services.db, transaction) : applyIntent(services, transaction, intent);

/**
 * Reads an open transaction's intent from the gateway and updates the transaction.
 * @throws PaymentUnknown if the gateway does not answer
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
 * finds an intent whose creation got no answer, and one that a gateway without the first intent
 * created again.
 */
async function findIntent({ payment, log }: PaymentServices, transaction: Transaction): Promise<Intent | undefined> {
  const { id, intent_id: known } = transaction;
  const intent = known === null ? undefined : await payment.read(known);
  if (intent) return intent;
  const made = await payment.readByReference(toReference(transaction));
  if (known !== null && known !== made?.id)
    log.error({ transaction: id, intent: known, newIntent: made?.id ?? null }, 'payment.intent.lost');
  return made;
}

/** Age in ms after which no request that creates an intent can still be running. */
const MAX_CALL_MS = 10 * 60_000;

/** States in which the gateway certainly holds no reserved money for an intent. */
const FINAL_STATES: IntentState[] = ['captured', 'cancelled', 'failed'];

/**
 * Releases money that the gateway may hold for a cancelled transaction. If the gateway has charged
 * it, the payment is booked instead. An intent is over only if the gateway says so: a gateway that
 * does not know it may not be the one that holds the money.
 * @throws PaymentUnknown
 */
export async function releaseAtGateway(
  services: PaymentServices,
  transaction: Transaction,
  now = shopNow(),
): Promise<Transaction> {
  const found = await findIntent(services, transaction);
  if (!found) {
    const noneWasMade = transaction.intent_id === null && now.getTime() - transaction.updated_at.getTime() > MAX_CALL_MS;
    return noneWasMade ? markFinished(services.db, transaction) : transaction;
  }
  const intent = FINAL_STATES.includes(found.state) ? found : await services.payment.cancel(found.id);
  const followed = intent.state === 'captured' ? await applyIntent(services, transaction, intent) : transaction;
  return FINAL_STATES.includes(intent.state) ? markFinished(services.db, followed) : followed;
}

const markFinished = (db: Database, transaction: Transaction): Promise<Transaction> =>
  db
    .updateTable('transactions')
    .set({ finished: true })
    .where('store_id', '=', transaction.store_id)
    .where('id', '=', transaction.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Replaces the stored intent by a later one, perhaps of another gateway. */
async function linkIntent({ db, payment }: PaymentServices, transaction: Transaction, intentId: string): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ intent_id: intentId, provider: payment.provider })
    .where('store_id', '=', transaction.store_id)
    .where('id', '=', transaction.id)
    .execute();
}
