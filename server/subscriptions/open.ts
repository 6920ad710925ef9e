import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError, notFound } from '../kernel/errors.ts';
import { isOn } from '../stores/store-property.ts';
import { type Database, isUniqueViolation } from '../database/open.ts';
import type { PlansTable } from '../database/schema/payments.ts';
import { openPayment } from '../payment/open-payment.ts';
import type { Terms } from '../payment/port.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { isOpen, OPEN, type Transaction } from '../payment/transactions.ts';
import { runningSubscription, type Subscriber } from '../entitlements/held.ts';

export type Plan = Selectable<PlansTable>;

/**
 * A plan that the store sells now. @throws DomainError not_found for one that is not on offer,
 * conflict not_for_sale in a store that sells none
 */
export async function planOnOffer(db: Database, storeId: string, planId: string): Promise<Plan> {
  if (!(await isOn(db, storeId, 'EnableSubscription')))
    throw new DomainError('conflict', 'This shop sells no subscriptions.', { code: 'not_for_sale' });
  const plan = await db
    .selectFrom('plans')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', planId)
    .where('active', '=', true)
    .executeTakeFirst();
  if (!plan) throw notFound('plan');
  return plan;
}

export const alreadySubscribed = () => new DomainError('conflict', 'You’re already subscribed.', { code: 'already_subscribed' });

/** The days for nothing that a code gives. */
export type Trial = { code: string; trialDays: number };

/** What the customer agrees to. Without a code only who has never subscribed in this store begins with a trial. */
async function termsFor(db: Database, { storeId, userId }: Subscriber, plan: Plan, trial: Trial | undefined): Promise<Terms> {
  const before = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return { amountMinor: plan.amount_minor, period: plan.period, trialDays: trial?.trialDays ?? (before ? 0 : plan.trial_days) };
}

/**
 * The customer's one open payment that begins a subscription: the one that is there already, or a new one. Two windows that
 * subscribe share it, so that nobody pays twice.
 * @throws DomainError conflict already_subscribed; conflict while another one is being begun
 */
export async function openSubscription(
  services: PaymentServices,
  owner: Subscriber,
  plan: Plan,
  trial?: Trial,
): Promise<Transaction> {
  const { db, payment } = services;
  const code = trial?.code ?? null;
  return openPayment(services, {
    refuse: async () => {
      if (await runningSubscription(db, owner)) throw alreadySubscribed();
    },
    find: () => openSubscribing(db, owner),
    isWanted: async (found) => {
      if (found.status === 'paid') throw alreadySubscribed();
      const isSame =
        found.plan_id === plan.id && found.code === code && isAgreed(found, plan, await termsFor(db, owner, plan, trial));
      return isOpen(found) && (isSame || found.status === 'capturing');
    },
    releasedFor: 'plan_changed',
    begin: async () => begin(db, payment.provider, owner, plan, await termsFor(db, owner, plan, trial), code),
    busy: () => new DomainError('conflict', 'You’re subscribing in another window.', { code: 'conflict' }),
  });
}

const isAgreed = ({ details, currency }: Transaction, plan: Plan, terms: Terms): boolean => {
  const agreed = details as Terms;
  const isSame =
    agreed.amountMinor === terms.amountMinor && agreed.period === terms.period && agreed.trialDays === terms.trialDays;
  return isSame && currency === plan.currency;
};

/** The customer's payment that begins a subscription and is not over. */
export const openSubscribing = (db: Database, { storeId, userId }: Subscriber): Promise<Transaction | undefined> =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('kind', '=', 'subscription')
    .where('status', 'in', OPEN)
    .executeTakeFirst();

/** undefined when another call began one in the same moment. */
async function begin(
  db: Database,
  provider: string,
  owner: Subscriber,
  plan: Plan,
  terms: Terms,
  code: string | null,
): Promise<Transaction | undefined> {
  try {
    return await db.transaction().execute(async (trx) => {
      // A code may be giving one at this moment.
      await lockCustomer(trx, owner.storeId, owner.userId);
      const made = await trx
        .insertInto('transactions')
        .values({
          store_id: owner.storeId,
          id: randomUUID(),
          user_id: owner.userId,
          kind: 'subscription',
          plan_id: plan.id,
          amount_minor: terms.trialDays > 0 ? 0 : terms.amountMinor,
          currency: plan.currency,
          code,
          status: 'pending',
          provider,
          details: JSON.stringify(terms),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      // Asked again now that no other can be begun: one that was paid in between shows here.
      if (await runningSubscription(trx, owner)) throw alreadySubscribed();
      return made;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'transactions_one_subscription')) return undefined;
    throw error;
  }
}
