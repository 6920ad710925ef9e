import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds between checks whether the other process has ended. */
const POLL_INTERVAL_MS = 200;
/**
 * Milliseconds after which a lock without an owner's id is stale: the owner died before it wrote
 * its id.
 */
const MAX_OWNERLESS_MS = 10_000;

const ignore = () => {};

// `server/base/folder-lock.ts` is not used here: a bare Node 20, which runs this, cannot load it.

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
 * The process id of a lock's owner; 0 if it is unknown.
 * @param {string} lock
 */
const readOwner = async (lock) => Number(await readFile(join(lock, 'pid'), 'utf8').catch(() => ''));

/**
 * Whether the owner of the lock has ended without releasing it.
 * @param {string} lock
 */
async function isStale(lock) {
  const owner = await readOwner(lock);
  if (owner > 0) return !isRunning(owner);
  const stats = await stat(lock).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs > MAX_OWNERLESS_MS;
}

/**
 * Removes a stale lock. Only one of several waiting processes can move it; a process that has moved
 * a new lock by mistake moves it back.
 * @param {string} lock
 */
async function removeStale(lock) {
  const movedLock = `${lock}.${process.pid}`;
  await rename(lock, movedLock).catch(ignore);
  if (await isStale(movedLock)) await rm(movedLock, { recursive: true, force: true });
  else await rename(movedLock, lock).catch(ignore);
}

/**
 * The lock directory, which exists while a process holds the lock.
 * @param {string} folder
 */
export const getLockPath = (folder) =>
  join(tmpdir(), `colophon-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.lock`);

/**
 * Tries to take the lock.
 * @param {string} lock
 * @returns {Promise<boolean>} false if another process holds it
 */
const acquire = (lock) =>
  mkdir(lock).then(
    () => true,
    (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );

/**
 * Runs a change to a folder exclusively: two commands started at once would install the same
 * packages over each other.
 * @template Answer
 * @param {string} folder
 * @param {() => Promise<Answer>} run
 * @returns {Promise<Answer>}
 */
export async function withFolderLock(folder, run) {
  const lock = getLockPath(folder);
  for (let attempts = 0; !(await acquire(lock)); attempts += 1) {
    if (attempts === 0) console.error('Waiting for another command that installs packages ...');
    if (await isStale(lock)) await removeStale(lock);
    else await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  try {
    await writeFile(join(lock, 'pid'), String(process.pid));
    return await run();
  } finally {
    if ((await readOwner(lock)) === process.pid) await rm(lock, { recursive: true, force: true }).catch(ignore);
  }
}
