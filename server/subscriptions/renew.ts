import type { Database } from '../database/open.ts';
import { bookEntry, toRenewalCause } from '../payment/ledger.ts';
import { PaymentUnknown, type RemoteSubscription } from '../payment/port.ts';
import { enqueuePaymentEmail } from '../payment/receipt.ts';
import { renewalEmail, renewalFailedEmail } from './renewal-email.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import type { SweepRound } from '../payment/sweep-round.ts';
import { bookCredits } from './credits.ts';
import { readCreditsPerRenewal, type Subscription } from '../entitlements/subscription.ts';
import { shopNow } from '../base/clock/time.ts';

/** Maximum number of subscriptions that one sweep processes. */
const BATCH_SIZE = 200;
const HOUR_MS = 60 * 60_000;

/** Creates the error for a subscription that the gateway does not know; it names both ids. */
export const unknownSubscriptionError = ({ id, provider, provider_id }: Subscription): Error =>
  new Error(
    `The gateway ${provider} does not know its subscription ${provider_id ?? '(none)'}, which is subscription ${id} of the shop.`,
  );

type RenewalTerms = Pick<Subscription, 'plan_id' | 'amount_minor' | 'currency' | 'period'>;

/** Reads the price of a renewal, and the credits that it grants. */
async function readRenewalTerms(trx: Database, storeId: string, { plan_id: planId, amount_minor, currency }: RenewalTerms) {
  const plan = await trx
    .selectFrom('plans')
    .select(['credits', 'amount_minor', 'currency'])
    .where('store_id', '=', storeId)
    .where('id', '=', planId)
    .executeTakeFirstOrThrow();
  const credits = plan.credits ?? (await readCreditsPerRenewal(trx, storeId));
  return { credits, price: { currency: currency ?? plan.currency, amount: amount_minor ?? plan.amount_minor } };
}

/**
 * Applies the waiting plan change that starts at this renewal or an earlier one.
 * @returns the new terms; undefined if no change is waiting
 */
async function applyWaitingPlanChange(
  trx: Database,
  { store_id: storeId, id }: Subscription,
  number: number,
): Promise<RenewalTerms | undefined> {
  return trx
    .updateTable('plan_changes')
    .set({ status: 'done' })
    .where('store_id', '=', storeId)
    .where('subscription_id', '=', id)
    .where('status', '=', 'waiting')
    .where('from_renewal', '<=', number)
    .returning(['plan_id', 'amount_minor', 'currency', 'period'])
    .executeTakeFirst();
}

/**
 * Books the payment and credits of each new renewal, and queues its e-mail; idempotent.
 * @returns the new terms if a plan change has started, else undefined
 */
async function bookRenewals(trx: Database, row: Subscription, renewals: number): Promise<RenewalTerms | undefined> {
  const { store_id: storeId, user_id: userId } = row;
  let startedTerms: RenewalTerms | undefined;
  for (let number = row.renewals + 1; number <= renewals; number += 1) {
    startedTerms = (await applyWaitingPlanChange(trx, row, number)) ?? startedTerms;
    const { credits, price } = await readRenewalTerms(trx, storeId, startedTerms ?? row);
    const cause = toRenewalCause(row.id, number);
    await bookEntry(trx, {
      storeId,
      cause,
      currency: price.currency,
      sides: { gateway: price.amount, subscriptions: -price.amount },
    });
    if (credits > 0) await bookCredits(trx, { storeId, userId }, { cause, amount: credits });
    await enqueuePaymentEmail(trx, row, renewalEmail, number);
  }
  return startedTerms;
}

/**
 * Returns the cancellation columns after the gateway's response. If the customer has cancelled or
 * reactivated since the request (`wishes` differs), the response is outdated: if it contradicts
 * their latest choice, that choice is sent to the gateway again, because the requests may have
 * arrived in any sequence.
 * @param subscriptionBefore the subscription when the request was sent
 */
function mergeCancellation(
  row: Subscription,
  subscriptionBefore: Subscription,
  { cancelled }: RemoteSubscription,
): Partial<Subscription> {
  const wantsCancellation = row.cancelled_at !== null;
  if (subscriptionBefore.wishes !== row.wishes)
    return cancelled === wantsCancellation ? {} : { cancel_told: !wantsCancellation, wishes: row.wishes + 1 };
  if (cancelled === wantsCancellation) return { cancel_told: wantsCancellation };
  // Adopts a cancellation made at the gateway, unless a reactivation is still to be sent to it.
  return cancelled && !row.cancel_told ? { cancel_told: true, cancelled_at: shopNow() } : {};
}

/**
 * Updates a subscription from the gateway's response: books renewals with their credits, and ends
 * the subscription. A response older than the stored state changes nothing, so responses may arrive
 * repeatedly and in any sequence.
 * @param subscriptionBefore the subscription when the request was sent
 */
