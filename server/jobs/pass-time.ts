import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import { lockOf } from './jobs.ts';
import { sendLetters } from './send-letters.ts';
import { sweep } from './sweep.ts';
import type { Services } from '../services.ts';
import { moveClock, readClock } from '../kernel/clock-row.ts';
import { realNow, shopNow } from '../base/clock/time.ts';

const isStillPaid = sql<boolean>`provider_id is not null and status in ('active', 'past_due')`;

/**
 * The next moment at which something is due: a renewal or the end of a subscription, an e-mail, or
 * the hourly check of a past-due subscription. An e-mail that could not
 * be sent waits by the machine's time. Undefined: nothing is due.
 */
async function nextMoment(db: Database): Promise<Date | undefined> {
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

/** Handles all renewals that are due, in as many sweeps as they take, and sends e-mails. */
async function handleDue(services: Services, stopping?: AbortSignal): Promise<void> {
  let [before, due] = [Infinity, await countDue(services.db)];
  do {
    before = due;
    await sweep(services, shopNow(), stopping);
    due = await countDue(services.db);
  } while (due > 0 && due < before && stopping?.aborted !== true);
  await sendLetters(services, stopping);
}

/** Moves the clock to the next moment at which something is due, or to the wanted time. */
async function step(services: Services, stopping?: AbortSignal): Promise<void> {
  const { db, payment } = services;
  // Another process may have moved it in the meantime.
  const { ahead, wanted } = await readClock(db);
  if (ahead >= wanted) return;
  if (!(await payment.isUp())) throw new Error('The payment gateway does not answer.');
  // The last sweep may have been a minute ago.
  if ((await countDue(db)) > 0) await handleDue(services, stopping);
  const next = await nextMoment(db);
  const aheadThen = next === undefined ? wanted : Math.min(wanted, next.getTime() - realNow());
  // The database's clock may be a little late.
  await moveClock(db, Math.max(ahead, aheadThen));
  await handleDue(services, stopping);
}

async function followClock(services: Services, stopping: () => AbortSignal | undefined): Promise<void> {
  let clock = await readClock(services.db);
  while (clock.ahead < clock.wanted && stopping()?.aborted !== true) {
    await services.oneAtATime(lockOf('sweep'), () => step(services, stopping()));
    clock = await readClock(services.db);
  }
}

/**
 * Gives this process the shop's time from the database. Moves the clock to the wanted time, in
 * steps from one moment at which something is due to the next, as if the time had passed: three
 * months later a monthly plan has been renewed three times. One process makes each step, while no
 * other one sweeps.
 * @returns follows the clock once; calls at the same time share one run
 */
export function clockFollower(services: Services): (stopping?: AbortSignal) => Promise<void> {
  let following: Promise<void> | undefined;
  let signal: AbortSignal | undefined;
  return (stopping) => {
    // A run that a command has begun ends with the shop, too.
    signal = stopping ?? signal;
    following ??= followClock(services, () => signal).finally(() => {
      following = undefined;
    });
    return following;
  };
}
