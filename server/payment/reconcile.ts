import type { PaymentServices } from './payment-services.ts';
import type { Database } from '../database/open.ts';
import { keepCard } from './cards.ts';
import type { Intent, IntentState } from './port.ts';
import { settle } from './settle.ts';
import { isOpen, move, OPEN, referenceOf, reload, type Transaction } from './transactions.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Brings a transaction in line with its intent at the gateway. A captured payment is booked, whoever asked
 * for it and whatever was lost on the way.
 */
export async function follow(services: PaymentServices, transaction: Transaction, intent: Intent): Promise<Transaction> {
  const { db, payment } = services;
  const standsIn = transaction.intent_id !== null && transaction.intent_id !== intent.id;
  if (transaction.intent_id !== intent.id) await linkIntent(services, transaction, intent.id);
  if (intent.keptCard) await keepCard(db, { storeId: transaction.store_id, userId: transaction.user_id }, intent.keptCard);
  switch (intent.state) {
    case 'captured':
      await settle(services, transaction, intent.subscription ?? null);
      return reload(db, transaction);
    case 'authorized':
      if (transaction.status !== 'capturing') return move(db, transaction, ['pending', 'authorized'], 'authorized');
      // The customer has confirmed: the capture that was not heard of is asked for again.
      return followOnce(services, transaction, await payment.capture(intent.id));
    case 'cancelled':
      return move(db, transaction, OPEN, 'cancelled', intent.reason);
    case 'failed':
      return move(db, transaction, OPEN, 'failed', intent.reason ?? 'payment_failed');
    case 'open':
    case 'action_required':
      // What was authorised is an intent that the gateway no longer knows; this one is still to be paid.
      return standsIn ? move(db, transaction, ['authorized'], 'pending') : reload(db, transaction);
  }
}

/** After a capture the gateway has nothing left to be asked: an intent that is still not captured stays open here. */
const followOnce = (services: PaymentServices, transaction: Transaction, intent: Intent): Promise<Transaction> =>
  intent.state === 'authorized' ? reload(services.db, transaction) : follow(services, transaction, intent);

/**
 * Asks the gateway about an open transaction and follows its answer.
 * @throws PaymentUnknown when the gateway gives none
 */
export async function reconcile(
  services: PaymentServices,
  transaction: Transaction,
): Promise<{ transaction: Transaction; intent?: Intent }> {
  if (!isOpen(transaction)) return { transaction };
  const intent = await intentOf(services, transaction);
  if (!intent) return { transaction };
  return { transaction: await follow(services, transaction, intent), intent };
}

/**
 * What the gateway has for a transaction; undefined when that is nothing. Its reference finds an intent whose answer was lost,
 * and one that was made anew by a gateway that does not know the first.
 */
async function intentOf({ payment, log }: PaymentServices, transaction: Transaction): Promise<Intent | undefined> {
  const { id, intent_id: known } = transaction;
  const intent = known === null ? undefined : await payment.read(known);
  if (intent) return intent;
  const made = await payment.readByReference(referenceOf(transaction));
  if (known !== null && known !== made?.id)
    log.error({ transaction: id, intent: known, instead: made?.id ?? null }, 'the gateway does not know a payment it had made');
  return made;
}

/** Milliseconds after which no call that makes an intent is under way any more. */
const LONGEST_CALL = 10 * 60_000;

/** What says for certain that the gateway holds no money for an intent, or no longer. */
const OVER: IntentState[] = ['captured', 'cancelled', 'failed'];

/**
 * Releases what the gateway may hold for a transaction that has been given up. When it has charged after all, that is
 * booked instead. An intent that was made is over only when the gateway says so: one that does not know it may be another
 * gateway than the one that holds the money.
 * @throws PaymentUnknown
 */
export async function releaseAtGateway(
  services: PaymentServices,
  transaction: Transaction,
  now = shopNow(),
): Promise<Transaction> {
  const found = await intentOf(services, transaction);
  if (!found) {
    const noneWasMade = transaction.intent_id === null && now.getTime() - transaction.updated_at.getTime() > LONGEST_CALL;
    return noneWasMade ? markFinished(services.db, transaction) : transaction;
  }
  const intent = OVER.includes(found.state) ? found : await services.payment.cancel(found.id);
  const followed = intent.state === 'captured' ? await follow(services, transaction, intent) : transaction;
  return OVER.includes(intent.state) ? markFinished(services.db, followed) : followed;
}

const markFinished = (db: Database, transaction: Transaction): Promise<Transaction> =>
  db
    .updateTable('transactions')
    .set({ finished: true })
    .where('store_id', '=', transaction.store_id)
    .where('id', '=', transaction.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** An intent that the gateway has made later stands in for one that it does not know, or that another gateway had. */
async function linkIntent({ db, payment }: PaymentServices, transaction: Transaction, intentId: string): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ intent_id: intentId, provider: payment.provider })
    .where('store_id', '=', transaction.store_id)
    .where('id', '=', transaction.id)
    .execute();
}
