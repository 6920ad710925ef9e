import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Database, isUniqueViolation } from '../database/open.ts';
import type { PlanChangesTable } from '../database/schema/offers.ts';
import { type LanguageCode, textIn } from '../base/language.ts';
import { book, planChangeCause } from '../payment/ledger.ts';
import { type ChangedSubscription, notChanged, type PlanChange, PaymentUnknown } from '../payment/port.ts';
import { queueLetter } from '../payment/receipt.ts';
import { planChangedEmail } from './renewal-letter.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import type { SweepRound } from '../payment/sweep-round.ts';
import type { Subscription } from '../entitlements/held.ts';
import type { Plan } from './open.ts';
import { followSubscription } from './renew.ts';

export type Change = Selectable<PlanChangesTable>;

/** What another plan means: when it starts, and what is charged then and there. */
export type ChangeQuote = { starts: 'now' | 'renewal'; dueMinor: number };

type Terms = Pick<Plan, 'amount_minor' | 'currency' | 'period'>;

/** What the customer pays for now, who may have subscribed at another price than today's. */
export const termsOf = (held: Subscription, plan: Plan): Terms => ({
  amount_minor: held.amount_minor ?? plan.amount_minor,
  currency: held.currency ?? plan.currency,
  period: held.period ?? plan.period,
});

/** Whether a subscription is one that another plan can be given to: it is paid, renewed, and by the gateway that is used now. */
export const isChangeable = (
  { status, cancelled_at, cancel_told, provider, provider_id, amount_minor }: Subscription,
  using: string,
): boolean =>
  status === 'active' &&
  cancelled_at === null &&
  !cancel_told &&
  provider === using &&
  provider_id !== null &&
  amount_minor !== 0;

/** The change of a subscription that the gateway has not answered yet, and the one that begins with its next renewal. */
export const openChanges = (db: Database, { store_id: storeId, id }: Subscription): Promise<Change[]> =>
  db
    .selectFrom('plan_changes')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('subscription_id', '=', id)
    .where('status', 'in', ['pending', 'waiting'])
    .orderBy('number', 'desc')
    .execute();

const referenceOf = ({ store_id: storeId, id }: Pick<Change, 'store_id' | 'id'>): string => `${storeId}/${id}`;

type Wanted = Pick<Change, 'store_id' | 'id' | 'amount_minor' | 'currency' | 'period' | 'counted_at'>;

const asChange = (wanted: Wanted, description: string): Omit<PlanChange, 'starts'> => ({
  reference: referenceOf(wanted),
  description,
  terms: { amountMinor: wanted.amount_minor, period: wanted.period, trialDays: 0 },
  currency: wanted.currency,
  at: wanted.counted_at.getTime(),
});

/**
 * What another plan costs and when it begins. One that costs more than what is paid now begins at once, and what is left of the paid
 * period is taken off; others begin with the next renewal, as does each while days cost nothing or another change waits.
 * @throws PaymentUnknown
 */
export async function quoteChange(
  { db, payment }: PaymentServices,
  held: Subscription,
  own: Plan,
  plan: Plan,
  { at, language }: { at: Date; language: LanguageCode },
): Promise<ChangeQuote> {
  const isDearer = plan.amount_minor > termsOf(held, own).amount_minor;
  const waits = (await openChanges(db, held)).some(({ status }) => status === 'waiting');
  if (!isDearer || waits) return { starts: 'renewal', dueMinor: 0 };
  const { amount_minor, currency, period, store_id } = plan;
  const wanted = { store_id, id: randomUUID(), amount_minor, currency, period, counted_at: at };
  const dueMinor = await payment.quoteChange(held.provider_id ?? '', asChange(wanted, textIn(plan, 'name', { language })));
  return dueMinor === undefined ? { starts: 'renewal', dueMinor: 0 } : { starts: 'now', dueMinor };
}

const changing = () => new DomainError('conflict', 'Another plan is being changed to at this moment.', { code: 'plan_changing' });

/**
 * Writes down that the customer wants another plan, before the gateway is asked. The same wish, however often, is one change.
 * @returns undefined where another window has changed to that plan by now
 * @throws DomainError conflict plan_unchanged where the subscription is over or unpaid by now;
 * plan_changing where another change is open
 */
