import { statSync } from 'node:fs';
import { run, type ProcessResult } from '../process/run.ts';
import { LOG_VARIABLE, readLog, findRunningTests, type TestEvent } from './test-log.ts';

/** Maximum ms without a test that starts or ends: before the first such event, and afterwards. */
export type IdleLimitsMs = { beforeFirst: number; betweenTests: number };

/**
 * A finished run with its test log; `abortReason` names the tests that never ended, null for a run
 * that was not aborted.
 */
export type WatchedRun = ProcessResult & { events: readonly TestEvent[]; abortReason: string | null };

function getSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function formatReason(events: readonly TestEvent[], limitMs: number): string {
  const running = findRunningTests(events);
  const names = running.length === 0 ? ['no known test'] : running;
  return [`Aborted: no test started or ended for ${limitMs / 1000} s. Still running:`, ...names].join('\n  ');
}

/**
 * Runs a test program whose reporter writes to the file `log`, and kills it if no test starts or
 * ends for too long: in an endless loop, a test's own timeout cannot fire.
 */
export async function runWatched(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string>; log: string; limits: IdleLimitsMs },
): Promise<WatchedRun> {
  const { cwd, env, log, limits } = options;
  const abortController = new AbortController();
  let abortReason: string | null = null;
  let size = 0;
  let changedAt = performance.now();
  const checkProgress = (): void => {
    const limitMs = size === 0 ? limits.beforeFirst : limits.betweenTests;
    if (getSize(log) !== size) {
      size = getSize(log);
      changedAt = performance.now();
    } else if (performance.now() - changedAt > limitMs) {
      abortReason ??= formatReason(readLog(log), limitMs);
      abortController.abort();
    }
  };
  const watch = setInterval(checkProgress, Math.min(limits.betweenTests / 4, 1000));
  const result = await run(program, args, { cwd, env: { ...env, [LOG_VARIABLE]: log }, signal: abortController.signal });
  clearInterval(watch);
  return { ...result, events: readLog(log), abortReason };
}
