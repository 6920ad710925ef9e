/**
 * Checks the wording that a change adds: commit subjects, and in added lines comments, error texts,
 * log lines, test names and docs. It applies from the commit that added this file; older lines are
 * checked when a change touches them.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../process/run.ts';
import { readProse, type Prose } from './prose.ts';
import { fail, pass, passUnlessComplaints, type Outcome } from './step.ts';
import { subjectVerbs, wordPatterns } from './word-patterns.ts';

const OWN_PATH = 'tools/check/wording.ts';
const MAX_SUBJECT_CHARS = 72;
const MAX_COMMENT_CHARS = 100;
/** Git's hash of the empty tree, against which a repository's first commit is compared. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * Subjects that landed although they break a rule, each with its reason: history is not rewritten.
 */
const allowedSubjects: Readonly<Record<string, string>> = {};

/** Checks a commit subject; returns a complaint for each broken rule. */
export function findSubjectComplaints(subject: string): string[] {
  const [verb = ''] = subject.split(/\s/);
  // Git generates the subject of a revert.
  if (subject.startsWith('Revert "')) return [];
  const complaints: string[] = [];
  if (subject.length > MAX_SUBJECT_CHARS) complaints.push(`has ${subject.length} characters, at most ${MAX_SUBJECT_CHARS} fit`);
  if (!subjectVerbs.has(verb))
    complaints.push(`begins with "${verb}": expected an imperative, capitalised (add it to word-patterns.ts if it is one)`);
  if (subject.includes(';')) complaints.push('names several ideas: one commit, one idea');
  if (subject.endsWith('.')) complaints.push('ends with a full stop');
  return complaints;
}

/**
 * Whether a text states an exception, as a comment or the line above it may: `wording: why this
 * word is right here`.
 */
const hasException = (text: string): boolean => /\bwording: \S+ \S+ \S+/.test(text);

type Complaint = { line: number; message: string };

/**
 * Checks a text; returns a complaint for each match of a pattern, with the line of the file it is
 * in.
 */
export function findTextComplaints({ kind, text, first }: Prose): Complaint[] {
  if (hasException(text)) return [];
  // Replaced by a string of the same length, so that match positions stay valid.
  const maskedText = text.replaceAll(/`[^`]*`/g, (code) => '`'.repeat(code.length)).replaceAll('\n', ' ');
  return wordPatterns.flatMap(({ pattern, reason }) =>
    [...maskedText.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map((match) => {
      const position = match.index + match[0].length - match[0].trimStart().length;
      return { line: first + text.slice(0, position).split('\n').length - 1, message: `${kind} "${match[0].trim()}": ${reason}` };
    }),
  );
}

/** The added lines of each file in a diff without context (`git diff -U0`). */
export function parseAddedLines(diff: string): Map<string, Set<number>> {
  const linesByPath = new Map<string, Set<number>>();
  let path: string | undefined;
  for (const line of diff.split('\n')) {
    // Git ends a name that contains spaces with a tab.
    const file = /^\+\+\+ b\/(.*?)\t?$/.exec(line)?.[1];
    if (line.startsWith('diff --git ')) path = undefined;
    if (file !== undefined) path ??= file;
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start === undefined || path === undefined) continue;
    const lines = linesByPath.get(path) ?? new Set();
    for (let offset = 0; offset < Number(count); offset += 1) lines.add(Number(start) + offset);
    linesByPath.set(path, lines);
  }
  return linesByPath;
}

/**
 * Complaints about the lines of a comment that are too long, its marks and indentation included.
 */
