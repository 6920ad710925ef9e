import { spawnSync } from 'node:child_process';

const availability = new Map<string, boolean>();

/** Whether a program is available on this machine. */
export function hasProgram(name: string): boolean {
  const cached = availability.get(name);
  if (cached !== undefined) return cached;
  const isAvailable = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  availability.set(name, isAvailable);
  return isAvailable;
}
