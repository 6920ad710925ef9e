import { BrokenPublication } from './broken-publication.ts';
import { TaskOutOfMemory, TaskTimeout } from '../base/limited-threads.ts';
import { realNow } from '../base/clock/time.ts';

/**
 * Milliseconds for which a refusal is cached: reading the same hostile book repeatedly would keep a
 * thread busy.
 */
export const REFUSAL_CACHE_MS = 60_000;

/** Whether a file was read and refused, so that an immediate retry would fail, too. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof BrokenPublication || error instanceof TaskTimeout || error instanceof TaskOutOfMemory;

/**
 * Whether a file refused at `refusedAt` (milliseconds since 1970) may be retried; false without a
 * refusal.
 */
export const isRefusalOver = (refusedAt: number | undefined): boolean =>
  refusedAt !== undefined && realNow() - refusedAt > REFUSAL_CACHE_MS;
