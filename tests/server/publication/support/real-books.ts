import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the real titles for tests lie, beside the project; they are not part of it. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data');

export type RealFile = { name: string; file: string };

export const hasRealFiles = existsSync(folder);
// Said here for every suite alike: the runner of the browser tests keeps the reason of a skipped one to itself.
if (!hasRealFiles) console.log('skipped: the real titles are not beside the project');

/** The files of one kind, or none where the real titles are absent. */
export function realFiles(kind: 'epub' | 'hostile' | 'pdf'): RealFile[] {
  const path = join(folder, kind);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => /\.(epub|pdf)$/.test(name));
  return names.map((name) => ({ name, file: join(path, name) }));
}

export const realFile = (kind: 'epub' | 'hostile' | 'pdf', name: string): string => join(folder, kind, name);

/** An odd file, for which it is known what is right. */
export const realInput = (kind: 'epub' | 'pdf', name: string): string => join(folder, 'inputs', kind, name);
