import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a trace must name to be replayed by the same machines: `machines` holds each one's hash, by its name. */
export type Build = { build: string; machines: Record<string, string> };

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The hash of a machine's source; the ends of its lines do not matter. */
export const hashOfSource = (text: string): string => hashed(text.replaceAll('\r\n', '\n'));

const sourcesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.ts')).toSorted();

/** Hashes the sources of the machines and of their model; what records and tours them does not change them. */
export async function buildOf(root: string): Promise<Build> {
  const folders = ['', 'model/'];
  const hashes = await Promise.all(
    folders.map(async (folder) => {
      const names = await sourcesIn(join(root, 'machines', folder));
      return Promise.all(
        names.map(async (name): Promise<[string, string]> => {
          const text = await readFile(join(root, 'machines', folder, name), 'utf8');
          return [`${folder}${name.replace(/\.ts$/, '')}`, hashOfSource(text)];
        }),
      );
    }),
  );
  const machines = Object.fromEntries(hashes.flat());
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { build: `${version}+${hashed(JSON.stringify(machines))}`, machines };
}
