import { expect, test } from 'vitest';
import { checkTypes } from '../../tools/check/types.ts';
import { plantTree } from './support/tree.ts';

const validFiles = {
  'src/a.ts': 'export const title = document.title\n',
  'machines/a.ts': 'export const a = 1\n',
  'server/a.ts': `export const port = process.env['PORT']\n`,
  'tools/a.ts': 'export const a = 1\n',
  'tests/a.ts': 'export const a = 1\n',
  'vite.config.ts': 'export const a = 1\n',
  'vitest.config.ts': 'export const a = 1\n',
};

test('a valid tree compiles', async () => {
  expect(await checkTypes(await plantTree(validFiles))).toEqual({ passed: 1, failed: 0, summary: 'all projects compile' });
});

test.each([
  ['a browser global in a machine', 'machines/a.ts', 'export const a = window.name\n'],
  ['a Node global in a machine', 'machines/a.ts', `export const a = process.env['A']\n`],
  ['a browser global in the server', 'server/a.ts', 'export const a = document.title\n'],
  ['a value of the wrong type in the app', 'src/a.ts', 'export const a: string = 1\n'],
])('a type error is found: %s', async (_, path, text) => {
  const { failed, summary } = await checkTypes(await plantTree({ ...validFiles, [path]: text }));
  expect(failed).toBe(1);
  expect(summary).toContain(path);
});