export async function applyRemoteSubscription(
  db: Database,
  subscriptionBefore: Subscription,
  remote: RemoteSubscription,
): Promise<void> {
  const { store_id, id } = subscriptionBefore;
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('subscriptions')
      .selectAll()
      .where('store_id', '=', store_id)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const startedTerms = remote.renewals > row.renewals ? await bookRenewals(trx, row, remote.renewals) : undefined;
    if (row.status === 'ended' || remote.renewals < row.renewals) return;
    if (remote.state === 'past_due' && row.status !== 'past_due')
      await enqueuePaymentEmail(trx, row, renewalFailedEmail, remote.renewals + 1);
    const until = new Date(remote.until);
    await trx
      .updateTable('subscriptions')
      .set({
        ...startedTerms,
        status: remote.state,
        renewals: remote.renewals,
        renews_at: until,
        ...(remote.state === 'ended' ? { ended_at: until } : {}),
        ...mergeCancellation(row, subscriptionBefore, remote),
      })
      .where('store_id', '=', store_id)
      .where('id', '=', id)
      .execute();
  });
}

/**
 * Reads the subscriptions that are due (past due ones each hour), or whose cancellation or
 * reactivation the gateway has not confirmed yet; the least recently tried first.
 */
const readDueSubscriptions = (db: Database, provider: string, now: Date): Promise<Subscription[]> =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider', '=', provider)
    .where('provider_id', 'is not', null)
    // A pending plan change is completed first.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('plan_changes')
            .select('plan_changes.id')
            .whereRef('plan_changes.store_id', '=', 'subscriptions.store_id')
            .whereRef('plan_changes.subscription_id', '=', 'subscriptions.id')
            .where('plan_changes.status', '=', 'pending'),
        ),
      ),
    )
    .where((eb) =>
      eb.or([
        eb.and([eb('cancelled_at', 'is not', null), eb('cancel_told', '=', false)]),
        eb.and([eb('cancelled_at', 'is', null), eb('cancel_told', '=', true), eb('status', 'in', ['active', 'past_due'])]),
        eb.and([eb('status', 'in', ['active', 'past_due']), eb('renews_at', '<=', now)]),
        eb.and([eb('status', '=', 'past_due'), eb('swept_at', '<=', new Date(now.getTime() - HOUR_MS))]),
      ]),
    )
    .orderBy('swept_at', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();

const updateRow = (db: Database, { store_id, id }: Subscription) =>
  db.updateTable('subscriptions').where('store_id', '=', store_id).where('id', '=', id);

/**
 * Cancels a subscription again after the gateway refused to reactivate it, unless the customer has
 * chosen otherwise since.
 */
const cancelAgain = (db: Database, row: Subscription): Promise<unknown> =>
  updateRow(db, row)
    .set({ cancelled_at: shopNow(), cancel_told: true })
    .where('wishes', '=', row.wishes)
    .where('cancelled_at', 'is', null)
    .execute();

/**
 * Reactivates a subscription at the gateway and stores the response; idempotent. If the gateway
 * refuses, the subscription is cancelled again; if the outcome is unknown, the sweep retries.
 * @throws PaymentUnknown
 */
export async function resumeAtGateway(
  { db, payment }: Pick<PaymentServices, 'db' | 'payment'>,
  row: Subscription,
): Promise<RemoteSubscription> {
  const remote = await payment.resumeSubscription(row.provider_id ?? '');
  if (!remote) throw new PaymentUnknown(unknownSubscriptionError(row));
  await applyRemoteSubscription(db, row, remote);
  if (remote.cancelled) await cancelAgain(db, row);
  return remote;
}

/**
 * Sends a pending cancellation or reactivation to the gateway, or reads the subscription.
 * @returns undefined if the gateway does not know the subscription
 * @throws PaymentUnknown
 */
async function syncWithGateway(services: PaymentServices, row: Subscription): Promise<RemoteSubscription | undefined> {
  const { payment } = services;
  const id = row.provider_id ?? '';
  if (row.cancelled_at === null && row.cancel_told) return resumeAtGateway(services, row);
  if (row.cancelled_at === null || row.cancel_told) return payment.readSubscription(id);
  return payment.cancelSubscription(id, { at: row.cancelled_at.getTime(), atOnce: row.status === 'ended' });
}

/**
 * Reads due subscriptions from the gateway, and sends it pending cancellations and reactivations.
 * @returns the number of subscriptions that were renewed or changed their state
 */
export const sweepSubscriptions = async (services: PaymentServices, round: SweepRound, now: Date): Promise<number> => {
  const { db, payment } = services;
  return round.run({
    rows: await readDueSubscriptions(db, payment.provider, now),
    markSwept: (row) => updateRow(db, row).set({ swept_at: now }).execute(),
    settle: async (row) => {
      const remote = await syncWithGateway(services, row);
      if (!remote) throw unknownSubscriptionError(row);
      await applyRemoteSubscription(db, row, remote);
      if (remote.cancelled) await updateRow(db, row).set({ cancel_told: true }).where('wishes', '=', row.wishes).execute();
      return remote.renewals > row.renewals || remote.state !== row.status;
    },
    describe: ({ store_id: store, id }) => ({ store, subscription: id }),
    unknownEvent: 'payment.subscription.outcome_unknown',
    failedEvent: 'payment.subscription.failed',
  });
};
