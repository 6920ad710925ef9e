import { expect, test } from 'vitest';
import { runBrowserTests } from '../../tools/test/browser-tests.ts';
import { plant } from './support/tree.ts';

const config = `import { defineConfig } from '@playwright/test'
const outputFile = process.env['COLOPHON_BROWSER_REPORT']
export default defineConfig({ testDir: '.', testMatch: '*.spec.ts', reporter: [['dot'], ['json', { outputFile }]] })
`;
const story = (body: string): string => `import { test } from '@playwright/test'\ntest('a story', () => { ${body} })\n`;
const planted = `throw new Error('planted')`;

function run(files: Record<string, string>): Promise<{ passed: number; failed: number; says: string }> {
  return plant({ 'e2e/playwright.config.ts': config, ...files }).then((root) =>
    runBrowserTests(root, 'e2e/playwright.config.ts'),
  );
}

test('passed stories are counted', async () => {
  expect(await run({ 'e2e/a.spec.ts': story(''), 'e2e/b.spec.ts': story('') })).toEqual({
    passed: 2,
    failed: 0,
    says: '2 of 2 tests passed',
  });
});

test('the reason of a skipped story is told', async () => {
  const skipping = `console.log('skipped: no books')\n${story('').replace("test('", "test.skip('")}`;
  expect(await run({ 'e2e/a.spec.ts': story(''), 'e2e/b.spec.ts': skipping })).toEqual({
    passed: 1,
    failed: 0,
    says: '1 of 2 tests passed; skipped: no books',
  });
});

test.each([
  ['a failed story', { 'e2e/a.spec.ts': story(''), 'e2e/b.spec.ts': story(planted) }, { passed: 1, failed: 1 }],
  ['a file that does not load', { 'e2e/a.spec.ts': planted }, { passed: 0, failed: 1 }],
  ['a run that finds no story', {}, { passed: 0, failed: 1 }],
])('%s is counted', async (_, files, counts) => {
  expect(await run(files)).toMatchObject(counts);
});
