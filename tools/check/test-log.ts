import { appendFileSync, readFileSync } from 'node:fs';
import { endTree } from '../process/end-tree.ts';

/** One line of the log: a file of tests, or where `test` is not empty one test of it, has started or ended. */
export type TestEvent = { event: 'started' | 'ended'; file: string; test: string; seconds: number };

/** The environment variable that names the log. */
export const logVariable = 'COLOPHON_TEST_LOG';

const file = process.env[logVariable];

/** What a reporter calls; `seconds` is how long an ended one took. Written at once: what hangs writes no more. */
export function log(event: TestEvent['event'], of: { file: string; test?: string; seconds?: number }): void {
  const line: TestEvent = { event, file: of.file, test: of.test ?? '', seconds: of.seconds ?? 0 };
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Ends this process and all that it started once its parent is gone: a killed parent has no last word. */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && endTree(process.pid), 500).unref();
}

/** What a log holds; none when no reporter has begun. */
export function readLog(path: string): TestEvent[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TestEvent);
  } catch {
    return [];
  }
}

/** What has started and not ended: tests by file and name, and files of which no test runs. */
export function stillRunning(events: readonly TestEvent[]): string[] {
  const running = new Map<string, TestEvent>();
  for (const each of events) {
    const key = `${each.file}\n${each.test}`;
    if (each.event === 'started') running.set(key, each);
    else running.delete(key);
  }
  const tests = [...running.values()].filter(({ test }) => test !== '');
  const named = new Set(tests.map((each) => each.file));
  const files = [...running.values()].filter((each) => each.test === '' && !named.has(each.file));
  return [...tests.map((each) => `${each.file} > ${each.test}`), ...files.map((each) => each.file)];
}
