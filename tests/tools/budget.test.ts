import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getFirstLoad, MAX_FIRST_LOAD_KB, measureFirstLoad, type Manifest } from '../../tools/check/budget.ts';
import { plantTree } from './support/tree.ts';

const manifest: Manifest = {
  'index.html': {
    file: 'entry.js',
    imports: ['_shared.js'],
    dynamicImports: ['src/flows/landing/index.ts', 'src/flows/viewer/index.ts'],
  },
  '_shared.js': { file: 'shared.js', imports: ['_deep.js'] },
  '_deep.js': { file: 'deep.js', imports: ['_shared.js'] },
  'src/flows/landing/index.ts': { file: 'landing.js', imports: ['_cards.js'] },
  '_cards.js': { file: 'cards.js' },
  'src/flows/viewer/index.ts': { file: 'viewer.js', imports: ['_reader.js'] },
  '_reader.js': { file: 'reader.js' },
  'src/locales/it.po': { file: 'it.js' },
  'src/locales/en.po': { file: 'en.js' },
};

/**
 * A folder with a build whose entry has about `bytes` bytes when gzipped: gzip only undoes the
 * base64 of random bytes.
 */
function plantBuild(bytes: number): Promise<string> {
  const body = randomBytes(bytes).toString('base64');
  const files: Record<string, string> = { 'dist/.vite/manifest.json': JSON.stringify(manifest) };
  for (const { file } of Object.values(manifest)) files[`dist/${file}`] = file === 'entry.js' ? body : 'small';
  return plantTree(files);
}

test('the first load is the entry, its imports and the landing view, without lazy chunks', () => {
  expect(getFirstLoad(manifest).sort()).toEqual(['cards.js', 'deep.js', 'en.js', 'entry.js', 'landing.js', 'shared.js']);
});

test('a first load within its limit passes', async () => {
  expect(await measureFirstLoad(join(await plantBuild(100_000), 'dist'))).toMatchObject({ passed: 1, failed: 0 });
});

test('a first load over its limit fails and names its biggest script', async () => {
  const { failed, summary } = await measureFirstLoad(join(await plantBuild(160_000), 'dist'));
  expect(failed).toBe(1);
  expect(summary).toContain(` KB of ${MAX_FIRST_LOAD_KB} KB in 6 scripts (entry.js 16`);
  expect(summary).toMatch(/^16\d\.\d KB/);
});

test('a build without an entry fails', async () => {
  const root = await plantTree({ 'dist/.vite/manifest.json': '{}' });
  expect(await measureFirstLoad(join(root, 'dist'))).toMatchObject({ failed: 1 });
});
