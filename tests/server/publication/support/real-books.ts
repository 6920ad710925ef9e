import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Folder of the real titles for tests; it is beside the repository, not part of it. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data');

export type RealFile = { name: string; file: string };

export const hasRealFiles = existsSync(folder);
// Logged here for all files that skip tests: the browser tests' runner does not print the reason.
if (!hasRealFiles) console.log('skipped: the folder with the real titles is missing');

/** Lists the files of one kind; returns an empty list where the real titles are absent. */
export function listRealFiles(kind: 'epub' | 'hostile' | 'pdf'): RealFile[] {
  const path = join(folder, kind);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => /\.(epub|pdf)$/.test(name));
  return names.map((name) => ({ name, file: join(path, name) }));
}

export const getRealFilePath = (kind: 'epub' | 'hostile' | 'pdf', name: string): string => join(folder, kind, name);

/** Path of an irregular file whose correct result is known. */
export const getRealInputPath = (kind: 'epub' | 'pdf', name: string): string => join(folder, 'inputs', kind, name);
