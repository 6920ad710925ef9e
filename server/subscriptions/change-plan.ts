import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Database, isUniqueViolation } from '../database/open.ts';
import type { PlanChangesTable } from '../database/schema/offers.ts';
import { type LanguageCode, localizeText } from '../base/language.ts';
import { bookEntry, toPlanChangeCause } from '../payment/ledger.ts';
import { type ChangedSubscription, notChangeableError, type PlanChange, PaymentUnknown } from '../payment/port.ts';
import { enqueuePaymentEmail } from '../payment/receipt.ts';
import { planChangedEmail } from './renewal-email.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import type { SweepRound } from '../payment/sweep-round.ts';
import type { Subscription } from '../entitlements/subscription.ts';
import type { Plan } from './open.ts';
import { applyRemoteSubscription, unknownSubscriptionError } from './renew.ts';

export type PlanChangeRow = Selectable<PlanChangesTable>;

/** When a plan change starts, and what it charges immediately. */
export type ChangeQuote = { starts: 'now' | 'renewal'; dueMinor: number };

type Terms = Pick<Plan, 'amount_minor' | 'currency' | 'period'>;

/** Returns the customer's current terms; their price may differ from the plan's current price. */
export const toTerms = (subscription: Subscription, plan: Plan): Terms => ({
  amount_minor: subscription.amount_minor ?? plan.amount_minor,
  currency: subscription.currency ?? plan.currency,
  period: subscription.period ?? plan.period,
});

/**
 * Whether the plan can be changed: the subscription is paid, renews, and is at the current gateway.
 */
export const isChangeable = (
  { status, cancelled_at, cancel_told, provider, provider_id, amount_minor }: Subscription,
  currentProvider: string,
): boolean =>
  status === 'active' &&
  cancelled_at === null &&
  !cancel_told &&
  provider === currentProvider &&
  provider_id !== null &&
  amount_minor !== 0;

/**
 * Reads the open changes: the change whose outcome at the gateway is unknown (`pending`), and the
 * change that starts with the next renewal (`waiting`).
 */
export const readOpenChanges = (db: Database, { store_id: storeId, id }: Subscription): Promise<PlanChangeRow[]> =>
  db
    .selectFrom('plan_changes')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('subscription_id', '=', id)
    .where('status', 'in', ['pending', 'waiting'])
    .orderBy('number', 'desc')
    .execute();

const toChangeReference = ({ store_id: storeId, id }: Pick<PlanChangeRow, 'store_id' | 'id'>): string => `${storeId}/${id}`;

type RemotePlanChange = Pick<PlanChangeRow, 'store_id' | 'id' | 'amount_minor' | 'currency' | 'period' | 'counted_at'>;

const toPlanChange = (change: RemotePlanChange, description: string): Omit<PlanChange, 'starts'> => ({
  reference: toChangeReference(change),
  description,
  terms: { amountMinor: change.amount_minor, period: change.period, trialDays: 0 },
  currency: change.currency,
  at: change.counted_at.getTime(),
});

/**
 * Quotes a plan change. A dearer plan starts immediately, and is charged less the unused part of
 * the paid period. Others start with the next renewal, as does every change while another one is
 * waiting, and every change that the gateway cannot charge now, such as during a trial.
 * @throws PaymentUnknown; DomainError conflict not_for_sale for a price that the gateway cannot
 * charge
 */
export async function quoteChange(
  { db, payment }: PaymentServices,
  subscription: Subscription,
  currentPlan: Plan,
  plan: Plan,
  { at, language }: { at: Date; language: LanguageCode },
): Promise<ChangeQuote> {
  const isDearer = plan.amount_minor > toTerms(subscription, currentPlan).amount_minor;
  const isChangeWaiting = (await readOpenChanges(db, subscription)).some(({ status }) => status === 'waiting');
  if (!isDearer || isChangeWaiting) return { starts: 'renewal', dueMinor: 0 };
  const { amount_minor, currency, period, store_id } = plan;
  const change = { store_id, id: randomUUID(), amount_minor, currency, period, counted_at: at };
  const dueMinor = await payment.quoteChange(
    subscription.provider_id ?? '',
    toPlanChange(change, localizeText(plan, 'name', { language })),
  );
  return dueMinor === undefined ? { starts: 'renewal', dueMinor: 0 } : { starts: 'now', dueMinor };
}

