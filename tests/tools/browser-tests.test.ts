import { expect, test, vi } from 'vitest';
import { runBrowserTests } from '../../tools/test/browser-tests.ts';
import { SHARD_COUNT } from '../../tools/test/shards.ts';
import { plantTree } from './support/tree.ts';

const config = 'e2e/playwright.config.ts';
const configText = `import { defineConfig } from '@playwright/test'
export default defineConfig({ testDir: '.', testMatch: '*.spec.ts' })
`;
const formatStory = (body: string): string => `import { test } from '@playwright/test'\ntest('a story', () => { ${body} })\n`;
const throwingModule = `throw new Error('planted')`;

function runStories(files: Record<string, string>): Promise<{ passed: number; failed: number; summary: string }> {
  return plantTree({ [config]: configText, ...files }).then((root) => runBrowserTests(root, { config }));
}

test('passed stories are counted', async () => {
  expect(await runStories({ 'e2e/a.spec.ts': formatStory(''), 'e2e/b.spec.ts': formatStory('') })).toEqual({
    passed: 2,
    failed: 0,
    summary: '2 of 2 tests passed',
  });
});

test('each file is reported with the seconds of its tests', async () => {
  const root = await plantTree({ [config]: configText, 'e2e/a.spec.ts': `${formatStory('')}test('another', () => {})\n` });
  const onFileTime = vi.fn<(time: object) => void>();
  await runBrowserTests(root, { config, onFileTime });
  const file = expect.stringMatching(/e2e\/a\.spec\.ts$/) as string;
  expect(onFileTime.mock.calls).toEqual([[{ file, seconds: expect.any(Number), tests: 2 }]]);
});

test('a shard runs its own tests and all payment tests', async () => {
  const stories = Array.from({ length: 3 * SHARD_COUNT + 1 }, (_, index) => `test('story ${index}', () => {})`).join('\n');
  const root = await plantTree({
    [config]: configText,
    'e2e/a.spec.ts': `import { test } from '@playwright/test'\n${stories}\n`,
    'e2e/stories/buying/paying.spec.ts': formatStory(''),
  });
  const passed: number[] = [];
  for (const shard of [1, 2, SHARD_COUNT]) {
    const outcome = await runBrowserTests(root, { config, shard });
    expect(outcome.failed, outcome.summary).toBe(0);
    passed.push(outcome.passed);
  }
  // Each shard runs three stories and the payment story, the first shard one more.
  expect(passed).toEqual([3 + 1 + 1, 3 + 1, 3 + 1]);
});

test('a shard whose tests cannot be listed fails', async () => {
  const root = await plantTree({ [config]: configText, 'e2e/a.spec.ts': throwingModule });
  const message = /Playwright ended with 1 and lists 0 tests[^]*planted/;
  await expect(runBrowserTests(root, { config, shard: 1 })).rejects.toThrow(message);
});

test('the reason of a skipped story is reported', async () => {
  const skippedStory = `console.log('skipped: no books')\n${formatStory('').replace("test('", "test.skip('")}`;
  expect(await runStories({ 'e2e/a.spec.ts': formatStory(''), 'e2e/b.spec.ts': skippedStory })).toEqual({
    passed: 1,
    failed: 0,
    skipped: 1,
    summary: '1 of 2 tests passed; skipped: no books',
  });
});

test.each([
  [
    'a failed story',
    { 'e2e/a.spec.ts': formatStory(''), 'e2e/b.spec.ts': formatStory(throwingModule) },
    { passed: 1, failed: 1 },
  ],
  ['a file that does not load', { 'e2e/a.spec.ts': throwingModule }, { passed: 0, failed: 1 }],
  ['a run that finds no story', {}, { passed: 0, failed: 1 }],
])('%s is counted as failed', async (_, files, counts) => {
  expect(await runStories(files)).toMatchObject(counts);
});

test('a story that never ends is killed and named', async () => {
  const root = await plantTree({
    [config]: configText,
    'e2e/a.spec.ts': formatStory(''),
    'e2e/endless.spec.ts': formatStory('for (;;);').replace('a story', 'a story without an end'),
  });
  const limits = { beforeFirst: 60_000, betweenTests: 2000 };
  const { passed, failed, summary } = await runBrowserTests(root, { config, limits });
  expect({ passed, failed }).toEqual({ passed: 0, failed: 1 });
  expect(summary).toMatch(/no test started or ended for 2 s\. Still running:[^]*e2e\/endless\.spec\.ts > a story without an end/);
});
