import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { array, object, optional, parse, record, string, type InferOutput } from 'valibot';
import { buildIfStale } from '../start/build.mjs';
import { fail, pass, type Outcome } from './step.ts';

/** Scripts of the first load of `/`, gzipped at level 6, in KB of 1000 bytes. */
export const MAX_FIRST_LOAD_KB = 152;

/**
 * The fields of Vite's manifest that are read: the chunks by their source, each with the keys of
 * its imports.
 */
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
 * Dynamic imports that the landing page needs for its first screen: the chunk of its flow. `npm run
 * bench` fails when the browser loads a script that is missing here.
 */
const eagerImports = /^src\/flows\/landing\/index\.ts/;
/** Translations of the first load, which are fetched by name, not imported. */
const eagerTranslations = ['src/locales/en.po', 'src/flows/landing/words/en.po'];

/** The manifest's key of the entry page. */
const ENTRY_KEY = 'index.html';

/** The script files that the browser loads before the landing page is shown. */
export function getFirstLoad(manifest: Manifest, eagerPattern = eagerImports): string[] {
  const loadedKeys = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined || loadedKeys.has(key)) return;
    loadedKeys.add(key);
    chunk.imports?.forEach(visit);
    chunk.dynamicImports?.filter((name) => eagerPattern.test(name)).forEach(visit);
  };
  [ENTRY_KEY, ...eagerTranslations].forEach(visit);
  return [...new Set([...loadedKeys].map((key) => manifest[key]?.file ?? ''))].filter((file) => file.endsWith('.js'));
}

/** Weighs the first load of a built folder against the limit. */
export async function measureFirstLoad(dist: string): Promise<Outcome> {
  const manifest = parse(manifestSchema, JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')));
  const files = getFirstLoad(manifest);
  const sizes = await Promise.all(
    files.map(async (file) => ({ file, bytes: gzipSync(await readFile(join(dist, file)), { level: 6 }).length })),
  );
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  const largestFiles = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5);
  const largestText = largestFiles.map(({ file, bytes }) => `${file} ${(bytes / 1000).toFixed(1)}`).join(', ');
  const summary = `${total.toFixed(1)} KB of ${MAX_FIRST_LOAD_KB} KB in ${files.length} scripts (${largestText})`;
  return files.length > 0 && total <= MAX_FIRST_LOAD_KB ? pass(summary) : fail(summary);
}

export async function checkBudget(root: string): Promise<Outcome> {
  await buildIfStale();
  return measureFirstLoad(join(root, 'dist'));
}
