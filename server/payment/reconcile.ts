import { randomUUID } from 'node:crypto';
import type { Services } from '../services.ts';
import type { Intent, KeptCard } from './port.ts';
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
  const intent =
    transaction.intent_id === null
      ? await needs.payment.readByReference(referenceOf(transaction))
      : await needs.payment.read(transaction.intent_id);
  if (!intent) return { transaction };
  return { transaction: await follow(needs, transaction, intent), intent };
}

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
