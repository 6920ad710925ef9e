import { readdirSync, readFileSync } from 'node:fs';

/** The parent of every process of this machine. One that ends meanwhile is left out. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The program's name, in brackets, may hold anything; then come its state and its parent.
      found.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has ended.
    }
  }
  return found;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/**
 * Kills the process `pid`, the group that it leads, and all that they started, also what leads a group of its own.
 * Answers at once, so that a process which is itself about to end may call it.
 */
export function endTree(pid: number): void {
  const tree = new Set([pid]);
  const all = [...parents()];
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const [child, parent] of all) if (tree.has(parent)) tree.add(child);
  }
  kill(-pid);
  for (const each of tree) kill(each);
}
