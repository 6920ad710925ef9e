import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOfInputs } from '../../tools/start/build.mjs';
import { isInstalled } from '../../tools/start/install.mjs';
import { plant } from './support/tree.ts';

const lock = (packages: object): string => JSON.stringify({ packages: { '': {}, ...packages } });
const xstate = { 'node_modules/xstate': { version: '5.0.0', integrity: 'sha512-a' } };
const elsewhere = { 'node_modules/for-another-system': { version: '1.0.0', optional: true } };

async function installed(wanted: object, found: object): Promise<boolean> {
  const root = await plant({ 'package-lock.json': lock(wanted) });
  await rm(join(root, 'node_modules'));
  await mkdir(join(root, 'node_modules'));
  await writeFile(join(root, 'node_modules/.package-lock.json'), lock(found));
  return isInstalled(root);
}

test('an installation is whole, stale or absent', async () => {
  expect(await installed({ ...xstate, ...elsewhere }, xstate)).toBe(true);
  expect(await installed(xstate, {})).toBe(false);
  expect(await installed(xstate, { 'node_modules/xstate': { version: '4.0.0', integrity: 'sha512-a' } })).toBe(false);
  expect(await installed(xstate, { 'node_modules/xstate': { version: '5.0.0', integrity: 'sha512-b' } })).toBe(false);
  const bare = await plant({ 'package-lock.json': lock(xstate) });
  await rm(join(bare, 'node_modules'));
  expect(await isInstalled(bare)).toBe(false);
});

test('a build is stale once an input changes, moves or goes, and not otherwise', async () => {
  const root = await plant({ 'src/main.tsx': 'one', 'machines/app.ts': 'two', 'server/main.ts': 'three' });
  const first = await hashOfInputs(root);
  await appendFile(join(root, 'server/main.ts'), 'changed');
  expect(await hashOfInputs(root)).toBe(first);
  await appendFile(join(root, 'machines/app.ts'), 'changed');
  const changed = await hashOfInputs(root);
  expect(changed).not.toBe(first);
  await rename(join(root, 'src/main.tsx'), join(root, 'src/moved.tsx'));
  const moved = await hashOfInputs(root);
  expect(moved).not.toBe(changed);
  await rm(join(root, 'src/moved.tsx'));
  expect(await hashOfInputs(root)).not.toBe(moved);
});