const findLongLines = ({ kind, text, first }: Prose, lines: readonly string[]): Complaint[] =>
  kind === 'comment'
    ? text.split('\n').flatMap((part, index) => {
        // The formatter decides about lines with code; a URL cannot be broken.
        const line = lines[first + index - 1] ?? '';
        const isAlone = /^\s*(?:\/\*|\/\/|\*|\{\/\*)/.test(line);
        if (!isAlone || line.length <= MAX_COMMENT_CHARS || /https?:\/\/\S{40}/.test(part)) return [];
        return [{ line: first + index, message: `comment line has ${line.length} characters, at most ${MAX_COMMENT_CHARS} fit` }];
      })
    : [];

/** Complaints about the wording in the added lines of a file. */
export function findFileComplaints(path: string, text: string, addedLines: ReadonlySet<number> | 'all'): string[] {
  const lines = text.split('\n');
  return readProse(path, text)
    .filter(({ first }) => !hasException(lines[first - 2] ?? ''))
    .flatMap((prose) => [...findTextComplaints(prose), ...findLongLines(prose, lines)])
    .filter(({ line }) => addedLines === 'all' || addedLines.has(line))
    .map(({ line, message }) => `${path}:${line} ${message}`);
}

/** Generated texts, and files that quote bad wording, are not checked. */
const isChecked = (path: string): boolean =>
  !/\.gen\.|^server\/demo\/|^tools\/check\/word-patterns\.ts$|^tests\/tools\/wording\.test\.ts$/.test(path);

/** A file's text; empty if it has since been deleted. */
const readTextIfExists = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });

export async function checkWording(root: string): Promise<Outcome> {
  const git = async (...args: string[]): Promise<string> => {
    const { code, output } = await run('git', args, { cwd: root });
    if (code !== 0) throw new Error(`git ${args.join(' ')} failed with ${code}: ${output}`);
    return output;
  };
  if (!existsSync(join(root, '.git'))) return pass('skipped: this folder is not a git clone');
  if ((await git('rev-parse', '--is-shallow-repository')).trim() === 'true')
    return pass('skipped: this clone is shallow, so its added lines are unknown; git fetch --unshallow completes it');
  const firstCommit = (await git('log', '--diff-filter=A', '--format=%H', '--', OWN_PATH)).trim().split('\n').at(-1);
  if (!firstCommit) return fail(`${OWN_PATH} is not in a commit yet: commit it first`);
  const parent = (await run('git', ['rev-parse', '--verify', '--quiet', `${firstCommit}^`], { cwd: root })).output.trim();
  const logArgs = ['log', '--no-merges', '--format=%s'];
  // A merged branch that is older than this check has old subjects.
  const log = [
    ...(await git(...logArgs, '--max-count=1', firstCommit)).split('\n'),
    ...(await git(...logArgs, '--ancestry-path', `${firstCommit}..HEAD`)).split('\n'),
  ];
  const subjects = log.filter((subject) => subject !== '');
  const commitComplaints = subjects
    .filter((subject) => !(subject in allowedSubjects))
    .flatMap((subject) => findSubjectComplaints(subject).map((complaint) => `commit "${subject}" ${complaint}`));
  // Independent of the machine's git settings: names unquoted, with the prefix `b/`.
  const diffArgs = ['diff', '--no-ext-diff', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '-U0', '-M'];
  const linesByPath = parseAddedLines(await git('-c', 'core.quotePath=false', ...diffArgs, parent || EMPTY_TREE));
  const untracked = (await git('ls-files', '-z', '--others', '--exclude-standard')).split('\0').filter((path) => path !== '');
  const files: [string, ReadonlySet<number> | 'all'][] = [
    ...linesByPath,
    ...untracked.map((path) => [path, 'all'] as [string, 'all']),
  ];
  const complaintsByFile = await Promise.all(
    files
      .filter(([path]) => isChecked(path))
      .map(async ([path, lines]) => findFileComplaints(path, await readTextIfExists(join(root, path)), lines)),
  );
  const summary = `${subjects.length} commit subjects and ${files.length} changed files are in plain words`;
  return passUnlessComplaints([...commitComplaints, ...complaintsByFile.flat()], summary);
}

if (import.meta.main) {
  const { summary, failed } = await checkWording(process.cwd());
  console.log(summary);
  process.exitCode = failed === 0 ? 0 : 1;
}
