import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readProse } from '../../tools/check/prose.ts';
import {
  parseAddedLines,
  checkWording,
  findFileComplaints,
  findSubjectComplaints,
  findTextComplaints,
} from '../../tools/check/wording.ts';
import { run } from '../../tools/process/run.ts';
import { plantTree } from './support/tree.ts';

test.each([
  ['Close pooled clients on connection loss', []],
  ['keeping early presses ends by one signal', ['begins with "keeping"']],
  ['Tours that lead off a page wait', ['begins with "Tours"']],
  ['Fix the sweep; rename letters', ['names several ideas']],
  [`Bind ${'x'.repeat(68)}`, ['has 73 characters']],
  ['Bind media URLs to sessions.', ['ends with a full stop']],
  [`Revert "Bind ${'x'.repeat(60)}"`, []],
])('the commit subject "%s" is reported with its faults', (subject, expected) => {
  const complaints = findSubjectComplaints(subject);
  expect(complaints).toHaveLength(expected.length);
  for (const [index, start] of expected.entries()) expect(complaints[index]).toContain(start);
});

test.each([
  ['What was renewed before was so at the price of before.', 'What'],
  ['Renews it. Whoever buys pays.', '. Whoever'],
  ['The host is none of ours.', 'is none'],
  ['STRIPE_SECRET_KEY is no such key.', 'is no such'],
  ['The caller is told the price.', 'is told'],
  ['The default stands in the settings.', 'stands'],
  ['Sends the queued letter.', 'letter'],
  ['Pages are painted on a thread.', 'painted'],
  ['Nought while days cost nothing', 'Nought'],
])('"%s" breaks the rule about "%s"', (text, word) => {
  expect(findTextComplaints({ kind: 'comment', text, first: 1 })[0]?.message).toMatch(`comment "${word}": `);
});

test.each([
  'Who may see this page?',
  'The time until the first paint, in ms.',
  'Letters and digits only.',
  'A token stands for one session.',
  'Calls `queueLetter` and `painter.whoever`.',
  'The field`s name. wording: "somebody" is quoted from RFC 822',
])('"%s" breaks no rule', (text) => {
  expect(findTextComplaints({ kind: 'comment', text, first: 1 })).toEqual([]);
});

const sourceText = `/** Checks a host. */
export function check(host: string): void {
  // Whoever asks
  // gets an answer.
  if (host === 'nobody') throw new Refusal(400, \`The host \${host} is none of ours.\`);
  log.error({ err: 'nobody knows' }, 'somebody asked');
  return <p title="who ever">{/* nobody sees this */}// no comment</p>;
}
class Late extends Error {
  constructor() {
    super('nobody came');
  }
}
const failed = () => {
  throw refusal('is none of ours');
};
reply.code(404).send({ error: 'nobody is here' }).send('nobody answers');
process.stderr.write('nobody reads');
test('whoever pays is told', () => expect('nobody cares').toBe(1));
test.each(['nobody one'])('anybody of %s', () => {});
test.skip('nobody tests', () => {});
`;

test('comments, error texts, log lines and test names are found with their lines, other strings are not', () => {
  expect(readProse('a.tsx', sourceText)).toEqual([
    { kind: 'comment', text: 'Checks a host.', first: 1 },
    { kind: 'comment', text: 'Whoever asks\ngets an answer.', first: 3 },
    { kind: 'comment', text: 'nobody sees this', first: 7 },
    { kind: 'error', text: 'The host `…` is none of ours.', first: 5 },
    { kind: 'log', text: 'nobody knows', first: 6 },
    { kind: 'log', text: 'somebody asked', first: 6 },
    { kind: 'error', text: 'nobody came', first: 11 },
    { kind: 'error', text: 'is none of ours', first: 15 },
    { kind: 'error', text: 'nobody is here', first: 17 },
    { kind: 'error', text: 'nobody answers', first: 17 },
    { kind: 'log', text: 'nobody reads', first: 18 },
    { kind: 'test name', text: 'whoever pays is told', first: 19 },
    { kind: 'test name', text: 'anybody of %s', first: 20 },
    { kind: 'test name', text: 'nobody tests', first: 21 },
  ]);
});

test('only texts in added lines are reported, unless a comment above allows them', () => {
  const text = '// nobody\nconst a = 1;\n// wording: the name of a Unix user\n// it is nobody\nconst b = 2;\n// nobody else\n';
  const positions = findFileComplaints('a.ts', text, new Set([2, 4, 6])).map((complaint) => complaint.split(' ')[0]);
  expect(new Set(positions)).toEqual(new Set(['a.ts:6']));
});

test('an old line of a comment keeps its words when another line of it is changed', () => {
  const text = '/**\n * Reads a host.\n * It is none of ours.\n */\nconst a = 1;\n';
  expect(findFileComplaints('a.ts', text, new Set([2]))).toEqual([]);
  expect(findFileComplaints('a.ts', text, new Set([3]))).toEqual([expect.stringContaining('a.ts:3 comment "is none"')]);
});

