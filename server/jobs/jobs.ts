import type { IfFree } from '../database/one-at-a-time.ts';
import { countPurchases } from '../catalogue/popularity.ts';
import { shopNow } from '../base/clock/time.ts';
import { cleanUp } from './clean-up.ts';
import { sendLetters } from './send-letters.ts';
import { sweep } from './sweep.ts';
import { startPeriodic } from '../base/periodic.ts';
import type { Services } from '../services.ts';

const MINUTE = 60_000;

/**
 * A piece of work that the shop does by itself. `run` does one round in bounded batches, ends it
 * soon after `stopping`, and says in numbers what it did.
 */
export type Job = {
  name: string;
  /** milliseconds from the beginning of one round to that of the next */
  interval: number;
  /** one process on a database at a time does it; others do theirs each for themselves */
  isAlone: boolean;
  run: (services: Services, stopping: AbortSignal) => Promise<Readonly<Record<string, number>>>;
};

export const jobs: readonly Job[] = [
  { name: 'sweep', interval: MINUTE, isAlone: true, run: (services, stopping) => sweep(services, shopNow(), stopping) },
  // Each e-mail is locked by itself. Customers who wait for one look into their mailboxes about as
  // often.
  { name: 'e-mail queue', interval: 2000, isAlone: false, run: sendLetters },
  { name: 'clean-up', interval: 10 * MINUTE, isAlone: true, run: ({ db }, stopping) => cleanUp(db, stopping) },
  {
    name: 'count of purchases',
    interval: 10 * MINUTE,
    isAlone: true,
    run: async ({ db }, stopping) => ({ titles: await countPurchases(db, stopping) }),
  },
  // Each process has an outbox folder of its own.
  {
    name: 'clean-up of the outbox',
    interval: 10 * MINUTE,
    isAlone: false,
    run: async ({ outbox }) => ({ files: await outbox.removeForgotten() }),
  },
];

/** The name of the lock that a process has while it is at a job that one process does at a time. */
export const lockOf = (job: string): string => `job ${job}`;

/**
 * Runs one round of a job, unless another process is at it, and logs what it did, if anything.
 */
export async function runJob(
  { name, isAlone, run }: Job,
  services: Services,
  ifFree: IfFree,
  stopping: AbortSignal,
): Promise<void> {
  const work = () => run(services, stopping);
  const done = isAlone ? await ifFree(lockOf(name), work) : await work();
  const counts = Object.entries(done ?? {}).filter(([, count]) => count > 0);
  if (counts.length > 0) services.log.info({ job: name, ...Object.fromEntries(counts) }, 'a job was done');
}

/** Starts a job's rounds. @returns stops them, and waits for a round that is under way */
export const startJob = (job: Job, services: Services, ifFree: IfFree): (() => Promise<void>) =>
  startPeriodic(
    (stopping) => runJob(job, services, ifFree, stopping),
    job.interval,
    (error) => services.log.error({ err: error, job: job.name }, 'a job failed'),
  );
