import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, run } from '../../tools/process/run.ts';
import { copyProject, applyPage, neutralEnv, readExecutedPage } from './support/executed-page.ts';

const providerPage = await readExecutedPage('adding-a-payment-provider.md');

/** Prints the provider that the settings choose, or their errors. */
const readingProgram = (settings: Record<string, string>) => `
  const { readEnvironment } = await import('./server/setup/environment.ts');
  try {
    const { name, isLive } = readEnvironment(${JSON.stringify(settings)}, process.cwd()).provider;
    console.log(name, isLive ? 'live' : 'test');
  } catch (error) {
    console.log(error.message);
  }`;

test('the page on adding a payment provider adds one that keeps the contract, in two existing files', async () => {
  const root = await copyProject();
  await applyPage(root, providerPage);
  expect(providerPage.changed.map(({ path }) => path)).toEqual([
    'server/payment/providers.ts',
    'tests/server/support/gateways/all.ts',
  ]);

  const typed = await run(bin(root, 'tsc'), ['--build', 'tsconfig.json'], { cwd: root, env: neutralEnv });
  expect(typed.code, typed.output).toBe(0);

  const contract = [
    'run',
    '--project',
    'server',
    'tests/server/gateways/gateway-contract',
    'tests/server/gateways/gateway-subscriptions',
    '-t',
    'acme',
  ];
  const tested = await run(bin(root, 'vitest'), contract, { cwd: root, env: neutralEnv });
  expect(tested.code, tested.output).toBe(0);
  expect(Number(/Tests {2}.*?(\d+) passed/.exec(tested.output)?.[1])).toBeGreaterThan(20);

  const tables = await run(process.execPath, ['tools/check/tables.ts', '--write'], { cwd: root, env: neutralEnv });
  expect(tables.code, tables.output).toBe(0);
  expect(await readFile(join(root, 'docs/configuration.md'), 'utf8')).toContain(
    '| `ACME_KEY` | none | with `PAYMENT_PROVIDER=acme`: Acme’s key |',
  );

  const read = async (settings: Record<string, string>): Promise<string> => {
    const script = readingProgram({ PAYMENT_PROVIDER: 'acme', ...settings });
    return (await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env: neutralEnv })).output.trim();
  };
  expect(await read({ ACME_KEY: 'acme_test_1', ACME_WEBHOOK_SECRET: 's' })).toBe('acme test');
  expect(await read({ ACME_KEY: 'acme_live_1', ACME_WEBHOOK_SECRET: 's' })).toContain('ACME_KEY is a live key');
  expect(await read({ ACME_KEY: 'acme_test_1' })).toContain('ACME_WEBHOOK_SECRET is missing');
}, 290_000);
