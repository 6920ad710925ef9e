import type { Database } from '../database/open.ts';
import { book, renewalCause } from '../payment/ledger.ts';
import { PaymentUnknown, type RunningSubscription } from '../payment/port.ts';
import { queueLetter } from '../payment/receipt.ts';
import { renewalEmail, renewalFailedEmail } from './renewal-letter.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import type { SweepRound } from '../payment/sweep-round.ts';
import { bookCredits } from './credits.ts';
import { creditsPerRenewal, type Subscription } from '../entitlements/held.ts';
import { shopNow } from '../base/clock/time.ts';

/** Subscriptions that a round of the sweep asks about. */
const BATCH = 200;
const HOUR = 60 * 60_000;

type Paid = Pick<Subscription, 'plan_id' | 'amount_minor' | 'currency' | 'period'>;

/** What a renewal costs, and the credits that it brings. */
async function ofRenewal(trx: Database, storeId: string, { plan_id: planId, amount_minor, currency }: Paid) {
  const plan = await trx
    .selectFrom('plans')
    .select(['credits', 'amount_minor', 'currency'])
    .where('store_id', '=', storeId)
    .where('id', '=', planId)
    .executeTakeFirstOrThrow();
  const credits = plan.credits ?? (await creditsPerRenewal(trx, storeId));
  return { credits, price: { currency: currency ?? plan.currency, amount: amount_minor ?? plan.amount_minor } };
}

/** The plan that begins with a renewal of this number, or has with one before. */
async function beginWaiting(trx: Database, { store_id: storeId, id }: Subscription, number: number): Promise<Paid | undefined> {
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
 * Books what renewals have paid and the credits that they bring, each once, however often it is told of.
 * @returns the plan that runs after them, where another one has begun
 */
async function bookRenewals(trx: Database, row: Subscription, renewals: number): Promise<Paid | undefined> {
  const { store_id: storeId, user_id: userId } = row;
  let begun: Paid | undefined;
  for (let number = row.renewals + 1; number <= renewals; number += 1) {
    begun = (await beginWaiting(trx, row, number)) ?? begun;
    const { credits, price } = await ofRenewal(trx, storeId, begun ?? row);
    const cause = renewalCause(row.id, number);
    await book(trx, {
      storeId,
      cause,
      currency: price.currency,
      sides: { gateway: price.amount, subscriptions: -price.amount },
    });
    if (credits > 0) await bookCredits(trx, { storeId, userId }, { cause, amount: credits });
    await queueLetter(trx, row, renewalEmail, number);
  }
  return begun;
}

/**
 * What is known of a cancelling after the gateway's answer. What it says to an older wish of the customer's does not count: there it
 * is told the newer one again, since the two may have overtaken each other on the way.
 * @param asked it as it was when the gateway was asked
 */
function cancelling(row: Subscription, asked: Subscription, { cancelled }: RunningSubscription): Partial<Subscription> {
  const isWished = row.cancelled_at !== null;
  if (asked.wishes !== row.wishes) return cancelled === isWished ? {} : { cancel_told: !isWished, wishes: row.wishes + 1 };
  if (cancelled === isWished) return { cancel_told: isWished };
  // Also what was cancelled at the gateway is, unless the gateway is still to be told that it goes on.
  return cancelled && !row.cancel_told ? { cancel_told: true, cancelled_at: shopNow() } : {};
}

/**
 * Brings a subscription in line with what the gateway says of it: what was renewed brings its credits, what has ended is over.
 * An answer that is older than what is known changes nothing, so that answers may come in any order and more than once.
 * @param asked it as it was when the gateway was asked
 */
export async function followSubscription(db: Database, asked: Subscription, told: RunningSubscription): Promise<void> {
  const { store_id, id } = asked;
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('subscriptions')
      .selectAll()
      .where('store_id', '=', store_id)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const begun = told.renewals > row.renewals ? await bookRenewals(trx, row, told.renewals) : undefined;
    if (row.status === 'ended' || told.renewals < row.renewals) return;
    if (told.state === 'past_due' && row.status !== 'past_due')
      await queueLetter(trx, row, renewalFailedEmail, told.renewals + 1);
    const until = new Date(told.until);
    await trx
      .updateTable('subscriptions')
      .set({
        ...begun,
        status: told.state,
        renewals: told.renewals,
        renews_at: until,
        ...(told.state === 'ended' ? { ended_at: until } : {}),
        ...cancelling(row, asked, told),
      })
      .where('store_id', '=', store_id)
      .where('id', '=', id)
      .execute();
  });
}

