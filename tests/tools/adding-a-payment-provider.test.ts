import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, run } from '../../tools/process/run.ts';
import { copyProject, applyPage, neutralEnv, readExecutedPage } from './support/executed-page.ts';

const providerPage = await readExecutedPage('adding-a-payment-provider.md');

/** A program that prints the provider that the settings choose, or their error. */
const createReadingProgram = (settings: Record<string, string>) => `
  const { readEnvironment } = await import('./server/setup/environment.ts');
  try {
    const { name, isLive } = readEnvironment(${JSON.stringify(settings)}, process.cwd()).provider;
    console.log(name, isLive ? 'live' : 'test');
  } catch (error) {
    console.log(error.message);
  }`;

test('a payment provider that is added by the docs page keeps the contract of gateways', async () => {
  const root = await copyProject();
  await applyPage(root, providerPage);
  expect(providerPage.diffs.map(({ path }) => path)).toEqual([
    'server/payment/providers.ts',
    'tests/server/support/gateways/all.ts',
  ]);

  const typesResult = await run(bin(root, 'tsc'), ['--build', 'tsconfig.json'], { cwd: root, env: neutralEnv });
  expect(typesResult.code, typesResult.output).toBe(0);

  const contractTestArgs = [
    'run',
    '--project',
    'server',
    'tests/server/gateways/gateway-contract',
    'tests/server/gateways/gateway-subscriptions',
    '-t',
    'acme',
  ];
  const testResult = await run(bin(root, 'vitest'), contractTestArgs, { cwd: root, env: neutralEnv });
  expect(testResult.code, testResult.output).toBe(0);
  expect(Number(/Tests {2}.*?(\d+) passed/.exec(testResult.output)?.[1])).toBeGreaterThan(20);

  const tablesResult = await run(process.execPath, ['tools/check/tables.ts', '--write'], { cwd: root, env: neutralEnv });
  expect(tablesResult.code, tablesResult.output).toBe(0);
  expect(await readFile(join(root, 'docs/configuration.md'), 'utf8')).toContain(
    '| `ACME_KEY` | none | with `PAYMENT_PROVIDER=acme`: Acme’s key |',
  );

  const readProvider = async (settings: Record<string, string>): Promise<string> => {
    const script = createReadingProgram({ PAYMENT_PROVIDER: 'acme', ...settings });
    return (await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env: neutralEnv })).output.trim();
  };
  expect(await readProvider({ ACME_KEY: 'acme_test_1', ACME_WEBHOOK_SECRET: 's' })).toBe('acme test');
  expect(await readProvider({ ACME_KEY: 'acme_live_1', ACME_WEBHOOK_SECRET: 's' })).toContain('ACME_KEY is a live key');
  expect(await readProvider({ ACME_KEY: 'acme_test_1' })).toContain('ACME_WEBHOOK_SECRET is missing');
}, 290_000);
