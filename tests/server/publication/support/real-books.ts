import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the real titles for tests lie, beside the project; they are not part of it. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data');

export type RealFile = { name: string; file: string };

/** The files of one kind, or none, with the reason printed. */
export function realFiles(kind: 'epub' | 'hostile' | 'pdf'): RealFile[] {
  const path = join(folder, kind);
  if (existsSync(path)) {
    const names = readdirSync(path).filter((name) => /\.(epub|pdf)$/.test(name));
    return names.map((name) => ({ name, file: join(path, name) }));
  }
  console.log(`skipped: the real titles (${kind}) are not beside the project`);
  return [];
}

export const realFile = (kind: 'epub' | 'hostile' | 'pdf', name: string): string => join(folder, kind, name);
export const hasRealFiles = existsSync(folder);
