import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getProjectNode, root, runHere } from './runtime.mjs';

/** All inputs of the built pages. */
const inputs = [
  'src',
  'machines',
  'public',
  'tools/build',
  'index.html',
  'vite.config.ts',
  'lingui.config.ts',
  'tsconfig.base.json',
  'package-lock.json',
];
const stampFile = join('dist', '.inputs');

/**
 * @param {string} folder
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function listFiles(folder, path) {
  const entries = await readdir(join(folder, path), { withFileTypes: true, recursive: true }).catch(() => null);
  if (entries === null) return [path];
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/**
 * Hashes names and contents of all files that a build reads.
 * @param {string} folder the project folder
 */
export async function hashInputs(folder) {
  const files = (await Promise.all(inputs.map((input) => listFiles(folder, input)))).flat().sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const content = await readFile(join(folder, file)).catch(() => null);
    if (content !== null) hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Builds `dist` unless it was built from exactly these inputs. */
export async function buildIfStale() {
  const inputHash = await hashInputs(root);
  const builtHash = await readFile(join(root, stampFile), 'utf8').catch(() => '');
  if (builtHash === inputHash) return;
  console.error('Building the pages ...');
  await rm(join(root, stampFile), { force: true });
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  // First the pages, then the program that renders their first screens on the server.
  for (const modeArgs of [[], ['--ssr', join('src', 'ssr', 'render.tsx')]]) {
    // Overrides the NODE_ENV of a test that builds.
    const options = { quiet: true, env: { NODE_ENV: 'production' } };
    const code = await runHere(getProjectNode(), [vite, 'build', ...modeArgs, '--logLevel', 'warn'], options);
    if (code !== 0) throw new Error(`vite build ${modeArgs.join(' ')} exited with ${code}`);
  }
  await writeFile(join(root, stampFile), inputHash);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildIfStale();
