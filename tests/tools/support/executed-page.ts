import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../../tools/process/run.ts';
import { projectRoot } from './tree.ts';

/** A code block of a page that names a file: a whole new file, or a diff of an existing file. */
type CodeBlock = { kind: string; path: string; text: string };

/** A page of `docs` whose code blocks a test executes. */
export type ExecutedPage = { page: string; codeBlocks: CodeBlock[]; newFiles: CodeBlock[]; diffs: CodeBlock[] };

export async function readExecutedPage(name: string): Promise<ExecutedPage> {
  const page = await readFile(join(projectRoot, 'docs', name), 'utf8');
  const codeBlocks = [...page.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(([, kind = '', path = '', text = '']) => ({
    kind,
    path,
    text,
  }));
  const isDiff = ({ kind }: CodeBlock) => kind === 'diff';
  return { page, codeBlocks, newFiles: codeBlocks.filter((each) => !isDiff(each)), diffs: codeBlocks.filter(isDiff) };
}

/**
 * A copy of the whole project in a temporary folder, with the real packages; it is removed when the
 * test ends.
 */
export async function copyProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'colophon-copy-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const { output } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: projectRoot });
  for (const path of output.split('\n').filter(Boolean)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    // A file that is being deleted is still listed.
    await copyFile(join(projectRoot, path), join(root, path)).catch(() => undefined);
  }
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  // Reuses compiled types.
  await cp(join(projectRoot, '.cache/types'), join(root, '.cache/types'), { recursive: true }).catch(() => undefined);
  return root;
}

/** Empty values for the variables by which the test runner marks its child processes. */
export const neutralEnv = { NODE_ENV: '', VITEST: '', VITEST_POOL_ID: '', VITEST_WORKER_ID: '' };

/**
 * Applies a diff: `+` adds a line, `-` removes it, and any other line sets the position.
 * @throws Error for a line that the file lacks
 */
function applyDiff({ path, text: diff }: CodeBlock, text: string): string {
  const lines = text.split('\n');
  let position = 0;
  for (const line of diff.split('\n').filter(Boolean)) {
    const content = line.slice(1);
    if (line.startsWith('+')) {
      lines.splice(position, 0, content);
      position += 1;
      continue;
    }
    const foundIndex = lines.indexOf(content);
    if (foundIndex === -1) throw new Error(`${path} has no line "${content}", which the page shows.`);
    if (line.startsWith('-')) lines.splice(foundIndex, 1);
    position = line.startsWith('-') ? foundIndex : foundIndex + 1;
  }
  return lines.join('\n');
}

/** Writes the new files of a page into a copy of the project, and applies the diffs of the page. */
export async function applyPage(root: string, { codeBlocks }: ExecutedPage): Promise<void> {
  for (const each of codeBlocks) {
    const path = join(root, each.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, each.kind === 'diff' ? applyDiff(each, await readFile(path, 'utf8')) : each.text);
  }
}
