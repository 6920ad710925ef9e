import { appendFile, chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOfInputs } from '../../tools/start/build.mjs';
import { isInstalled } from '../../tools/start/install.mjs';
import { systemChromium, systemFirefox, systemPostgres } from '../../tools/start/programs.mjs';
import { isNewEnough } from '../../tools/start/runtime.mjs';
import { plant, project } from './support/tree.ts';

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

test('a Node is new enough when all packages run on it', () => {
  const versions = ['20.19.5', '22.18.0', '22.22.1', '22.22.2', '22.23.0', '23.11.0', '24.14.1', '24.15.0', '25.1.0', '26.0.0'];
  expect(versions.filter(isNewEnough)).toEqual(['22.22.2', '22.23.0', '24.15.0', '26.0.0']);
});

test('a browser on the path is taken, unless the packaged one is asked for', async () => {
  const root = await plant({ 'empty/readme': '', 'full/chromium': '' });
  const PATH = `${root}/empty:${root}/full`;
  expect(await systemChromium({ PATH })).toBe(null);
  await chmod(join(root, 'full/chromium'), 0o755);
  expect(await systemChromium({ PATH })).toBe(join(root, 'full/chromium'));
  expect(await systemChromium({ PATH, COLOPHON_SHIPPED_CHROMIUM: '1' })).toBe(null);
  expect(await systemFirefox({ PATH })).toBe(null);
  await rename(join(root, 'full/chromium'), join(root, 'full/firefox-esr'));
  expect(await systemFirefox({ PATH })).toBe(join(root, 'full/firefox-esr'));
  expect(await systemPostgres({ COLOPHON_SHIPPED_POSTGRES: '1' })).toBe(null);
});

test.each(['.', ...['node', 'chromium', 'postgres', 'epubcheck'].map((name) => `tools/programs/${name}`)])(
  'the lock of %s names checksums and no registry',
  async (folder) => {
    const { packages } = JSON.parse(await readFile(join(project, folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { integrity?: string; resolved?: string }>;
    };
    const locked = Object.entries(packages).filter(([path]) => path !== '');
    expect(locked.length).toBeGreaterThan(0);
    expect(locked.filter(([, { integrity, resolved }]) => integrity === undefined || resolved !== undefined)).toEqual([]);
  },
);
