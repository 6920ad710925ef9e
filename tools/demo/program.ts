import { spawnSync } from 'node:child_process';

const availability = new Map<string, boolean>();

/** Whether a program is available on this machine. */
export function hasProgram(name: string): boolean {
  const cachedAvailability = availability.get(name);
  if (cachedAvailability !== undefined) return cachedAvailability;
  const isAvailable = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  availability.set(name, isAvailable);
  return isAvailable;
}
