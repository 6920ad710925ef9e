import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { array, object, optional, parse, record, string, type InferOutput } from 'valibot';
import { buildWhatIsStale } from '../start/build.mjs';
import { broken, holds, type Outcome } from './step.ts';

/** Scripts of the first load of `/`, gzipped at level 6, in KB of 1000 bytes. */
export const limitKb = 152;

/** What is read of Vite's manifest: the chunks by their source, each with the keys of those that it imports. */
export const manifestSchema = record(
  string(),
  object({
    file: string(),
    imports: optional(array(string())),
    dynamicImports: optional(array(string())),
  }),
);
export type Manifest = InferOutput<typeof manifestSchema>;

/**
 * What the landing page asks for by a dynamic import: its own view, the calls that fill it, the words of one language.
 * `npm run bench` fails when the browser fetches a script that this leaves out.
 */
const wantedAtOnce = /^src\/flows\/landing\/index\.ts/;
/** Asked for by their names. */
const words = ['src/locales/en.po', 'src/flows/landing/words/en.po'];

/** The manifest's key of the program. */
const program = 'index.html';

/** The script files that the browser fetches before the landing page stands. */
export function firstLoad(manifest: Manifest, wanted = wantedAtOnce): string[] {
  const seen = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) return;
    seen.add(key);
    chunk.imports?.forEach(visit);
    chunk.dynamicImports?.filter((name) => wanted.test(name)).forEach(visit);
  };
  [program, ...words].forEach(visit);
  return [...new Set([...seen].map((key) => manifest[key]?.file ?? ''))].filter((file) => file.endsWith('.js'));
}

/** Weighs the first load of a built folder against the limit. */
export async function weigh(dist: string): Promise<Outcome> {
  const manifest = parse(manifestSchema, JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')));
  const files = firstLoad(manifest);
  const sizes = await Promise.all(
    files.map(async (file) => ({ file, bytes: gzipSync(await readFile(join(dist, file)), { level: 6 }).length })),
  );
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  const biggest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5);
  const parts = biggest.map(({ file, bytes }) => `${file} ${(bytes / 1000).toFixed(1)}`).join(', ');
  const says = `${total.toFixed(1)} KB of ${limitKb} KB in ${files.length} scripts (${parts})`;
  return files.length > 0 && total <= limitKb ? holds(says) : broken(says);
}

export async function checkBudget(root: string): Promise<Outcome> {
  await buildWhatIsStale();
  return weigh(join(root, 'dist'));
}
