import { confirmPayment } from '../../payment/confirm.ts';
import type { Intent } from '../../payment/port.ts';
import { findTransaction, type Transaction } from '../../payment/transactions.ts';
import { startsSubscription } from '../../purchases/kinds/subscription.ts';
import { paySubscription, paySubscriptionByCard } from '../../purchases/pay-subscription.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { toBuyer, toPayer } from '../calls/caller.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { toSession } from './payment-session.ts';

/** Returns the status of a subscription that is being started; its id is the payment's id. */
function toSubscribingStatus({ id, status, intent_id, reason }: Transaction, intent?: Pick<Intent, 'url'>) {
  const isUnsuccessful = status === 'failed' || status === 'cancelled';
  return {
    subscriptionId: id,
    status: isUnsuccessful ? status : status === 'paid' ? 'active' : 'actionRequired',
    intentId: intent_id,
    url: status === 'pending' ? (intent?.url ?? null) : null,
    reason,
  } as const;
}

/** Starts a subscription on the gateway's page, which takes a card. No money is charged. */
export async function subscriptionSession(call: CustomerCall<'subscriptionSession'>): Answer<'subscriptionSession'> {
  const { services, query } = call;
  if (query.method !== undefined && query.method !== 'card')
    throw new DomainError('bad_request', `method must be card, not ${query.method}: a subscription is paid by card.`);
  return toSession(await paySubscription(services, toBuyer(call), toPayer(call), query));
}

/** Starts a subscription with a saved card; `confirmSubscription` charges it. */
export async function purchaseSubscription(call: CustomerCall<'purchaseSubscription'>): Answer<'purchaseSubscription'> {
  const { services, query } = call;
  const { transaction, intent } = await paySubscriptionByCard(services, toBuyer(call), toPayer(call), query, query.cardId);
  return toSubscribingStatus(transaction, intent);
}

/** Captures the authorised payment and starts the subscription; idempotent. */
export async function confirmSubscription(call: CustomerCall<'confirmSubscription'>): Answer<'confirmSubscription'> {
  const { services, store, customer, query } = call;
  const transaction = await findTransaction(services.db, store.id, customer.id, query.subscriptionId);
  if (!transaction || !startsSubscription(transaction)) throw notFound('subscription');
  if (transaction.intent_id !== null && query.intentId !== transaction.intent_id)
    throw new DomainError(
      'bad_request',
      `intentId ${query.intentId} is not that of subscription ${transaction.id}: expected ${transaction.intent_id}.`,
    );
  return toSubscribingStatus(await confirmPayment(services, transaction));
}
