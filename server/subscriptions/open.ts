import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError, notFound } from '../kernel/errors.ts';
import { isPropertyOn } from '../stores/store-property.ts';
import { type Database, isUniqueViolation } from '../database/open.ts';
import type { PlansTable } from '../database/schema/payments.ts';
import { getOrStartPayment } from '../payment/open-payment.ts';
import type { Terms } from '../payment/port.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { isOpen, OPEN_STATUSES, type Transaction } from '../payment/transactions.ts';
import { findActiveSubscription, type Subscriber } from '../entitlements/subscription.ts';

export type Plan = Selectable<PlansTable>;

/**
 * Reads a plan that the store currently sells.
 * @throws DomainError not_found for a plan that is not on offer, conflict not_for_sale if the store
 * does not sell subscriptions
 */
export async function requireOfferedPlan(db: Database, storeId: string, planId: string): Promise<Plan> {
  if (!(await isPropertyOn(db, storeId, 'EnableSubscription')))
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

export const alreadySubscribedError = () =>
  new DomainError('conflict', 'You’re already subscribed.', { code: 'already_subscribed' });

/** A trial that a code grants. */
export type Trial = { code: string; trialDays: number };

/** Whether the customer has ever had a subscription in this store: then a plan has no trial. */
export async function hasSubscribed(db: Database, { storeId, userId }: Subscriber): Promise<boolean> {
  const earlierSubscription = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return earlierSubscription !== undefined;
}

/**
 * Computes the terms of a new subscription. Without a code, only a customer's first subscription
 * begins with a trial.
 */
async function chooseTerms(db: Database, owner: Subscriber, plan: Plan, trial: Trial | undefined): Promise<Terms> {
  const trialDays = trial?.trialDays ?? ((await hasSubscribed(db, owner)) ? 0 : plan.trial_days);
  return { amountMinor: plan.amount_minor, period: plan.period, trialDays };
}

/**
 * Returns or creates the customer's only open payment for a subscription. Two windows share it, so
 * that the customer cannot pay twice.
 * @throws DomainError conflict already_subscribed; conflict conflict if concurrent calls keep
 * starting another payment; PaymentUnknown
 */
export async function openSubscription(
  services: PaymentServices,
  owner: Subscriber,
  plan: Plan,
  trial?: Trial,
): Promise<Transaction> {
  const { db, payment } = services;
  const code = trial?.code ?? null;
  return getOrStartPayment(services, {
    assertPurchasable: async () => {
      if (await findActiveSubscription(db, owner)) throw alreadySubscribedError();
    },
    find: () => findOpenSubscriptionPayment(db, owner),
    isReusable: async (transaction) => {
      if (transaction.status === 'paid') throw alreadySubscribedError();
      const isSame =
        transaction.plan_id === plan.id &&
        transaction.code === code &&
        hasTerms(transaction, plan, await chooseTerms(db, owner, plan, trial));
      return isOpen(transaction) && (isSame || transaction.status === 'capturing');
    },
    releaseReason: 'plan_changed',
    create: async () =>
      insertSubscriptionPayment(db, payment.provider, owner, plan, await chooseTerms(db, owner, plan, trial), code),
    createBusyError: () => new DomainError('conflict', 'You’re subscribing in another window.', { code: 'conflict' }),
  });
}

const hasTerms = ({ details, currency }: Transaction, plan: Plan, terms: Terms): boolean => {
  const agreedTerms = details as Terms;
  const isSame =
    agreedTerms.amountMinor === terms.amountMinor &&
    agreedTerms.period === terms.period &&
    agreedTerms.trialDays === terms.trialDays;
  return isSame && currency === plan.currency;
};

/** Finds the customer's open payment for a subscription. */
export const findOpenSubscriptionPayment = (db: Database, { storeId, userId }: Subscriber): Promise<Transaction | undefined> =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('kind', '=', 'subscription')
    .where('status', 'in', OPEN_STATUSES)
    .executeTakeFirst();

/**
 * Inserts the transaction.
 * @returns undefined if a concurrent call has inserted another one
 * @throws DomainError conflict already_subscribed
 */
async function insertSubscriptionPayment(
  db: Database,
  provider: string,
  owner: Subscriber,
  plan: Plan,
  terms: Terms,
  code: string | null,
): Promise<Transaction | undefined> {
  try {
    return await db.transaction().execute(async (trx) => {
      // A code may be granting a subscription concurrently.
      await lockCustomer(trx, owner.storeId, owner.userId);
      const insertedTransaction = await trx
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
      // Checked again while the insert excludes another open payment: another payment may have been
      // completed in between.
      if (await findActiveSubscription(trx, owner)) throw alreadySubscribedError();
      return insertedTransaction;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'transactions_one_subscription')) return undefined;
    throw error;
  }
}
