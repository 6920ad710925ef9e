import { relative } from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { endWithParent, writeEvent } from '../check/test-log.ts';

const toTestId = (test: TestCase): { file: string; test: string } => {
  const [, , , ...titles] = test.titlePath();
  return { file: relative(process.cwd(), test.location.file), test: titles.join(' > ') };
};

/** Logs the start, end and duration of each test for the process that watches Playwright. */
export default class LogReporter implements Reporter {
  onBegin(): void {
    endWithParent();
  }

  onTestBegin(test: TestCase): void {
    writeEvent('started', toTestId(test));
  }

  onTestEnd(test: TestCase, { duration }: TestResult): void {
    writeEvent('ended', { ...toTestId(test), seconds: duration / 1000 });
  }
}
