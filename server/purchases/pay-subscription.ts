import { localizeText } from '../base/language.ts';
import { requireTrialCode } from '../codes/payment-code.ts';
import type { Buyer, Payer } from '../payment/buyer.ts';
import { readCardToken } from '../payment/cards.ts';
import { attemptPurchase } from '../payment/gateway-failure.ts';
import { type StartedPayment, failDeclinedPayment, getOrCreateIntent } from '../payment/intents.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import type { Terms } from '../payment/port.ts';
import { reload } from '../payment/transactions.ts';
import { openSubscription, requireOfferedPlan } from '../subscriptions/open.ts';

export type SubscriptionOrder = { planId: string; code?: string | undefined };

/** Returns or creates the open payment of a plan, and its intent at the gateway. */
async function startPayment(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  { planId, code = '' }: SubscriptionOrder,
  cardToken?: string,
): Promise<StartedPayment> {
  const { storeId, userId, spoken } = buyer;
  const plan = await requireOfferedPlan(services.db, storeId, planId);
  const trial = code === '' ? undefined : await requireTrialCode(services.db, await payer(), code, plan.id);
  const transaction = await openSubscription(services, { storeId, userId }, plan, trial);
  const order = { description: localizeText(plan, 'name', spoken), subscription: transaction.details as Terms };
  return { transaction, intent: await getOrCreateIntent(services, buyer, order, transaction, cardToken) };
}

const TRANSACTION_FILTER = { kinds: ['subscription'] };

/** Starts the payment of a plan. No money is charged. */
export const paySubscription = (
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  order: SubscriptionOrder,
): Promise<StartedPayment> =>
  attemptPurchase(services, buyer, TRANSACTION_FILTER, () => startPayment(services, buyer, payer, order));

/** Starts the payment of a plan with a saved card. The confirmation charges it. */
export async function paySubscriptionByCard(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  order: SubscriptionOrder,
  cardId: string,
): Promise<StartedPayment> {
  const cardToken = await readCardToken(services.db, buyer, cardId);
  return attemptPurchase(services, buyer, TRANSACTION_FILTER, async () => {
    const { transaction, intent } = await startPayment(services, buyer, payer, order, cardToken);
    await failDeclinedPayment(services, transaction, intent);
    return { transaction: await reload(services.db, transaction), intent };
  });
}
