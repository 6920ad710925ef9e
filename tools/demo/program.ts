import { spawnSync } from 'node:child_process';

const found = new Map<string, boolean>();

/** Whether a program is available on this machine. */
export function hasProgram(name: string): boolean {
  const known = found.get(name);
  if (known !== undefined) return known;
  const here = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  found.set(name, here);
  return here;
}
