/**
 * The words that a change adds: commit subjects, and in added lines comments, error texts, log
 * lines, test names and docs. Checked since the commit that brought this file; older lines keep
 * their words until a change touches them.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../process/run.ts';
import { proseIn, type Prose } from './prose.ts';
import { broken, holds, noComplaints, type Outcome } from './step.ts';
import { subjectVerbs, wordPatterns } from './word-patterns.ts';

const OWN_PATH = 'tools/check/wording.ts';
const MAX_SUBJECT_CHARS = 72;
const MAX_COMMENT_CHARS = 100;
/** Git's name for a tree without files, which the first commit of a repository is compared with. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * Subjects that have landed although they break a rule, each with its reason: history is not
 * rewritten.
 */
const landedSubjects: Readonly<Record<string, string>> = {};

/** Checks a commit subject; returns a complaint for each broken rule. */
export function subjectComplaints(subject: string): string[] {
  const [verb = ''] = subject.split(/\s/);
  // Git makes the subject of a revert.
  if (subject.startsWith('Revert "')) return [];
  const found: string[] = [];
  if (subject.length > MAX_SUBJECT_CHARS) found.push(`has ${subject.length} characters, at most ${MAX_SUBJECT_CHARS} fit`);
  if (!subjectVerbs.has(verb))
    found.push(`begins with "${verb}": expected an imperative, capitalised (add it to word-patterns.ts if it is one)`);
  if (subject.includes(';')) found.push('names several ideas: one commit, one idea');
  if (subject.endsWith('.')) found.push('ends with a full stop');
  return found;
}

/** A marker in the text itself, or in the line above: `wording: why this word is right here`. */
const hasException = (text: string): boolean => /\bwording: \S+ \S+ \S+/.test(text);

type Complaint = { line: number; says: string };

/**
 * Checks a text; returns a complaint for each match of a pattern, with the line of the file it is
 * in.
 */
export function textComplaints({ kind, text, first }: Prose): Complaint[] {
  if (hasException(text)) return [];
  // Of the same length, so that a match's place is its place in the text.
  const plain = text.replaceAll(/`[^`]*`/g, (code) => '`'.repeat(code.length)).replaceAll('\n', ' ');
  return wordPatterns.flatMap(({ pattern, reason }) =>
    [...plain.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map((match) => {
      const place = match.index + match[0].length - match[0].trimStart().length;
      return { line: first + text.slice(0, place).split('\n').length - 1, says: `${kind} "${match[0].trim()}": ${reason}` };
    }),
  );
}

/** Numbers of the added lines by file, out of a diff without context (`git diff -U0`). */
export function addedLines(diff: string): Map<string, Set<number>> {
  const added = new Map<string, Set<number>>();
  let path: string | undefined;
  for (const line of diff.split('\n')) {
    // Git ends a name that has spaces by a tab.
    const file = /^\+\+\+ b\/(.*?)\t?$/.exec(line)?.[1];
    if (line.startsWith('diff --git ')) path = undefined;
    if (file !== undefined) path ??= file;
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start === undefined || path === undefined) continue;
    const lines = added.get(path) ?? new Set();
    for (let at = 0; at < Number(count); at += 1) lines.add(Number(start) + at);
    added.set(path, lines);
  }
  return added;
}

/**
 * Complaints about the lines of a comment that are too long, its marks and indentation included.
 */
const lengthComplaints = ({ kind, text, first }: Prose, lines: readonly string[]): Complaint[] =>
  kind === 'comment'
    ? text.split('\n').flatMap((part, at) => {
        // Behind code the formatter decides where a line ends; an address cannot be broken.
        const line = lines[first + at - 1] ?? '';
        const isAlone = /^\s*(?:\/\*|\/\/|\*|\{\/\*)/.test(line);
        if (!isAlone || line.length <= MAX_COMMENT_CHARS || /https?:\/\/\S{40}/.test(part)) return [];
        return [{ line: first + at, says: `comment line has ${line.length} characters, at most ${MAX_COMMENT_CHARS} fit` }];
      })
    : [];

/** Complaints about the wording in those lines of a file that were added. */
export function fileComplaints(path: string, text: string, added: ReadonlySet<number> | 'all'): string[] {
  const lines = text.split('\n');
  return proseIn(path, text)
    .filter(({ first }) => !hasException(lines[first - 2] ?? ''))
    .flatMap((prose) => [...textComplaints(prose), ...lengthComplaints(prose, lines)])
    .filter(({ line }) => added === 'all' || added.has(line))
    .map(({ line, says }) => `${path}:${line} ${says}`);
}

/** Texts that are made by programs, or show wording that is complained of. */
const isChecked = (path: string): boolean =>
  !/\.gen\.|^server\/demo\/|^tools\/check\/word-patterns\.ts$|^tests\/tools\/wording\.test\.ts$/.test(path);

/** A file's text; empty for one that has been deleted since. */
const textAt = (path: string): Promise<string> =>
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
  if (!existsSync(join(root, '.git'))) return holds('skipped: this folder is not a git clone');
  if ((await git('rev-parse', '--is-shallow-repository')).trim() === 'true')
    return holds('skipped: this clone is shallow, so its added lines are unknown; git fetch --unshallow completes it');
  const born = (await git('log', '--diff-filter=A', '--format=%H', '--', OWN_PATH)).trim().split('\n').at(-1);
  if (!born) return broken(`${OWN_PATH} is not in a commit yet: commit it first`);
  const parent = (await run('git', ['rev-parse', '--verify', '--quiet', `${born}^`], { cwd: root })).output.trim();
  const since = ['log', '--no-merges', '--format=%s'];
  // A branch from before this check brings its own, older subjects when it is merged.
  const log = [
    ...(await git(...since, '--max-count=1', born)).split('\n'),
    ...(await git(...since, '--ancestry-path', `${born}..HEAD`)).split('\n'),
  ];
  const subjects = log.filter((subject) => subject !== '');
  const ofSubjects = subjects
    .filter((subject) => !(subject in landedSubjects))
    .flatMap((subject) => subjectComplaints(subject).map((complaint) => `commit "${subject}" ${complaint}`));
  // Independent of the machine's git settings: names unquoted, `b/` before them.
  const diff = ['diff', '--no-ext-diff', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '-U0', '-M'];
  const added = addedLines(await git('-c', 'core.quotePath=false', ...diff, parent || EMPTY_TREE));
  const untracked = (await git('ls-files', '-z', '--others', '--exclude-standard')).split('\0').filter((path) => path !== '');
  const files: [string, ReadonlySet<number> | 'all'][] = [...added, ...untracked.map((path) => [path, 'all'] as [string, 'all'])];
  const ofFiles = await Promise.all(
    files
      .filter(([path]) => isChecked(path))
      .map(async ([path, lines]) => fileComplaints(path, await textAt(join(root, path)), lines)),
  );
  const says = `${subjects.length} commit subjects and ${files.length} changed files are in plain words`;
  return noComplaints([...ofSubjects, ...ofFiles.flat()], says);
}

if (import.meta.main) {
  const { says, failed } = await checkWording(process.cwd());
  console.log(says);
  process.exitCode = failed === 0 ? 0 : 1;
}
