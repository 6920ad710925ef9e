import { relative } from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { endWithParent, log } from '../check/test-log.ts';

const placeOf = (test: TestCase): { file: string; test: string } => {
  const [, , , ...titles] = test.titlePath();
  return { file: relative(process.cwd(), test.location.file), test: titles.join(' > ') };
};

/** Logs for whoever waits for Playwright what runs, and how long each test took. */
export default class LogReporter implements Reporter {
  onBegin(): void {
    endWithParent();
  }

  onTestBegin(test: TestCase): void {
    log('started', placeOf(test));
  }

  onTestEnd(test: TestCase, { duration }: TestResult): void {
    log('ended', { ...placeOf(test), seconds: duration / 1000 });
  }
}
