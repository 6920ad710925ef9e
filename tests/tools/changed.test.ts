import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diffHashes, hashFiles, readLastPassed, readParentCommit, writeLastPassed } from '../../tools/check/changed-files.ts';
import { excludeUnchangedFlows, findFileScanningTests } from '../../tools/check/units.ts';
import { run } from '../../tools/process/run.ts';
import { plantTree } from './support/tree.ts';

const passedFiles = { 'src/a.ts': '1', 'src/b.ts': '1', 'package.json': '1' };

test.each([
  ['nothing', {}, []],
  ['a file', { 'src/a.ts': '2' }, ['src/a.ts']],
  ['a new file', { 'src/c.ts': '1' }, ['src/c.ts']],
  ['the dependencies', { 'package.json': '2' }, null],
  ['a check', { 'tools/check/lint.ts': '1' }, null],
  ['the compiler settings', { 'src/tsconfig.json': '1' }, null],
])('the changed files, or null for all, after a change of %s', (_, change, expected) => {
  expect(diffHashes(passedFiles, { ...passedFiles, ...change })).toEqual(expected);
});

test('after a deletion everything is checked', () => {
  expect(diffHashes({ ...passedFiles, 'src/c.ts': '1' }, passedFiles)).toBeNull();
});

test('without a green run everything is checked', () => {
  expect(diffHashes({}, passedFiles)).toBeNull();
});

test('a green run is remembered by content, without files that git ignores', async () => {
  const root = await plantTree({ '.gitignore': 'node_modules\n.cache\n', 'src/a.ts': 'one' });
  await run('git', ['init', '--quiet'], { cwd: root });
  expect(await readLastPassed(root)).toBeNull();
  const hashesBefore = await hashFiles(root);
  await writeLastPassed(root, hashesBefore);
  expect(await readLastPassed(root)).toEqual(hashesBefore);
  await writeFile(join(root, 'src/a.ts'), 'two');
  expect(diffHashes(hashesBefore, await hashFiles(root))).toEqual(['src/a.ts']);
});

test('in a new clone the parent commit counts as green', async () => {
  const root = await plantTree({ '.gitignore': 'node_modules\n', 'src/a.ts': 'one', 'src/b.ts': 'ünï', 'with space.txt': '' });
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], { cwd: root });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'one');
  expect(await readParentCommit(root)).toEqual({});
  await writeFile(join(root, 'src/a.ts'), 'two');
  await git('commit', '--quiet', '-a', '-m', 'two');
  expect(diffHashes(await readParentCommit(root), await hashFiles(root))).toEqual(['src/a.ts']);
});

test.each([
  ['a view of a flow', ['src/flows/title/TitleView.tsx'], ['tests/flows/!(title)/**/*']],
  ['two flows', ['src/flows/title/calls.ts', 'machines/path-models/flows/page/paths.ts'], ['tests/flows/!(title|page)/**/*']],
  ['code shared by several flows', ['src/flows/title/TitleView.tsx', 'src/views/Markup.tsx'], []],
  ['the registry', ['machines/flows/registry.ts'], []],
  ['the registration of a flow', ['machines/flows/title.ts'], []],
])('a change of %s excludes only the tests of unchanged flows', (_, changed, excludedTests) => {
  expect(excludeUnchangedFlows(changed)).toEqual(excludedTests);
});

const approvedTest = 'tests/paths/approved.test.ts';

test('machines are explored again after a change of behaviour, not of a screen’s rendering', async () => {
  const findTestsAfter = (path: string) => findFileScanningTests(process.cwd(), [path]);
  expect(await findTestsAfter('machines/buying/payment.ts')).toContain(approvedTest);
  expect(await findTestsAfter('tests/approved/payment.txt')).toContain(approvedTest);
  expect(await findTestsAfter('src/flows/library/index.ts')).toContain(approvedTest);
  const testsAfterRendering = await findTestsAfter('src/flows/library/OwnedCard.tsx');
  expect(testsAfterRendering).not.toContain(approvedTest);
  expect(testsAfterRendering).toContain('tests/trace/replayed.test.tsx');
});