test('a comment line of more than 100 characters is reported, with its indentation and marks', () => {
  const [longestLine, tooLongLine] = ['x'.repeat(95), 'x'.repeat(96)];
  const text = `  // ${longestLine}\n\n  // ${tooLongLine}\n\n/**\n * ${tooLongLine}x\n * ${tooLongLine}xx\n */\n  /** ${tooLongLine} */\n`;
  expect(findFileComplaints('a.ts', text, 'all')).toEqual(
    [
      [3, 101],
      [7, 101],
      [9, 105],
    ].map(([line, chars]) => `a.ts:${line} comment line has ${chars} characters, at most 100 fit`),
  );
  expect(findFileComplaints('a.ts', text, new Set([1]))).toEqual([]);
});

test('a long URL, and a comment after code, may exceed 100 characters', () => {
  const text = `// https://example.org/${'x'.repeat(90)}\nconst a = '${'x'.repeat(90)}'; // why it is so\n`;
  expect(findFileComplaints('a.ts', text, 'all')).toEqual([]);
});

test('docs are read by paragraph, list item and table cell, without their code', () => {
  const page = '# Title\n\n    nobody\n```\nnobody\n```\nCustomers\nwho pay.\n- one\n  more\n- two\n\n| a | `b|c` |\n';
  expect(readProse('a.md', page)).toEqual([
    { kind: 'docs', text: 'Title', first: 1 },
    { kind: 'docs', text: 'Customers\nwho pay.', first: 7 },
    { kind: 'docs', text: 'one\nmore', first: 9 },
    { kind: 'docs', text: 'two', first: 11 },
    { kind: 'docs', text: 'a', first: 13 },
    { kind: 'docs', text: '`b/c`', first: 13 },
  ]);
});

test('the URL of a link in docs is not checked', () => {
  expect(findFileComplaints('a.md', '[screens](docs/nobody-painted.md) and [more](#floors)\n', 'all')).toEqual([]);
  expect(findFileComplaints('a.md', '[nobody](docs/screens.md)\n', 'all')).not.toEqual([]);
});

test('added lines are read out of a diff', () => {
  const formatFileHeader = (name: string) => `diff --git a/x b/x\n+++ b/${name}\n`;
  const diff = `${formatFileHeader('a.ts')}@@ -1 +1,2 @@\n+x\n+++ b/y\n@@ -9,2 +11,0 @@\n-z\n${formatFileHeader('b c.ts\t')}@@ -0,0 +7 @@\n+z\n`;
  expect([...parseAddedLines(diff)]).toEqual([
    ['a.ts', new Set([1, 2])],
    ['b c.ts', new Set([7])],
  ]);
});

const gitRunner =
  (root: string) =>
  (...args: string[]) =>
    run('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], { cwd: root });

/** A repository of two commits: an old commit, and the commit that adds the wording check. */
async function plantRepository() {
  const root = await plantTree({ '.gitignore': 'node_modules\n', 'src/old.ts': '// nobody\nexport const a = 1;\n' });
  const git = gitRunner(root);
  const commit = async (subject: string, files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    await git('add', '--all');
    await git('commit', '--quiet', '-m', subject);
  };
  await git('init', '--quiet');
  await commit('words of before', {});
  await commit('Add the wording check', { 'tools/check/wording.ts': '// Checks words.\n' });
  return { root, git, commit };
}

test.each(['diff.noprefix', 'diff.mnemonicPrefix'])('the git setting %s hides no added line', async (setting) => {
  const { root, git, commit } = await plantRepository();
  await git('config', setting, 'true');
  await commit('Add a file', { 'src/a file.ts': '// Somebody asks.\n' });
  expect((await checkWording(root)).summary).toContain('src/a file.ts:1 comment "Somebody"');
});

test('the commit subjects of a branch that is older than the wording check are not checked', async () => {
  const { root, git, commit } = await plantRepository();
  await git('checkout', '--quiet', '-b', 'older', 'HEAD^');
  await commit('older words', { 'src/older.ts': '// Reads.\n' });
  await git('checkout', '--quiet', '-');
  await git('merge', '--quiet', '--no-edit', 'older');
  expect(await checkWording(root)).toMatchObject({ failed: 0 });
});

test('a repository whose first commit has the wording check is checked as a whole', async () => {
  const root = await plantTree({ '.gitignore': 'node_modules\n', 'tools/check/wording.ts': '// Somebody asks.\n' });
  const git = gitRunner(root);
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'Beginning');
  const { summary } = await checkWording(root);
  expect(summary).toContain('commit "Beginning" begins with "Beginning"');
  expect(summary).toContain('tools/check/wording.ts:1 comment "Somebody"');
});

test('commits and lines since the wording check are checked, older ones are not', async () => {
  const { root, commit } = await plantRepository();
  expect(await checkWording(root)).toEqual({
    passed: 1,
    failed: 0,
    summary: '1 commit subjects and 1 changed files are in plain words',
  });
  await commit('Change a', { 'src/old.ts': '// nobody\nexport const a = 2;\n' });
  expect((await checkWording(root)).failed).toBe(0);
  await commit('more words', { 'src/new.ts': '// Somebody asks.\n' });
  await writeFile(join(root, 'src/untracked.ts'), "throw new Error('Anybody may fail.');\n");
  const { failed, summary } = await checkWording(root);
  expect(failed).toBe(1);
  expect(summary.split('\n').map((line) => line.split(': ')[0])).toEqual([
    'commit "more words" begins with "more"',
    'src/new.ts:1 comment "Somebody"',
    'src/new.ts:1 comment "Somebody"',
    'src/untracked.ts:1 error "Anybody"',
    'src/untracked.ts:1 error "Anybody"',
  ]);
});