const planChangingError = () => new DomainError('conflict', 'A plan change is already in progress.', { code: 'plan_changing' });

/**
 * Stores a plan change before the gateway is called; idempotent for the same plan.
 * @returns the stored change; undefined if another window has already changed to that plan
 * @throws DomainError conflict plan_unchanged if the subscription cannot be changed any more;
 * conflict plan_changing if a change to another plan is pending
 */
export async function beginChange(
  db: Database,
  subscription: Subscription,
  plan: Plan & Terms,
  { starts, at }: { starts: ChangeQuote['starts']; at: Date },
): Promise<PlanChangeRow | undefined> {
  const { store_id: storeId, user_id: userId, id } = subscription;
  try {
    return await db.transaction().execute(async (trx) => {
      await lockCustomer(trx, storeId, userId);
      const row = await trx
        .selectFrom('subscriptions')
        .selectAll()
        .where('store_id', '=', storeId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (row.plan_id !== subscription.plan_id && row.plan_id === plan.id) return undefined;
      if (!isChangeable(row, subscription.provider) || row.plan_id !== subscription.plan_id) throw notChangeableError();
      const pendingChange = (await readOpenChanges(trx, subscription)).find(({ status }) => status === 'pending');
      if (pendingChange?.plan_id === plan.id) return pendingChange;
      if (pendingChange) throw planChangingError();
      const { last } = await trx
        .selectFrom('plan_changes')
        .select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.lit(0)).as('last'))
        .where('store_id', '=', storeId)
        .where('subscription_id', '=', id)
        .executeTakeFirstOrThrow();
      const { amount_minor, currency, period } = plan;
      return trx
        .insertInto('plan_changes')
        .values({
          store_id: storeId,
          subscription_id: id,
          number: Number(last) + 1,
          id: randomUUID(),
          plan_id: plan.id,
          amount_minor,
          currency,
          period,
          starts,
          counted_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  } catch (error) {
    if (isUniqueViolation(error, 'plan_changes_pending')) throw planChangingError();
    throw error;
  }
}

const updateRow = (db: Database, { store_id, id }: PlanChangeRow) =>
  db.updateTable('plan_changes').where('store_id', '=', store_id).where('id', '=', id);

/**
 * Changes the plan at the gateway and books the change. The gateway changes and charges once for
 * each change, and the change is booked once, so the call may be repeated or crash anywhere, and
 * the sweep completes the change.
 * @throws PaymentUnknown; DomainError if the subscription has ended or the gateway refuses: then
 * the plan is unchanged
 */
export async function applyChange(services: PaymentServices, change: PlanChangeRow): Promise<void> {
  const { db, payment } = services;
  const row = await db
    .selectFrom('subscriptions')
    .innerJoin('plans', (join) => join.on('plans.id', '=', change.plan_id).onRef('plans.store_id', '=', 'subscriptions.store_id'))
    .leftJoin('transactions', (join) =>
      join.onRef('transactions.store_id', '=', 'subscriptions.store_id').onRef('transactions.id', '=', 'subscriptions.id'),
    )
    .selectAll('subscriptions')
    .select(['plans.name', 'plans.translations', 'transactions.language'])
    .where('subscriptions.store_id', '=', change.store_id)
    .where('subscriptions.id', '=', change.subscription_id)
    .executeTakeFirstOrThrow();
  const { name, translations, language, ...subscription } = row;
  try {
    // Never charge an ended subscription: its customer may be deleted.
    if (subscription.status === 'ended') throw notChangeableError();
    const planChange = toPlanChange(change, localizeText({ name, translations }, 'name', { language: language ?? 'en' }));
    const remote = await payment.changePlan(subscription.provider_id ?? '', { ...planChange, starts: change.starts });
    if (!remote) throw new PaymentUnknown(unknownSubscriptionError(subscription));
    await settleChange(db, subscription, change, remote);
  } catch (error) {
    if (error instanceof DomainError)
      await updateRow(db, change).set({ status: 'failed', reason: error.reason }).where('status', '=', 'pending').execute();
    throw error;
  }
}

/** Books a plan change once, and updates the subscription from the gateway's response. */
async function settleChange(
  db: Database,
  subscription: Subscription,
  change: PlanChangeRow,
  remote: ChangedSubscription,
): Promise<void> {
  const { store_id: storeId, plan_id, amount_minor, currency, period, starts, subscription_id: id, number } = change;
  const { chargedMinor, renewalsBefore, ...remoteSubscription } = remote;
  // Renewals before the change were paid at the old price.
  await applyRemoteSubscription(db, subscription, {
    ...remoteSubscription,
    renewals: Math.min(remoteSubscription.renewals, renewalsBefore),
  });
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, storeId, subscription.user_id);
    const subscriptionChanges = trx.updateTable('plan_changes').where('store_id', '=', storeId).where('subscription_id', '=', id);
    const pendingChange = await trx
      .selectFrom('plan_changes')
      .select('id')
      .where('store_id', '=', storeId)
      .where('id', '=', change.id)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    if (!pendingChange) return;
    await subscriptionChanges.set({ status: 'withdrawn' }).where('status', '=', 'waiting').execute();
    const startsLater = starts === 'renewal' && plan_id !== subscription.plan_id;
    await updateRow(trx, change)
      .set({ status: startsLater ? 'waiting' : 'done', charged_minor: chargedMinor, from_renewal: renewalsBefore + 1 })
      .execute();
    if (starts !== 'now') return;
    await trx
      .updateTable('subscriptions')
      .set({ plan_id, amount_minor, currency, period, renews_at: new Date(remoteSubscription.until) })
      .where('store_id', '=', storeId)
      .where('id', '=', id)
      .execute();
    const cause = toPlanChangeCause(id, number);
    await bookEntry(trx, { storeId, cause, currency, sides: { gateway: chargedMinor, subscriptions: -chargedMinor } });
    if (chargedMinor > 0) await enqueuePaymentEmail(trx, subscription, planChangedEmail, number);
  });
  await applyRemoteSubscription(db, subscription, remoteSubscription);
}

