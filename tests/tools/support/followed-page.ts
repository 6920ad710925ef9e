import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../../tools/process/run.ts';
import { project } from './tree.ts';

/** A file that a page of docs shows, or the lines that it adds to one that exists (`diff`). */
export type ShownFile = { kind: string; path: string; text: string };

/** The files that a page shows, by their paths. */
export const filesShown = (page: string): ShownFile[] =>
  [...page.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(([, kind = '', path = '', text = '']) => ({ kind, path, text }));

/** A copy of the whole project in a temporary folder, with the real packages. */
export const copyOfProject = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'colophon-copy-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const { output } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: project });
  for (const path of output.split('\n').filter(Boolean)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    // A deleted file that is not committed is still listed.
    await copyFile(join(project, path), join(root, path)).catch(() => undefined);
  }
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'));
  // The types of the project need not be compiled again.
  await cp(join(project, '.cache/types'), join(root, '.cache/types'), { recursive: true }).catch(() => undefined);
  return root;
};

/** Unset for programs of the copy: the variables by which the test runner speaks to its own. */
export const outside = { NODE_ENV: '', VITEST: '', VITEST_POOL_ID: '', VITEST_WORKER_ID: '' };

/** Puts each added line of a diff below the line before it, or above the one after it. */
const applied = (text: string, diff: string): string => {
  const lines = text.split('\n');
  let at = 0;
  for (const line of diff.split('\n').filter(Boolean)) {
    const content = line.slice(1);
    if (line.startsWith('+')) lines.splice(at++, 0, content);
    else at = lines.indexOf(content) + 1;
  }
  return lines.join('\n');
};

/** Writes the files that a page shows into a copy of the project. */
export const follow = async (root: string, shown: readonly ShownFile[]): Promise<void> => {
  for (const { path, kind, text } of shown) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, kind === 'diff' ? applied(await readFile(file, 'utf8'), text) : text);
  }
};
