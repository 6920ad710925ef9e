import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds between two looks whether another process has ended. */
const PAUSE = 200;
/** Milliseconds after which a lock that names no owner is one whose owner died as it took it. */
const NAMELESS = 10_000;

const ignore = () => {};

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
 * Whether the process that took the lock has ended without giving it back.
 * @param {string} lock
 */
async function isLeft(lock) {
  const owner = Number(await readFile(join(lock, 'pid'), 'utf8').catch(() => ''));
  if (owner > 0) return !isRunning(owner);
  const taken = await stat(lock).catch(() => null);
  return taken !== null && Date.now() - taken.mtimeMs > NAMELESS;
}

/**
 * The folder that is there while a process has its turn.
 * @param {string} folder
 */
export const lockOf = (folder) =>
  join(tmpdir(), `colophon-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.lock`);

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
  for (;;) {
    const isTaken = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (isTaken) break;
    if (await isLeft(lock)) await rm(lock, { recursive: true, force: true });
    else await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  try {
    await writeFile(join(lock, 'pid'), String(process.pid));
    return await run();
  } finally {
    await rm(lock, { recursive: true, force: true }).catch(ignore);
  }
}
