import type { IfFree } from '../database/advisory-locks.ts';
import { countPurchases } from '../catalogue/popularity.ts';
import { shopNow } from '../base/clock/time.ts';
import { cleanUp } from './clean-up.ts';
import { sendQueuedEmails } from './send-queued-emails.ts';
import { sweep } from './sweep.ts';
import { startPeriodic } from '../base/periodic.ts';
import type { Services } from '../services.ts';

const MINUTE_MS = 60_000;

/**
 * A periodic background job. `run` does one round in bounded batches, ends soon after `stopping` is
 * aborted, and returns counts of its work.
 */
export type Job = {
  name: string;
  /** ms between the starts of two rounds */
  interval: number;
  /** runs in one process per database at a time; other jobs run in each process */
  isAlone: boolean;
  run: (services: Services, stopping: AbortSignal) => Promise<Readonly<Record<string, number>>>;
};

export const jobs: readonly Job[] = [
  { name: 'sweep', interval: MINUTE_MS, isAlone: true, run: (services, stopping) => sweep(services, shopNow(), stopping) },
  // Each e-mail has its own lock. 2 s is about how often waiting customers check their mailboxes.
  { name: 'e-mail queue', interval: 2000, isAlone: false, run: sendQueuedEmails },
  { name: 'clean-up', interval: 10 * MINUTE_MS, isAlone: true, run: ({ db }, stopping) => cleanUp(db, stopping) },
  {
    name: 'count of purchases',
    interval: 10 * MINUTE_MS,
    isAlone: true,
    run: async ({ db }, stopping) => ({ titles: await countPurchases(db, stopping) }),
  },
  // Each process has its own outbox folder.
  {
    name: 'clean-up of the outbox',
    interval: 10 * MINUTE_MS,
    isAlone: false,
    run: async ({ outbox }) => ({ files: await outbox.removeForgotten() }),
  },
];

/** The name of the lock that a process holds while it runs a job with `isAlone`. */
export const getLockName = (job: string): string => `job ${job}`;

/** Runs one round of a job, unless another process is running it, and logs its counts, if any. */
export async function runJob(
  { name, isAlone, run }: Job,
  services: Services,
  ifFree: IfFree,
  stopping: AbortSignal,
): Promise<void> {
  const runRound = () => run(services, stopping);
  const result = isAlone ? await ifFree(getLockName(name), runRound) : await runRound();
  const counts = Object.entries(result ?? {}).filter(([, count]) => count > 0);
  if (counts.length > 0) services.log.info({ job: name, ...Object.fromEntries(counts) }, 'job.done');
}

/** Starts a job's rounds. @returns a function that stops them and waits for the current one */
export const startJob = (job: Job, services: Services, ifFree: IfFree): (() => Promise<void>) =>
  startPeriodic(
    (stopping) => runJob(job, services, ifFree, stopping),
    job.interval,
    (error) => services.log.error({ err: error, job: job.name }, 'job.failed'),
  );
