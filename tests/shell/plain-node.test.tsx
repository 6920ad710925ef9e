// @vitest-environment node
import { expect, test } from 'vitest';

const modules = import.meta.glob([
  '../../src/**/*.{ts,tsx}',
  '!../../src/**/*.d.ts',
  // Scripts of the page, which run on import.
  '!../../src/main.tsx',
  '!../../src/ssr/early/{head,screen-end}.ts',
]);

test('there is no document, window or storage here', () => {
  expect([typeof document, typeof window, typeof localStorage]).toEqual(['undefined', 'undefined', 'undefined']);
});

test.each(Object.keys(modules))('%s is imported without a browser', async (path) => {
  await expect(modules[path]?.()).resolves.toBeDefined();
});
