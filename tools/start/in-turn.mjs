import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds between two looks whether another process has ended. */
const PAUSE = 200;
/** Milliseconds after which a lock that names no owner is one whose owner died as it took it. */
const NAMELESS = 10_000;

const ignore = () => {};

// A bare Node 20 runs this, which cannot load `server/base/folder-lock.ts`.

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Whose turn a lock says it is; 0 where it does not say.
 * @param {string} lock
 */
const ownerOf = async (lock) => Number(await readFile(join(lock, 'pid'), 'utf8').catch(() => ''));

/**
 * Whether the process that took the lock has ended without giving it back.
 * @param {string} lock
 */
async function isLeft(lock) {
  const owner = await ownerOf(lock);
  if (owner > 0) return !isRunning(owner);
  const taken = await stat(lock).catch(() => null);
  return taken !== null && Date.now() - taken.mtimeMs > NAMELESS;
}

/**
 * Takes a lock away that was left. Of several who wait, one alone can move it; whoever moves a new one by mistake puts it back.
 * @param {string} lock
 */
async function clear(lock) {
  const moved = `${lock}.${process.pid}`;
  await rename(lock, moved).catch(ignore);
  if (await isLeft(moved)) await rm(moved, { recursive: true, force: true });
  else await rename(moved, lock).catch(ignore);
}

/**
 * The folder that is there while a process has its turn.
 * @param {string} folder
 */
export const lockOf = (folder) =>
  join(tmpdir(), `colophon-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.lock`);

/**
 * @param {string} lock
 * @returns {Promise<boolean>} false where it is somebody's
 */
const take = (lock) =>
  mkdir(lock).then(
    () => true,
    (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );

/**
 * Runs something that changes a folder after all other processes that do so: two commands that are started at once would install
 * the same packages over each other.
 * @template Answer
 * @param {string} folder
 * @param {() => Promise<Answer>} run
 * @returns {Promise<Answer>}
 */
export async function inTurn(folder, run) {
  const lock = lockOf(folder);
  for (let looks = 0; !(await take(lock)); looks += 1) {
    if (looks === 0) console.error('Waiting for another command that installs packages ...');
    if (await isLeft(lock)) await clear(lock);
    else await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  try {
    await writeFile(join(lock, 'pid'), String(process.pid));
    return await run();
  } finally {
    if ((await ownerOf(lock)) === process.pid) await rm(lock, { recursive: true, force: true }).catch(ignore);
  }
}
