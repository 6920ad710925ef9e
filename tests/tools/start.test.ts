import { appendFile, chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashInputs } from '../../tools/start/build.mjs';
import { isInstalled } from '../../tools/start/install.mjs';
import { findSystemChromium, findSystemFirefox, findSystemPostgres } from '../../tools/start/programs.mjs';
import { isNewEnough } from '../../tools/start/runtime.mjs';
import { plantTree, projectRoot } from './support/tree.ts';

const formatLockFile = (packages: object): string => JSON.stringify({ packages: { '': {}, ...packages } });
const xstatePackage = { 'node_modules/xstate': { version: '5.0.0', integrity: 'sha512-a' } };
const otherPlatformPackage = { 'node_modules/for-another-system': { version: '1.0.0', optional: true } };

async function isLockInstalled(lockedPackages: object, installedPackages: object): Promise<boolean> {
  const root = await plantTree({ 'package-lock.json': formatLockFile(lockedPackages) });
  await rm(join(root, 'node_modules'));
  await mkdir(join(root, 'node_modules'));
  await writeFile(join(root, 'node_modules/.package-lock.json'), formatLockFile(installedPackages));
  return isInstalled(root);
}

test('an installation is complete when every locked package has its version and checksum', async () => {
  expect(await isLockInstalled({ ...xstatePackage, ...otherPlatformPackage }, xstatePackage)).toBe(true);
  expect(await isLockInstalled(xstatePackage, {})).toBe(false);
  expect(await isLockInstalled(xstatePackage, { 'node_modules/xstate': { version: '4.0.0', integrity: 'sha512-a' } })).toBe(
    false,
  );
  expect(await isLockInstalled(xstatePackage, { 'node_modules/xstate': { version: '5.0.0', integrity: 'sha512-b' } })).toBe(
    false,
  );
  const emptyRoot = await plantTree({ 'package-lock.json': formatLockFile(xstatePackage) });
  await rm(join(emptyRoot, 'node_modules'));
  expect(await isInstalled(emptyRoot)).toBe(false);
});

test('a build is stale once an input is changed, moved or deleted, and not otherwise', async () => {
  const root = await plantTree({ 'src/main.tsx': 'one', 'machines/app.ts': 'two', 'server/main.ts': 'three' });
  const originalHash = await hashInputs(root);
  await appendFile(join(root, 'server/main.ts'), 'changed');
  expect(await hashInputs(root)).toBe(originalHash);
  await appendFile(join(root, 'machines/app.ts'), 'changed');
  const changedHash = await hashInputs(root);
  expect(changedHash).not.toBe(originalHash);
  await rename(join(root, 'src/main.tsx'), join(root, 'src/moved.tsx'));
  const movedHash = await hashInputs(root);
  expect(movedHash).not.toBe(changedHash);
  await rm(join(root, 'src/moved.tsx'));
  expect(await hashInputs(root)).not.toBe(movedHash);
});

test('a Node version is new enough when all packages support it', () => {
  const versions = ['20.19.5', '22.18.0', '22.22.1', '22.22.2', '22.23.0', '23.11.0', '24.14.1', '24.15.0', '25.1.0', '26.0.0'];
  expect(versions.filter(isNewEnough)).toEqual(['22.22.2', '22.23.0', '24.15.0', '26.0.0']);
});

test('a browser on the path is used, unless the packaged one is requested', async () => {
  const root = await plantTree({ 'empty/readme': '', 'full/chromium': '' });
  const PATH = `${root}/empty:${root}/full`;
  expect(await findSystemChromium({ PATH })).toBe(null);
  await chmod(join(root, 'full/chromium'), 0o755);
  expect(await findSystemChromium({ PATH })).toBe(join(root, 'full/chromium'));
  expect(await findSystemChromium({ PATH, COLOPHON_SHIPPED_CHROMIUM: '1' })).toBe(null);
  expect(await findSystemFirefox({ PATH })).toBe(null);
  await rename(join(root, 'full/chromium'), join(root, 'full/firefox-esr'));
  expect(await findSystemFirefox({ PATH })).toBe(join(root, 'full/firefox-esr'));
  expect(await findSystemPostgres({ COLOPHON_SHIPPED_POSTGRES: '1' })).toBe(null);
});

test.each(['.', ...['node', 'chromium', 'postgres', 'epubcheck'].map((name) => `tools/programs/${name}`)])(
  'the lock of %s has checksums and no registry',
  async (folder) => {
    const { packages } = JSON.parse(await readFile(join(projectRoot, folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { integrity?: string; resolved?: string }>;
    };
    const lockedEntries = Object.entries(packages).filter(([path]) => path !== '');
    expect(lockedEntries.length).toBeGreaterThan(0);
    expect(lockedEntries.filter(([, { integrity, resolved }]) => integrity === undefined || resolved !== undefined)).toEqual([]);
  },
);
