import { readdirSync, readFileSync } from 'node:fs';

/**
 * The parent's process id of each running process, by process id. A process that ends during the
 * scan is omitted.
 */
function readParents(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The program's name, in brackets, may contain any character; its state and its parent
      // follow.
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process has ended.
    }
  }
  return parents;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/**
 * Kills the process `pid`, its process group, and all their descendants, including those that lead
 * a group of their own. Synchronous, so that a process that is about to end may call it.
 */
export function killTree(pid: number): void {
  const tree = new Set([pid]);
  const parentEntries = [...readParents()];
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const [child, parent] of parentEntries) if (tree.has(parent)) tree.add(child);
  }
  kill(-pid);
  for (const member of tree) kill(member);
}
