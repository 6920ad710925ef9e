import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { endWithParent, log } from './test-log.ts';

/** One file may run in two projects at once. */
const nameOf = (module: TestModule): string => [module.project.name, module.relativeModuleId].filter(Boolean).join(': ');

/** Logs what Vitest runs, for the process that watches it. */
export default class LogReporter implements Reporter {
  onInit(): void {
    endWithParent();
  }

  onTestModuleQueued(module: TestModule): void {
    log('started', { file: nameOf(module) });
  }

  onTestModuleEnd(module: TestModule): void {
    log('ended', { file: nameOf(module) });
  }

  onTestCaseReady(test: TestCase): void {
    log('started', { file: nameOf(test.module), test: test.fullName });
  }

  onTestCaseResult(test: TestCase): void {
    log('ended', { file: nameOf(test.module), test: test.fullName });
  }
}
