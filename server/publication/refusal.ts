import { BrokenPublication } from './broken-publication.ts';
import { TaskOutOfMemory, TaskTimeout } from '../base/limited-threads.ts';
import { realNow } from '../base/clock/time.ts';

/** Milliseconds for which a refusal holds: reading the same hostile book again and again would keep a thread busy. */
export const REFUSAL_HOLDS = 60_000;

/** Whether something was read and found unfit, so that reading it again at once would end alike. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof BrokenPublication || error instanceof TaskTimeout || error instanceof TaskOutOfMemory;

/** Whether what was refused at `refusedAt` (milliseconds since 1970) may be tried again. */
export const refusalIsOver = (refusedAt: number | undefined): boolean =>
  refusedAt !== undefined && realNow() - refusedAt > REFUSAL_HOLDS;
