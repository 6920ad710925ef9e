import { statSync } from 'node:fs';
import { run, type ProcessResult } from '../process/run.ts';
import { LOG_VARIABLE, readLog, findRunningTests, type TestEvent } from './test-log.ts';

/** Time limits in ms without a test that starts or ends: before the first one, and afterwards. */
export type IdleLimitsMs = { atFirst: number; afterwards: number };

/** The test log and, if the run was aborted, the reason with the tests that never ended. */
export type WatchedRun = ProcessResult & { events: readonly TestEvent[]; stuck: string | null };

function getSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function formatReason(events: readonly TestEvent[], limits: number): string {
  const running = findRunningTests(events);
  const names = running.length === 0 ? ['no known test'] : running;
  return [`Aborted: no test started or ended for ${limits / 1000} s. Still running:`, ...names].join('\n  ');
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
  const giveUp = new AbortController();
  let stuck: string | null = null;
  let size = 0;
  let changed = performance.now();
  const look = (): void => {
    const allowed = size === 0 ? limits.atFirst : limits.afterwards;
    if (getSize(log) !== size) {
      size = getSize(log);
      changed = performance.now();
    } else if (performance.now() - changed > allowed) {
      stuck ??= formatReason(readLog(log), allowed);
      giveUp.abort();
    }
  };
  const watch = setInterval(look, Math.min(limits.afterwards / 4, 1000));
  const finished = await run(program, args, { cwd, env: { ...env, [LOG_VARIABLE]: log }, signal: giveUp.signal });
  clearInterval(watch);
  return { ...finished, events: readLog(log), stuck };
}