export async function beginChange(
  db: Database,
  held: Subscription,
  plan: Plan & Terms,
  { starts, at }: { starts: ChangeQuote['starts']; at: Date },
): Promise<Change | undefined> {
  const { store_id: storeId, user_id: userId, id } = held;
  try {
    return await db.transaction().execute(async (trx) => {
      await lockCustomer(trx, storeId, userId);
      const now = await trx
        .selectFrom('subscriptions')
        .selectAll()
        .where('store_id', '=', storeId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (now.plan_id !== held.plan_id && now.plan_id === plan.id) return undefined;
      if (!isChangeable(now, held.provider) || now.plan_id !== held.plan_id) throw notChanged();
      const open = (await openChanges(trx, held)).find(({ status }) => status === 'pending');
      if (open?.plan_id === plan.id) return open;
      if (open) throw changing();
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
    if (isUniqueViolation(error, 'plan_changes_pending')) throw changing();
    throw error;
  }
}

const rowOf = (db: Database, { store_id, id }: Change) =>
  db.updateTable('plan_changes').where('store_id', '=', store_id).where('id', '=', id);

/**
 * Has the gateway change a plan, and books it. The gateway changes, and charges, once for each change, and booking it happens once; so
 * the call may be repeated, and end anywhere, and the sweep finishes what it left.
 * @throws PaymentUnknown; DomainError where the gateway does not change it: then all is as it was
 */
export async function applyChange(services: PaymentServices, change: Change): Promise<void> {
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
  const { name, translations, language, ...held } = row;
  try {
    // Whoever is gone pays nothing any more.
    if (held.status === 'ended') throw notChanged();
    const described = asChange(change, textIn({ name, translations }, 'name', { language: language ?? 'en' }));
    const told = await payment.changePlan(held.provider_id ?? '', { ...described, starts: change.starts });
    if (!told) throw new PaymentUnknown(new Error('The gateway does not know the subscription.'));
    await settleChange(db, held, change, told);
  } catch (error) {
    if (error instanceof DomainError)
      await rowOf(db, change).set({ status: 'failed', reason: error.reason }).where('status', '=', 'pending').execute();
    throw error;
  }
}

/** Books a change that the gateway has made, once, and follows what it says of the subscription. */
async function settleChange(db: Database, held: Subscription, change: Change, told: ChangedSubscription): Promise<void> {
  const { store_id: storeId, plan_id, amount_minor, currency, period, starts, subscription_id: id, number } = change;
  const { chargedMinor, renewalsBefore, ...now } = told;
  // What was renewed before was so at the price of before.
  await followSubscription(db, held, { ...now, renewals: Math.min(now.renewals, renewalsBefore) });
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, storeId, held.user_id);
    const changes = trx.updateTable('plan_changes').where('store_id', '=', storeId).where('subscription_id', '=', id);
    const isOpen = await trx
      .selectFrom('plan_changes')
      .select('id')
      .where('store_id', '=', storeId)
      .where('id', '=', change.id)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    if (!isOpen) return;
    await changes.set({ status: 'withdrawn' }).where('status', '=', 'waiting').execute();
    const waits = starts === 'renewal' && plan_id !== held.plan_id;
    await rowOf(trx, change)
      .set({ status: waits ? 'waiting' : 'done', charged_minor: chargedMinor, from_renewal: renewalsBefore + 1 })
      .execute();
    if (starts !== 'now') return;
    await trx
      .updateTable('subscriptions')
      .set({ plan_id, amount_minor, currency, period, renews_at: new Date(now.until) })
      .where('store_id', '=', storeId)
      .where('id', '=', id)
      .execute();
    const cause = planChangeCause(id, number);
    await book(trx, { storeId, cause, currency, sides: { gateway: chargedMinor, subscriptions: -chargedMinor } });
    if (chargedMinor > 0) await queueLetter(trx, held, planChangedEmail, number);
  });
  await followSubscription(db, held, now);
}

/** Changes that a round of the sweep looks at. */
const BATCH = 200;

/**
 * The changes that the gateway has not answered, of all subscriptions or of one, those that were
 * asked for longest ago first.
 */
const pendingChanges = (db: Database, provider: string, subscriptionId?: string): Promise<Change[]> =>
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
    .limit(BATCH)
    .execute();

/**
 * Finishes the changes whose answer was lost, of all subscriptions or of one.
 * @returns how many were finished
 */
export const sweepChanges = async (
  services: PaymentServices,
  round: SweepRound,
  now: Date,
  subscriptionId?: string,
): Promise<number> =>
  round.run({
    rows: await pendingChanges(services.db, services.payment.provider, subscriptionId),
    noteTurn: (change) => rowOf(services.db, change).set({ swept_at: now }).execute(),
    settle: async (change) => {
      await applyChange(services, change);
      return true;
    },
    describe: ({ id }) => ({ change: id }),
    failure: 'a plan could not be changed yet',
  });
