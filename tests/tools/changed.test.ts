import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diffHashes, hashFiles, readLastPassed, readParentCommit, writeLastPassed } from '../../tools/check/changed.ts';
import { excludeUnchangedFlows, findFileScanningTests } from '../../tools/check/units.ts';
import { run } from '../../tools/process/run.ts';
import { plantTree } from './support/tree.ts';

const greenFiles = { 'src/a.ts': '1', 'src/b.ts': '1', 'package.json': '1' };

test.each([
  ['nothing', {}, []],
  ['a file', { 'src/a.ts': '2' }, ['src/a.ts']],
  ['a new file', { 'src/c.ts': '1' }, ['src/c.ts']],
  ['the dependencies', { 'package.json': '2' }, null],
  ['a check', { 'tools/check/lint.ts': '1' }, null],
  ['the compiler settings', { 'src/tsconfig.json': '1' }, null],
])('the checks needed after a change of %s', (_, change, expected) => {
  expect(diffHashes(greenFiles, { ...greenFiles, ...change })).toEqual(expected);
});

test('after a deletion everything is checked', () => {
  expect(diffHashes({ ...greenFiles, 'src/c.ts': '1' }, greenFiles)).toBeNull();
});

test('without a green run everything is checked', () => {
  expect(diffHashes({}, greenFiles)).toBeNull();
});

test('a green run is remembered by content, without files that git ignores', async () => {
  const root = await plantTree({ '.gitignore': 'node_modules\n.cache\n', 'src/a.ts': 'one' });
  await run('git', ['init', '--quiet'], { cwd: root });
  expect(await readLastPassed(root)).toBeNull();
  const before = await hashFiles(root);
  await writeLastPassed(root, before);
  expect(await readLastPassed(root)).toEqual(before);
  await writeFile(join(root, 'src/a.ts'), 'two');
  expect(diffHashes(before, await hashFiles(root))).toEqual(['src/a.ts']);
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
])('the tests that a change of %s leaves out', (_, changed, left) => {
  expect(excludeUnchangedFlows(changed)).toEqual(left);
});

const plannedChecks = 'tests/paths/approved.test.ts';

test('machines are explored again after a change of behaviour, not of a screen’s rendering', async () => {
  const after = (path: string) => findFileScanningTests(process.cwd(), [path]);
  expect(await after('machines/buying/payment.ts')).toContain(plannedChecks);
  expect(await after('tests/approved/payment.txt')).toContain(plannedChecks);
  expect(await after('src/flows/library/index.ts')).toContain(plannedChecks);
  const drawn = await after('src/flows/library/OwnedCard.tsx');
  expect(drawn).not.toContain(plannedChecks);
  expect(drawn).toContain('tests/trace/replayed.test.tsx');
});
