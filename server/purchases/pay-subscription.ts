import { textIn } from '../base/language.ts';
import { trialCode } from '../codes/payment-code.ts';
import type { Buyer, Payer } from '../payment/buyer.ts';
import { tokenOfCard } from '../payment/cards.ts';
import { attempt } from '../payment/gateway-failure.ts';
import { type Begun, endDeclined, intentFor } from '../payment/intents.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import type { Terms } from '../payment/port.ts';
import { reload } from '../payment/transactions.ts';
import { openSubscription, planOnOffer } from '../subscriptions/open.ts';

export type Subscribing = { planId: string; code?: string | undefined };

/** The customer's open payment for a plan, and its intent at the gateway. */
async function begin(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  { planId, code = '' }: Subscribing,
  cardToken?: string,
): Promise<Begun> {
  const { storeId, userId, spoken } = buyer;
  const plan = await planOnOffer(services.db, storeId, planId);
  const trial = code === '' ? undefined : await trialCode(services.db, await payer(), code, plan.id);
  const transaction = await openSubscription(services, { storeId, userId }, plan, trial);
  const order = { description: textIn(plan, 'name', spoken), subscription: transaction.details as Terms };
  return { transaction, intent: await intentFor(services, buyer, order, transaction, cardToken) };
}

const attempted = { kinds: ['subscription'] };

/** Begins the payment of a plan. Nothing is charged. */
export const paySubscription = (services: PaymentServices, buyer: Buyer, payer: Payer, wanted: Subscribing): Promise<Begun> =>
  attempt(services, buyer, attempted, () => begin(services, buyer, payer, wanted));

/** Begins the payment of a plan by a kept card. Nothing is charged before it is confirmed. */
export async function paySubscriptionByCard(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  wanted: Subscribing,
  cardId: string,
): Promise<Begun> {
  const cardToken = await tokenOfCard(services.db, buyer, cardId);
  return attempt(services, buyer, attempted, async () => {
    const { transaction, intent } = await begin(services, buyer, payer, wanted, cardToken);
    await endDeclined(services, transaction, intent);
    return { transaction: await reload(services.db, transaction), intent };
  });
}
