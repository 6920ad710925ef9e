import { appendFileSync, readFileSync } from 'node:fs';
import { killTree } from '../process/end-tree.ts';

/**
 * A line of the test log: a test file, or one test of it if `test` is not empty, has started or
 * ended.
 */
export type TestEvent = { event: 'started' | 'ended'; file: string; test: string; seconds: number };

/** The environment variable with the path of the log. */
export const LOG_VARIABLE = 'COLOPHON_TEST_LOG';

const logFile = process.env[LOG_VARIABLE];

/**
 * Appends an event for a reporter; `seconds` is the duration of an ended test. Written
 * synchronously: a process that hangs writes nothing later.
 */
export function writeEvent(event: TestEvent['event'], source: { file: string; test?: string; seconds?: number }): void {
  const line: TestEvent = { event, file: source.file, test: source.test ?? '', seconds: source.seconds ?? 0 };
  if (logFile !== undefined) appendFileSync(logFile, `${JSON.stringify(line)}\n`);
}

/**
 * Ends this process and all its descendants once its parent is gone: a killed parent cannot clean
 * up.
 */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && killTree(process.pid), 500).unref();
}

/** Reads a log; empty if no reporter has started. */
export function readLog(path: string): TestEvent[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TestEvent);
  } catch {
    return [];
  }
}

/**
 * Finds the tests that have started and not ended, by file and name, and such files without a
 * running test.
 */
export function findRunningTests(events: readonly TestEvent[]): string[] {
  const runningEvents = new Map<string, TestEvent>();
  for (const each of events) {
    const key = `${each.file}\n${each.test}`;
    if (each.event === 'started') runningEvents.set(key, each);
    else runningEvents.delete(key);
  }
  const tests = [...runningEvents.values()].filter(({ test }) => test !== '');
  const filesOfTests = new Set(tests.map((each) => each.file));
  const files = [...runningEvents.values()].filter((each) => each.test === '' && !filesOfTests.has(each.file));
  return [...tests.map((each) => `${each.file} > ${each.test}`), ...files.map((each) => each.file)];
}
