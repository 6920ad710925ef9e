import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { endWithParent, writeEvent } from './test-log.ts';

/** The name of a test file with its project: one file may run in two projects at once. */
const getModuleName = (module: TestModule): string => [module.project.name, module.relativeModuleId].filter(Boolean).join(': ');

/** Logs the start and end of tests for the process that watches Vitest. */
export default class LogReporter implements Reporter {
  onInit(): void {
    endWithParent();
  }

  onTestModuleQueued(module: TestModule): void {
    writeEvent('started', { file: getModuleName(module) });
  }

  onTestModuleEnd(module: TestModule): void {
    writeEvent('ended', { file: getModuleName(module) });
  }

  onTestCaseReady(test: TestCase): void {
    writeEvent('started', { file: getModuleName(test.module), test: test.fullName });
  }

  onTestCaseResult(test: TestCase): void {
    writeEvent('ended', { file: getModuleName(test.module), test: test.fullName });
  }
}
