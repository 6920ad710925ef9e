import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import { getLockName } from './jobs.ts';
import { sendQueuedEmails } from './send-queued-emails.ts';
import { sweep } from './sweep.ts';
import type { Services } from '../services.ts';
import { moveClock, readClock } from '../kernel/clock-row.ts';
import { realNow, shopNow } from '../base/clock/time.ts';

/** Condition: the subscription is active or past due, and has an id at the gateway. */
const isStillPaid = sql<boolean>`provider_id is not null and status in ('active', 'past_due')`;

/**
 * Reads the next due time: of the renewal or end of a subscription, of an e-mail, or of the hourly
 * check of a past due subscription. Retries of e-mails are left out: they follow the computer's
 * clock.
 * @returns undefined if no time is due
 */
async function readNextMoment(db: Database): Promise<Date | undefined> {
  const { next } = await db
    .selectNoFrom(
      sql<Date | null>`least(
        (select min(renews_at) from subscriptions where renews_at > shop_now() and ${isStillPaid}),
        (select min(due_at) from letters where due_at > shop_now() and attempts = 0),
        (select shop_now() + interval '1 hour' from subscriptions
          where status = 'past_due' and renews_at > shop_now() and ${isStillPaid} limit 1)
      )`.as('next'),
    )
    .executeTakeFirstOrThrow();
  return next ?? undefined;
}

/** Counts the subscriptions whose renewal is due. */
async function countDue(db: Database): Promise<number> {
  const { due } = await db
    .selectFrom('subscriptions')
    .select(sql<number>`count(*)`.as('due'))
    .where('renews_at', '<=', shopNow())
    .where(isStillPaid)
    .executeTakeFirstOrThrow();
  return Number(due);
}

/** Handles all due renewals, in as many sweeps as needed, and sends the due e-mails. */
async function handleDue(services: Services, stopping?: AbortSignal): Promise<void> {
  let [previousDueCount, dueCount] = [Infinity, await countDue(services.db)];
  do {
    previousDueCount = dueCount;
    await sweep(services, shopNow(), stopping);
    dueCount = await countDue(services.db);
  } while (dueCount > 0 && dueCount < previousDueCount && stopping?.aborted !== true);
  await sendQueuedEmails(services, stopping);
}

/** Moves the clock to the next due time, at most to the requested time. */
async function stepClock(services: Services, stopping?: AbortSignal): Promise<void> {
  const { db, payment } = services;
  // Another process may have moved the clock in the meantime.
  const { ahead, targetAhead } = await readClock(db);
  if (ahead >= targetAhead) return;
  if (!(await payment.isUp())) throw new Error('The payment gateway does not respond.');
  // Work that became due since the last sweep, up to a minute ago, is done before the move.
  if ((await countDue(db)) > 0) await handleDue(services, stopping);
  const next = await readNextMoment(db);
  const nextAhead = next === undefined ? targetAhead : Math.min(targetAhead, next.getTime() - realNow());
  // The database's clock may be slightly slow; the shop's clock must not move back.
  await moveClock(db, Math.max(ahead, nextAhead));
  await handleDue(services, stopping);
}

async function followClock(services: Services, stopping: () => AbortSignal | undefined): Promise<void> {
  let clock = await readClock(services.db);
  while (clock.ahead < clock.targetAhead && stopping()?.aborted !== true) {
    await services.oneAtATime(getLockName('sweep'), () => stepClock(services, stopping()));
    clock = await readClock(services.db);
  }
}

/**
 * Creates a function that reads the shop's time from the database into this process, and moves the
 * clock to the requested time in steps, from one due time to the next, as if the time had passed:
 * after a move by three months, a monthly plan has been renewed three times. One process makes each
 * step, while no other process sweeps.
 * @returns the function; its concurrent calls share one run
 */
export function createClockFollower(services: Services): (stopping?: AbortSignal) => Promise<void> {
  let currentRun: Promise<void> | undefined;
  let latestSignal: AbortSignal | undefined;
  return (stopping) => {
    // A run started by a command ends when the shop stops, too.
    latestSignal = stopping ?? latestSignal;
    currentRun ??= followClock(services, () => latestSignal).finally(() => {
      currentRun = undefined;
    });
    return currentRun;
  };
}
