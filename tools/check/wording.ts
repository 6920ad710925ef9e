/**
 * The words that a change adds: commit subjects, and in added lines comments, error texts, log
 * lines, test names and docs. Checked since the commit that brought this file; lines from before
 * keep their words until a change touches them.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../process/run.ts';
import { proseIn, type Prose } from './prose.ts';
import { broken, holds, noComplaints, type Outcome } from './step.ts';
import { subjectVerbs, wordPatterns } from './word-patterns.ts';

const OWN_PATH = 'tools/check/wording.ts';
const MAX_SUBJECT_CHARS = 72;

/** Subjects that landed before they were complained of, by the commit's subject: history is not rewritten. */
const landedSubjects: Readonly<Record<string, string>> = {};

/** Checks a commit subject; returns a complaint for each broken rule. */
export function subjectComplaints(subject: string): string[] {
  const [verb = ''] = subject.split(/\s/);
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

/** Checks a text; returns a complaint for each pattern that it matches. */
export function textComplaints({ kind, text }: Pick<Prose, 'kind' | 'text'>): string[] {
  if (hasException(text)) return [];
  const plain = text
    .replaceAll(/`[^`]*`/g, '…')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return wordPatterns.flatMap(({ pattern, reason }) => {
    const match = pattern.exec(plain);
    return match ? [`${kind} "${match[0].trim()}": ${reason}`] : [];
  });
}

/** Numbers of the added lines by file, out of a diff without context (`git diff -U0`). */
export function addedLines(diff: string): Map<string, Set<number>> {
  const added = new Map<string, Set<number>>();
  let path = '';
  for (const line of diff.split('\n')) {
    const file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1];
    if (file !== undefined) path = file;
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start === undefined) continue;
    const lines = added.get(path) ?? new Set();
    for (let at = 0; at < Number(count); at += 1) lines.add(Number(start) + at);
    added.set(path, lines);
  }
  return added;
}

/** Complaints about those texts of a file that lie in added lines. */
export function fileComplaints(path: string, text: string, added: ReadonlySet<number> | 'all'): string[] {
  const lines = text.split('\n');
  const isAdded = ({ first, last }: Prose): boolean =>
    added === 'all' || Array.from({ length: last - first + 1 }, (_, at) => first + at).some((line) => added.has(line));
  return proseIn(path, text)
    .filter((prose) => isAdded(prose) && !hasException(lines[prose.first - 2] ?? ''))
    .flatMap((prose) => textComplaints(prose).map((complaint) => `${path}:${prose.first} ${complaint}`));
}

/** Texts that are made by programs, or show wording that is complained of. */
const isChecked = (path: string): boolean =>
  !/\.gen\.|^server\/demo\/|^tools\/check\/word-patterns\.ts$|^tests\/tools\/wording\.test\.ts$/.test(path);

export async function checkWording(root: string): Promise<Outcome> {
  const git = async (...args: string[]): Promise<string> => {
    const { code, output } = await run('git', args, { cwd: root });
    if (code !== 0) throw new Error(`git ${args.join(' ')} failed: ${output}`);
    return output;
  };
  if ((await run('git', ['rev-parse', 'HEAD'], { cwd: root })).code !== 0) return holds('skipped: no git history here');
  if ((await git('rev-parse', '--is-shallow-repository')).trim() === 'true')
    return holds('skipped: this clone is shallow, the lines that were added are not known');
  const born = (await git('log', '--diff-filter=A', '--format=%H', '--', OWN_PATH)).trim().split('\n').at(-1);
  if (!born) return broken(`${OWN_PATH} is in no commit yet: commit it first`);
  const subjects = (await git('log', '--no-merges', '--format=%s', `${born}^..HEAD`)).trim().split('\n');
  const ofSubjects = subjects
    .filter((subject) => !(subject in landedSubjects))
    .flatMap((subject) => subjectComplaints(subject).map((complaint) => `commit "${subject}" ${complaint}`));
  const added = addedLines(await git('-c', 'core.quotePath=false', 'diff', '-U0', '-M', '--no-color', `${born}^`));
  const untracked = (await git('ls-files', '-z', '--others', '--exclude-standard')).split('\0').filter((path) => path !== '');
  const files: [string, ReadonlySet<number> | 'all'][] = [...added, ...untracked.map((path) => [path, 'all'] as [string, 'all'])];
  const ofFiles = await Promise.all(
    files
      .filter(([path]) => isChecked(path))
      .map(async ([path, lines]) => fileComplaints(path, await readFile(join(root, path), 'utf8').catch(() => ''), lines)),
  );
  const says = `${subjects.length} commit subjects and ${files.length} changed files are in plain words`;
  return noComplaints([...ofSubjects, ...ofFiles.flat()], says);
}

if (import.meta.main) {
  const { says, failed } = await checkWording(process.cwd());
  console.log(says);
  process.exitCode = failed === 0 ? 0 : 1;
}
