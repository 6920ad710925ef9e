import { statSync } from 'node:fs';
import { run, type Finished } from '../process/run.ts';
import { logVariable, readLog, stillRunning, type TestEvent } from './test-log.ts';

/** Milliseconds without a test that starts or ends: before anything has run, and from then on. */
export type IdleLimits = { atFirst: number; afterwards: number };

/** The log of the tests, and where the run was given up the reason: what never ended. */
export type Watched = Finished & { events: readonly TestEvent[]; stuck: string | null };

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function reasonOf(events: readonly TestEvent[], limits: number): string {
  const running = stillRunning(events);
  const names = running.length === 0 ? ['nothing that is known'] : running;
  return [`Ended, since no test started or ended for ${limits / 1000} s. Running were:`, ...names].join('\n  ');
}

/**
 * Runs a program of tests whose reporter writes to the file `log`, and ends it when its tests neither start nor end for
 * too long: an endless loop leaves no timer of the test's own a chance.
 */
export async function runWatched(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string>; log: string; limits: IdleLimits },
): Promise<Watched> {
  const { cwd, env, log, limits } = options;
  const giveUp = new AbortController();
  let stuck: string | null = null;
  let size = 0;
  let changed = performance.now();
  const look = (): void => {
    const allowed = size === 0 ? limits.atFirst : limits.afterwards;
    if (sizeOf(log) !== size) {
      size = sizeOf(log);
      changed = performance.now();
    } else if (performance.now() - changed > allowed) {
      stuck ??= reasonOf(readLog(log), allowed);
      giveUp.abort();
    }
  };
  const watch = setInterval(look, Math.min(limits.afterwards / 4, 1000));
  const finished = await run(program, args, { cwd, env: { ...env, [logVariable]: log }, signal: giveUp.signal });
  clearInterval(watch);
  return { ...finished, events: readLog(log), stuck };
}
