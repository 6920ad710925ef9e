import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../../tools/process/run.ts';
import { project } from './tree.ts';

/** A code block of a page that names a file: a whole new file, or the lines that it changes. */
type Shown = { kind: string; path: string; text: string };

/** A page of `docs` whose code blocks a test executes. */
export type ExecutedPage = { page: string; shown: Shown[]; created: Shown[]; changed: Shown[] };

export async function readPage(name: string): Promise<ExecutedPage> {
  const page = await readFile(join(project, 'docs', name), 'utf8');
  const shown = [...page.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(([, kind = '', path = '', text = '']) => ({
    kind,
    path,
    text,
  }));
  const isDiff = ({ kind }: Shown) => kind === 'diff';
  return { page, shown, created: shown.filter((each) => !isDiff(each)), changed: shown.filter(isDiff) };
}

/**
 * A copy of the whole project in a temporary folder, with the real packages; it is removed when the
 * test ends.
 */
export async function copyOfProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'colophon-copy-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const { output } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: project });
  for (const path of output.split('\n').filter(Boolean)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    // A file that is being deleted is still listed.
    await copyFile(join(project, path), join(root, path)).catch(() => undefined);
  }
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'));
  // Types that were compiled need not be compiled again.
  await cp(join(project, '.cache/types'), join(root, '.cache/types'), { recursive: true }).catch(() => undefined);
  return root;
}

/** Unsets the variables by which the test runner marks its own programs. */
export const outside = { NODE_ENV: '', VITEST: '', VITEST_POOL_ID: '', VITEST_WORKER_ID: '' };

/**
 * Applies the lines of a diff: `+` adds one, `-` takes one away, others say where.
 * @throws Error for a line that the file does not have
 */
function applied({ path, text: diff }: Shown, text: string): string {
  const lines = text.split('\n');
  let at = 0;
  for (const line of diff.split('\n').filter(Boolean)) {
    const content = line.slice(1);
    if (line.startsWith('+')) {
      lines.splice(at, 0, content);
      at += 1;
      continue;
    }
    const found = lines.indexOf(content);
    if (found === -1) throw new Error(`${path} has no line "${content}", which the page shows.`);
    if (line.startsWith('-')) lines.splice(found, 1);
    at = line.startsWith('-') ? found : found + 1;
  }
  return lines.join('\n');
}

/** Writes the files that a page shows into a copy of the project. */
export async function follow(root: string, { shown }: ExecutedPage): Promise<void> {
  for (const each of shown) {
    const path = join(root, each.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, each.kind === 'diff' ? applied(each, await readFile(path, 'utf8')) : each.text);
  }
}