/** Maximum number of plan changes that one sweep processes. */
const BATCH_SIZE = 200;

/** Reads pending changes, of all subscriptions or of one, the least recently tried first. */
const readPendingChanges = (db: Database, provider: string, subscriptionId?: string): Promise<PlanChangeRow[]> =>
  db
    .selectFrom('plan_changes')
    .innerJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.store_id', '=', 'plan_changes.store_id')
        .onRef('subscriptions.id', '=', 'plan_changes.subscription_id'),
    )
    .selectAll('plan_changes')
    .where('plan_changes.status', '=', 'pending')
    .where('subscriptions.provider', '=', provider)
    .$if(subscriptionId !== undefined, (query) => query.where('subscriptions.id', '=', subscriptionId ?? ''))
    .orderBy('plan_changes.swept_at', (order) => order.asc().nullsFirst())
    .orderBy('plan_changes.created_at')
    .limit(BATCH_SIZE)
    .execute();

/**
 * Completes the pending changes, of all subscriptions or of one.
 * @returns the number of completed changes
 */
export const sweepChanges = async (
  services: PaymentServices,
  round: SweepRound,
  now: Date,
  subscriptionId?: string,
): Promise<number> =>
  round.run({
    rows: await readPendingChanges(services.db, services.payment.provider, subscriptionId),
    markSwept: (change) => updateRow(services.db, change).set({ swept_at: now }).execute(),
    settle: async (change) => {
      await applyChange(services, change);
      return true;
    },
    describe: ({ store_id: store, id, subscription_id: subscription }) => ({ store, subscription, change: id }),
    unknownEvent: 'payment.plan_change.outcome_unknown',
    failedEvent: 'payment.plan_change.failed',
  });
