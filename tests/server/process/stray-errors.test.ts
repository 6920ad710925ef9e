import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const errorsModule = resolve(import.meta.dirname, '../../../server/base/stray-errors.ts');
const runProgram = (program: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', timeout: 30_000 });

test.each([
  [
    'an error event without a listener',
    "new EventEmitter().emit('error', new Error('the socket broke'))",
    'process.uncaught_exception',
  ],
  ['an unhandled rejection', "void Promise.reject(new Error('the socket broke'))", 'process.unhandled_rejection'],
])('%s is logged, and the process continues', (_name, statement, event) => {
  const program = `
    import { EventEmitter } from 'node:events';
    const { surviveStrayErrors } = await import(${JSON.stringify(errorsModule)});
    surviveStrayErrors((message, error) => console.error(message, error));
    setTimeout(() => { ${statement}; }, 0);
    setTimeout(() => console.log('still running'), 50);`;
  const { status, stdout, stderr } = runProgram(program);
  expect([status, stdout]).toEqual([0, 'still running\n']);
  expect(stderr).toContain(`${event} Error: the socket broke`);
});

test('a closed log pipe causes no error per line, and the process can exit', async () => {
  const program = `
    const { surviveStrayErrors } = await import(${JSON.stringify(errorsModule)});
    surviveStrayErrors((message, error) => console.error(message, error));
    process.stdin.once('data', () => {
      // The console itself handles the error of the first line.
      for (const at of [0, 20, 40]) setTimeout(() => console.error('a line that reaches no reader'), at);
      setTimeout(() => process.exitCode = 7, 100);
      process.stdin.destroy();
    });
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { timeout: 20_000, killSignal: 'SIGKILL' });
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stderr.destroy();
  child.stdin.write('go');
  expect(await exit).toEqual([7, null]);
});
