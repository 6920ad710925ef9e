import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TransitionResult } from '../../../machines/paths/purity-twice.ts';

const pathInFolder = (name: string): string => join(import.meta.dirname, name);

/** Variables that set another day, other number and date formats, and Turkish case mapping. */
const env = { ...process.env, TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };

/**
 * Transitions that the machines of a module's `models` take decades later, in another time zone and
 * language: a list for each model, in the order of `models`.
 */
export const runTransitionsElsewhere = async (module: string): Promise<TransitionResult[][]> => {
  const args = ['--import', pathInFolder('clock.ts'), pathInFolder('taken.ts'), module];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout) as TransitionResult[][];
};
