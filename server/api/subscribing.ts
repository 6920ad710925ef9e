import { isOn } from '../stores/store-property.ts';
import { trialCode } from '../codes/payment-code.ts';
import { textIn } from '../base/language.ts';
import { tokenOfCard } from '../payment/cards.ts';
import { confirm } from '../payment/confirm.ts';
import type { Intent, Terms } from '../payment/port.ts';
import { findTransaction, reload, type Transaction } from '../payment/transactions.ts';
import { beginsSubscription } from '../purchases/subscription.ts';
import { openSubscription, type Plan } from '../subscriptions/open.ts';
import type { Answer, CustomerCall } from './call.ts';
import { explainGatewayFailure } from './gateway-unavailable.ts';
import { buyerOf, payerOf } from './caller.ts';
import { endDeclined, intentFor } from '../payment/intents.ts';
import { notFound, DomainError } from '../kernel/errors.ts';

/**
 * A plan that the store sells now. @throws DomainError not_found for one that is not on offer,
 * conflict not_for_sale in a store that sells none
 */
export async function planOnOffer({ services, store }: Pick<CustomerCall, 'services' | 'store'>, planId: string): Promise<Plan> {
  const { db } = services;
  if (!(await isOn(db, store.id, 'EnableSubscription')))
    throw new DomainError('conflict', 'This shop sells no subscriptions.', { code: 'not_for_sale' });
  const plan = await db
    .selectFrom('plans')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('id', '=', planId)
    .where('active', '=', true)
    .executeTakeFirst();
  if (!plan) throw notFound('plan');
  return plan;
}

/** The customer's open payment for a plan, and its intent at the gateway. Nothing is charged. */
async function beginSubscribing(call: CustomerCall, planId: string, typedCode = '', cardToken?: string) {
  const { services, store, spoken, customer } = call;
  const plan = await planOnOffer(call, planId);
  const trial = typedCode === '' ? undefined : await trialCode(services.db, await payerOf(call)(), typedCode, plan.id);
  const transaction = await openSubscription(services, { storeId: store.id, userId: customer.id }, plan, trial);
  const order = {
    description: textIn(plan, 'name', spoken),
    subscription: transaction.details as Terms,
  };
  return { transaction, intent: await intentFor(services, buyerOf(call), order, transaction, cardToken) };
}

/** How a subscription that is being begun stands; its id is the payment's. */
function standing({ id, status, intent_id, reason }: Transaction, intent?: Pick<Intent, 'url'>) {
  const isOver = status === 'failed' || status === 'cancelled';
  return {
    subscriptionId: id,
    status: isOver ? status : status === 'paid' ? 'active' : 'actionRequired',
    intentId: intent_id,
    url: status === 'pending' ? (intent?.url ?? null) : null,
    reason,
  } as const;
}

/** Begins to subscribe: the gateway's page, on which the customer leaves a card. Nothing is charged. */
export async function subscriptionSession(call: CustomerCall<'subscriptionSession'>): Answer<'subscriptionSession'> {
  const { query } = call;
  if (query.method !== undefined && query.method !== 'card')
    throw new DomainError('bad_request', 'A subscription is paid by card.');
  try {
    const { transaction, intent } = await beginSubscribing(call, query.planId, query.code);
    return { transId: transaction.id, provider: transaction.provider, url: intent.url };
  } catch (error) {
    throw await explainGatewayFailure(call, { planId: query.planId }, error);
  }
}

/** Begins to subscribe by a kept card. Nothing is charged before `confirmSubscription`. */
export async function purchaseSubscription(call: CustomerCall<'purchaseSubscription'>): Answer<'purchaseSubscription'> {
  const { services, store, customer, query } = call;
  const cardToken = await tokenOfCard(services.db, { storeId: store.id, userId: customer.id }, query.cardId);
  if (cardToken === undefined) throw notFound('card');
  try {
    const { transaction, intent } = await beginSubscribing(call, query.planId, query.code, cardToken);
    await endDeclined(services, transaction, intent);
    return standing(await reload(services.db, transaction), intent);
  } catch (error) {
    throw await explainGatewayFailure(call, { planId: query.planId }, error);
  }
}

/** Charges the authorised payment and begins the subscription; a repetition answers the first one. */
export async function confirmSubscription(call: CustomerCall<'confirmSubscription'>): Answer<'confirmSubscription'> {
  const { services, store, customer, query } = call;
  const found = await findTransaction(services.db, store.id, customer.id, query.subscriptionId);
  if (!found || !beginsSubscription(found)) throw notFound('subscription');
  if (found.intent_id !== null && query.intentId !== found.intent_id)
    throw new DomainError('bad_request', 'The intent is not this subscription’s.');
  return standing(await confirm(services, found));
}
