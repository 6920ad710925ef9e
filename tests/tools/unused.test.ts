import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkUnused } from '../../tools/check/unused.ts';
import { plantTree } from './support/tree.ts';

const packages = JSON.stringify({ name: 'small', type: 'module', dependencies: {} });
const config = JSON.stringify({ entry: ['src/main.ts'], project: ['src/**/*.ts'] });
const validFiles = {
  'package.json': packages,
  'knip.json': config,
  'src/main.ts': `import { used } from './part.ts'\nconsole.log(used)\n`,
  'src/part.ts': 'export const used = 1\n',
};

async function checkFiles(files: Record<string, string>): Promise<{ failed: number; summary: string }> {
  const root = await plantTree({ ...validFiles, ...files });
  return checkUnused(root, join(root, 'knip.json'));
}

test('a tree without unused code passes', async () => {
  expect(await checkFiles({})).toEqual({ passed: 1, failed: 0, summary: 'no unused file, export or dependency' });
});

test.each([
  ['a file', { 'src/lost.ts': 'export const lost = 1\n' }, 'src/lost.ts'],
  ['an export', { 'src/part.ts': 'export const used = 1\nexport const spare = 2\n' }, 'spare'],
  [
    'a dependency',
    { 'package.json': JSON.stringify({ name: 'small', type: 'module', dependencies: { wouter: '3.13.0' } }) },
    'wouter',
  ],
])('%s that is unused is reported', async (_, files, expectedText) => {
  const { failed, summary } = await checkFiles(files);
  expect(failed).toBe(1);
  expect(summary).toContain(expectedText);
});
