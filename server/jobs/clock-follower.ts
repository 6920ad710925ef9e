import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import { getLockName } from './jobs.ts';
import { sendQueuedEmails } from './send-queued-emails.ts';
import { sweep } from './sweep.ts';
import type { Services } from '../services.ts';
import { moveClock, readClock } from '../kernel/clock-row.ts';
import { realNow, shopNow } from '../base/clock/time.ts';

const isStillPaid = sql<boolean>`provider_id is not null and status in ('active', 'past_due')`;

/**
 * The next time at which something is due: the renewal or end of a subscription, an e-mail, or the
 * hourly check of a past due subscription. Retries of e-mails are left out: they follow the
 * machine's time. Undefined: nothing is due.
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

async function countDue(db: Database): Promise<number> {
  const { due } = await db
    .selectFrom('subscriptions')
    .select(sql<number>`count(*)`.as('due'))
    .where('renews_at', '<=', shopNow())
    .where(isStillPaid)
    .executeTakeFirstOrThrow();
  return Number(due);
}

/** Handles all due renewals, in as many sweeps as needed, and sends e-mails. */
async function handleDue(services: Services, stopping?: AbortSignal): Promise<void> {
  let [before, due] = [Infinity, await countDue(services.db)];
  do {
    before = due;
    await sweep(services, shopNow(), stopping);
    due = await countDue(services.db);
  } while (due > 0 && due < before && stopping?.aborted !== true);
  await sendQueuedEmails(services, stopping);
}

/** Moves the clock to the next due time, at most to the wanted time. */
async function stepClock(services: Services, stopping?: AbortSignal): Promise<void> {
  const { db, payment } = services;
  // Another process may have moved the clock in the meantime.
  const { ahead, wanted } = await readClock(db);
  if (ahead >= wanted) return;
  if (!(await payment.isUp())) throw new Error('The payment gateway does not answer.');
  // The last sweep may be a minute old.
  if ((await countDue(db)) > 0) await handleDue(services, stopping);
  const next = await readNextMoment(db);
  const aheadThen = next === undefined ? wanted : Math.min(wanted, next.getTime() - realNow());
  // The database's clock may be slightly behind; the shop's clock must not move back.
  await moveClock(db, Math.max(ahead, aheadThen));
  await handleDue(services, stopping);
}

async function followClock(services: Services, stopping: () => AbortSignal | undefined): Promise<void> {
  let clock = await readClock(services.db);
  while (clock.ahead < clock.wanted && stopping()?.aborted !== true) {
    await services.oneAtATime(getLockName('sweep'), () => stepClock(services, stopping()));
    clock = await readClock(services.db);
  }
}

/**
 * Reads the shop's time from the database into this process. Moves the clock to the wanted time in
 * steps, from one due time to the next, as if the time had passed: after a move by three months, a
 * monthly plan has been renewed three times. One process makes each step, while no other one
 * sweeps.
 * @returns a function that follows the clock once; concurrent calls share one run
 */
export function createClockFollower(services: Services): (stopping?: AbortSignal) => Promise<void> {
  let following: Promise<void> | undefined;
  let signal: AbortSignal | undefined;
  return (stopping) => {
    // A run started by a command ends when the shop stops, too.
    signal = stopping ?? signal;
    following ??= followClock(services, () => signal).finally(() => {
      following = undefined;
    });
    return following;
  };
}
