import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Refuses the second of two processes on one embedded database folder: they would lose data. */
export class FolderInUse extends Error {
  constructor(folder: string, owner: number) {
    super(
      `The data folder ${folder} is in use by the process ${owner}. ` +
        'Stop that process first, or choose another folder with DATA_DIR.',
    );
    this.name = 'FolderInUse';
  }
}

type LockOwner = { pid: number; started: string };

/**
 * Start time of a process in clock ticks since boot, so that a recycled process id is not mistaken
 * for the old owner.
 */
function readStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function isAlive(owner: LockOwner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: the process is alive, but belongs to another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const started = readStartTime(owner.pid);
  return started === undefined || owner.started === '' || started === owner.started;
}

function readOwner(path: string): LockOwner | undefined {
  try {
    const [pid, started] = readFileSync(path, 'utf8').split(' ');
    return { pid: Number(pid), started: started ?? '' };
  } catch {
    return undefined;
  }
}

/** Moves a dead owner's lock away; puts it back if a living process has taken it in between. */
function removeStale(path: string, aside: string): void {
  try {
    renameSync(path, aside);
    const owner = readOwner(aside);
    if (owner && isAlive(owner)) linkSync(aside, path);
  } catch {
    // Another process moved the lock first: the next attempt finds the new owner.
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Locks the folder for this process and returns the function that unlocks it. A lock of a dead
 * process is taken over.
 * @throws FolderInUse when a living process holds it
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'colophon.lock');
  const claim = join(folder, `colophon.lock.${process.pid}`);
  writeFileSync(claim, `${process.pid} ${readStartTime(process.pid) ?? ''}`);
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        // A hard link appears atomically: no reader ever sees a half-written lock.
        linkSync(claim, path);
        return () => rmSync(path, { force: true });
      } catch {
        const owner = readOwner(path);
        if (owner && isAlive(owner)) throw new FolderInUse(folder, owner.pid);
        removeStale(path, `${claim}.stale`);
      }
    }
    throw new FolderInUse(folder, readOwner(path)?.pid ?? 0);
  } finally {
    rmSync(claim, { force: true });
  }
}
