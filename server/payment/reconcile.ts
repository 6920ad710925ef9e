import { randomUUID } from 'node:crypto';
import type { Services } from '../services.ts';
import type { Intent, KeptCard, PaymentPort } from './port.ts';
import { settle } from './settle.ts';
import { isOpen, move, OPEN, referenceOf, reload, type Transaction } from './transactions.ts';

type Needs = Pick<Services, 'db' | 'payment'>;

/**
 * Brings a transaction in line with its intent at the gateway. A captured payment is booked, whoever asked
 * for it and whatever was lost on the way.
 */
export async function follow({ db, payment }: Needs, transaction: Transaction, intent: Intent): Promise<Transaction> {
  if (transaction.intent_id === null) await linkIntent(db, transaction, intent.id);
  if (intent.keptCard) await keepCard(db, transaction, intent.keptCard);
  switch (intent.state) {
    case 'captured':
      await settle(db, transaction);
      return reload(db, transaction);
    case 'authorized':
      if (transaction.status !== 'capturing') return move(db, transaction, ['pending', 'authorized'], 'authorized');
      // The customer has confirmed: the capture that was not heard of is asked for again.
      return followOnce({ db, payment }, transaction, await payment.capture(intent.id));
    case 'cancelled':
      return move(db, transaction, OPEN, 'cancelled', intent.reason);
    case 'failed':
      return move(db, transaction, OPEN, 'failed', intent.reason ?? 'payment_failed');
    case 'open':
    case 'action_required':
      return reload(db, transaction);
  }
}

/** After a capture the gateway has nothing left to be asked: an intent that is still not captured stays open here. */
const followOnce = (needs: Needs, transaction: Transaction, intent: Intent): Promise<Transaction> =>
  intent.state === 'authorized' ? reload(needs.db, transaction) : follow(needs, transaction, intent);

/**
 * Asks the gateway about an open transaction and follows its answer.
 * @throws PaymentUnknown when the gateway gives none
 */
export async function reconcile(needs: Needs, transaction: Transaction): Promise<{ transaction: Transaction; intent?: Intent }> {
  if (!isOpen(transaction)) return { transaction };
  const intent = await intentOf(needs.payment, transaction);
  if (!intent) return { transaction };
  return { transaction: await follow(needs, transaction, intent), intent };
}

/** What the gateway has for a transaction, also where its first answer was lost; undefined when that is nothing. */
const intentOf = (payment: PaymentPort, transaction: Transaction): Promise<Intent | undefined> =>
  transaction.intent_id === null ? payment.readByReference(referenceOf(transaction)) : payment.read(transaction.intent_id);

/** Milliseconds after which no call that makes an intent is under way any more. */
const CALL_ENDED = 10 * 60_000;

/**
 * Releases what the gateway may hold for a transaction that has been given up. When it has charged after all, that is
 * booked instead.
 * @throws PaymentUnknown
 */
export async function finish({ db, payment }: Needs, transaction: Transaction, now = new Date()): Promise<Transaction> {
  const found = await intentOf(payment, transaction);
  const isLive = found !== undefined && !['captured', 'cancelled', 'failed'].includes(found.state);
  const intent = isLive ? await payment.cancel(found.id) : found;
  if (intent?.state === 'captured') return follow({ db, payment }, transaction, intent);
  const isOver = intent !== undefined || now.getTime() - transaction.updated_at.getTime() > CALL_ENDED;
  return isOver ? markFinished(db, transaction) : transaction;
}

const markFinished = (db: Needs['db'], transaction: Transaction): Promise<Transaction> =>
  db
    .updateTable('transactions')
    .set({ finished: true })
    .where('store_id', '=', transaction.store_id)
    .where('id', '=', transaction.id)
    .returningAll()
    .executeTakeFirstOrThrow();

async function linkIntent(db: Needs['db'], transaction: Transaction, intentId: string): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ intent_id: intentId })
    .where('store_id', '=', transaction.store_id)
    .where('id', '=', transaction.id)
    .where('intent_id', 'is', null)
    .execute();
}

/** Notes a card that the customer let the gateway keep; the first one becomes the default. */
async function keepCard(db: Needs['db'], transaction: Transaction, card: KeptCard): Promise<void> {
  const owner = { store_id: transaction.store_id, user_id: transaction.user_id };
  const others = await db
    .selectFrom('cards')
    .select('id')
    .where('store_id', '=', owner.store_id)
    .where('user_id', '=', owner.user_id)
    .executeTakeFirst();
  await db
    .insertInto('cards')
    .values({
      ...owner,
      id: randomUUID(),
      gateway_card: card.token,
      brand: card.brand,
      last4: card.last4,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      is_default: others === undefined,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
