import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a trace must name to be replayed by the same machines: `machines` holds each one's hash, by its name. */
export type Build = { build: string; machines: Record<string, string> };

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The hash of a machine's source; the ends of its lines do not matter. */
export const hashOfSource = (text: string): string => hashed(text.replaceAll('\r\n', '\n'));

/** Whether a file below `machines/` counts: recorders, path models and types change no machine. */
export const isHashed = (name: string): boolean =>
  name.endsWith('.ts') && !name.endsWith('.d.ts') && !/^(?:paths|path-models|trace)\//.test(name);

/** Hashes the sources of the machines and of their model, each under its path below `machines/`. */
export async function buildOf(root: string): Promise<Build> {
  const folder = join(root, 'machines');
  const names = (await readdir(folder, { recursive: true })).filter(isHashed).toSorted();
  const hashes = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const text = await readFile(join(folder, name), 'utf8');
      return [name.replace(/\.ts$/, ''), hashOfSource(text)];
    }),
  );
  const machines = Object.fromEntries(hashes);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { build: `${version}+${hashed(JSON.stringify(machines))}`, machines };
}

/** The hash of all translations below a folder: it names the folder that they are served from, since browsers keep them for good. */
export async function hashOfWords(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.po')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return hashed(texts.join('')).slice(0, 7);
}
