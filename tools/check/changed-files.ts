import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, record, string } from 'valibot';
import { run } from '../process/run.ts';

/**
 * Files that have changed since the last green check, relative to the project's folder; null if
 * everything must be checked.
 */
export type ChangedFiles = readonly string[] | null;

/** Hashes of the project's files by path, as git computes them. */
export type Hashes = Readonly<Record<string, string>>;

const hashesSchema = record(string(), string());

/** Files whose change affects every check. */
const globalFilePattern = /^(package-lock\.json|package\.json|[^/]+\.config\.ts|([^/]+\/)?tsconfig[^/]*\.json|tools\/check\/.*)$/;

const getPassedFile = (root: string): string => join(root, '.cache/green.json');

/** Hashes of all files that are tracked or would be part of the next commit. */
export async function hashFiles(root: string): Promise<Hashes> {
  const { output } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const paths = [...new Set(output.split('\0'))].filter((path) => path !== '').toSorted();
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path)).catch(() => null)));
  return Object.fromEntries(
    paths.flatMap((path, index) => {
      const text = texts[index];
      return text ? [[path, createHash('sha1').update(`blob ${text.length}\0`).update(text).digest('hex')]] : [];
    }),
  );
}

/**
 * The files that differ between two states of the project; null if a file was deleted, since any
 * other file may have imported it, or if a file has changed that affects every check.
 */
export function diffHashes(lastPassed: Hashes, current: Hashes): ChangedFiles {
  const hasDeletedFile = Object.keys(lastPassed).some((path) => !(path in current));
  const changedPaths = Object.keys(current).filter((path) => lastPassed[path] !== current[path]);
  return hasDeletedFile || changedPaths.some((path) => globalFilePattern.test(path)) ? null : changedPaths;
}

/**
 * The hashes of the last green check in this clone; null without an earlier one, or if its record
 * is damaged.
 */
export async function readLastPassed(root: string): Promise<Hashes | null> {
  return readFile(getPassedFile(root), 'utf8')
    .then((text) => parse(hashesSchema, JSON.parse(text)))
    .catch(() => null);
}

/**
 * The files of the previous commit, which is green: only green commits land. Empty for a first
 * commit.
 */
export async function readParentCommit(root: string): Promise<Hashes> {
  const { code, output } = await run('git', ['ls-tree', '-r', '-z', 'HEAD^'], { cwd: root });
  if (code !== 0) return {};
  return Object.fromEntries(
    [...output.matchAll(/\d+ blob ([\da-f]+)\t([^\0]+)\0/g)].map(([, hash = '', path = '']) => [path, hash]),
  );
}

export async function writeLastPassed(root: string, hashes: Hashes): Promise<void> {
  await mkdir(dirname(getPassedFile(root)), { recursive: true });
  await writeFile(getPassedFile(root), JSON.stringify(hashes));
}