/** Those that are due, or of which the gateway does not know that they are cancelled, or go on; the ones that were asked about longest ago first. */
const nextInTurn = (db: Database, provider: string, now: Date): Promise<Subscription[]> =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider', '=', provider)
    .where('provider_id', 'is not', null)
    // A change of its plan that has no answer yet comes first.
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
        eb.and([eb('status', '=', 'past_due'), eb('swept_at', '<=', new Date(now.getTime() - HOUR))]),
      ]),
    )
    .orderBy('swept_at', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .limit(BATCH)
    .execute();

const rowOf = (db: Database, { store_id, id }: Subscription) =>
  db.updateTable('subscriptions').where('store_id', '=', store_id).where('id', '=', id);

/** What the gateway does not take up is cancelled as before, unless its customer has said something else since. */
const cancelAgain = (db: Database, row: Subscription): Promise<unknown> =>
  rowOf(db, row)
    .set({ cancelled_at: shopNow(), cancel_told: true })
    .where('wishes', '=', row.wishes)
    .where('cancelled_at', 'is', null)
    .execute();

/**
 * Tells the gateway that a subscription goes on, however often, and follows what it says: one that it does not take up is cancelled
 * again. Where it says nothing, the sweep tells it once more.
 * @throws PaymentUnknown
 */
export async function tellResumed(
  { db, payment }: Pick<PaymentServices, 'db' | 'payment'>,
  row: Subscription,
): Promise<RunningSubscription> {
  const told = await payment.resumeSubscription(row.provider_id ?? '');
  if (!told) throw new PaymentUnknown(new Error('The gateway does not know the subscription.'));
  await followSubscription(db, row, told);
  if (told.cancelled) await cancelAgain(db, row);
  return told;
}

/** What the gateway says, after it was told what it does not know yet. @throws PaymentUnknown */
async function askGateway(services: PaymentServices, row: Subscription): Promise<RunningSubscription | undefined> {
  const { payment } = services;
  const id = row.provider_id ?? '';
  if (row.cancelled_at === null && row.cancel_told) return tellResumed(services, row);
  if (row.cancelled_at === null || row.cancel_told) return payment.readSubscription(id);
  return payment.cancelSubscription(id, { at: row.cancelled_at.getTime(), atOnce: row.status === 'ended' });
}

/**
 * Asks the gateway about subscriptions that are due, and tells it what was cancelled.
 * @returns how many were renewed, or are in another state
 */
export const sweepSubscriptions = async (services: PaymentServices, round: SweepRound, now: Date): Promise<number> => {
  const { db, payment } = services;
  return round.run({
    rows: await nextInTurn(db, payment.provider, now),
    noteTurn: (row) => rowOf(db, row).set({ swept_at: now }).execute(),
    settle: async (row) => {
      const told = await askGateway(services, row);
      if (!told) throw new Error('The gateway does not know the subscription.');
      await followSubscription(db, row, told);
      if (told.cancelled) await rowOf(db, row).set({ cancel_told: true }).where('wishes', '=', row.wishes).execute();
      return told.renewals > row.renewals || told.state !== row.status;
    },
    describe: ({ id }) => ({ subscription: id }),
    failure: 'a subscription could not be followed',
  });
};
