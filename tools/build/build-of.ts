import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Identifies the build that a trace needs for its replay; `machines` holds the hash of each source
 * file of machines and their model, by its path below `machines/`.
 */
export type Build = { build: string; machines: Record<string, string> };

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The hash of a machine's source; independent of line endings. */
export const hashSource = (text: string): string => hashText(text.replaceAll('\r\n', '\n'));

/**
 * Whether a file below `machines/` is hashed: recorders, path models and types change no machine.
 */
export const isHashedFile = (name: string): boolean =>
  name.endsWith('.ts') && !name.endsWith('.d.ts') && !/^(?:paths|path-models|trace)\//.test(name);

/** Hashes the sources of the machines and of their model, each under its path below `machines/`. */
export async function computeBuild(root: string): Promise<Build> {
  const folder = join(root, 'machines');
  const names = (await readdir(folder, { recursive: true })).filter(isHashedFile).toSorted();
  const hashes = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const text = await readFile(join(folder, name), 'utf8');
      return [name.replace(/\.ts$/, ''), hashSource(text)];
    }),
  );
  const machines = Object.fromEntries(hashes);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { build: `${version}+${hashText(JSON.stringify(machines))}`, machines };
}

/**
 * The hash of all translations below a folder. It names the folder that they are served from, since
 * browsers cache them without expiry.
 */
export async function hashTranslations(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.po')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return hashText(texts.join('')).slice(0, 7);
}
