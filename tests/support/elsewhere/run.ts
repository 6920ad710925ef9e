import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Taken } from '../../../machines/paths/purity-twice.ts';

const inFolder = (name: string): string => join(import.meta.dirname, name);

/** As far from here as can be: another day, another writing of numbers and dates, and letters that change their case otherwise. */
const env = { ...process.env, TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };

/** What the machines of a module's `models` do decades from now, in another time zone and language; in their order. */
export const takenElsewhere = async (module: string): Promise<Taken[][]> => {
  const args = ['--import', inFolder('clock.ts'), inFolder('taken.ts'), module];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout) as Taken[][];
};
