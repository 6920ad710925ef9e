import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, record, string } from 'valibot';
import { run } from '../process/run.ts';

/** Files that have changed since the gate was last green, from the project's folder; null where everything has to be checked. */
export type Changed = readonly string[] | null;

/** The project's files, each with a hash of its content, as git makes it. */
export type Hashes = Readonly<Record<string, string>>;

const hashesSchema = record(string(), string());

/** What decides how everything is checked. */
const concernsAll = /^(package-lock\.json|package\.json|[^/]+\.config\.ts|([^/]+\/)?tsconfig[^/]*\.json|tools\/check\/.*)$/;

const greenFile = (root: string): string => join(root, '.cache/green.json');

/** Hashes of all files that belong to the project or would with the next commit. */
export async function hashesOf(root: string): Promise<Hashes> {
  const { output } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const paths = [...new Set(output.split('\0'))].filter((path) => path !== '').toSorted();
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path)).catch(() => null)));
  return Object.fromEntries(
    paths.flatMap((path, at) => {
      const text = texts[at];
      return text ? [[path, createHash('sha1').update(`blob ${text.length}\0`).update(text).digest('hex')]] : [];
    }),
  );
}

/** What differs between two states of the project. Any file may have imported one that is gone. */
export function changedBetween(green: Hashes, now: Hashes): Changed {
  const isGone = Object.keys(green).some((path) => !(path in now));
  const changed = Object.keys(now).filter((path) => green[path] !== now[path]);
  return isGone || changed.some((path) => concernsAll.test(path)) ? null : changed;
}

/** What the gate found green here last; null where it has not been, or its record is damaged. */
export async function readGreen(root: string): Promise<Hashes | null> {
  return readFile(greenFile(root), 'utf8')
    .then((text) => parse(hashesSchema, JSON.parse(text)))
    .catch(() => null);
}

/** The files of the commit before the present one: nothing lands red. Empty where there is none. */
export async function readLanded(root: string): Promise<Hashes> {
  const { code, output } = await run('git', ['ls-tree', '-r', '-z', 'HEAD^'], { cwd: root });
  if (code !== 0) return {};
  return Object.fromEntries(
    [...output.matchAll(/\d+ blob ([\da-f]+)\t([^\0]+)\0/g)].map(([, hash = '', path = '']) => [path, hash]),
  );
}

export async function writeGreen(root: string, hashes: Hashes): Promise<void> {
  await mkdir(dirname(greenFile(root)), { recursive: true });
  await writeFile(greenFile(root), JSON.stringify(hashes));
}
