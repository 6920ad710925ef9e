import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedBetween, hashesOf, readGreen, readLanded, writeGreen } from '../../tools/check/changed.ts';
import { otherFlows, readingTests } from '../../tools/check/units.ts';
import { run } from '../../tools/process/run.ts';
import { plant } from './support/tree.ts';

const green = { 'src/a.ts': '1', 'src/b.ts': '1', 'package.json': '1' };

test.each([
  ['nothing', {}, []],
  ['a file', { 'src/a.ts': '2' }, ['src/a.ts']],
  ['a new file', { 'src/c.ts': '1' }, ['src/c.ts']],
  ['what is installed', { 'package.json': '2' }, null],
  ['a check', { 'tools/check/lint.ts': '1' }, null],
  ['what is compiled', { 'src/tsconfig.json': '1' }, null],
])('what has to be checked after a change of %s', (_, change, expected) => {
  expect(changedBetween(green, { ...green, ...change })).toEqual(expected);
});

test('a file that is gone may be missed anywhere', () => {
  expect(changedBetween({ ...green, 'src/c.ts': '1' }, green)).toBeNull();
});

test('without a green run everything has to be checked', () => {
  expect(changedBetween({}, green)).toBeNull();
});

test('what was green is remembered by content, without what git ignores', async () => {
  const root = await plant({ '.gitignore': 'node_modules\n.cache\n', 'src/a.ts': 'one' });
  await run('git', ['init', '--quiet'], { cwd: root });
  expect(await readGreen(root)).toBeNull();
  const before = await hashesOf(root);
  await writeGreen(root, before);
  expect(await readGreen(root)).toEqual(before);
  await writeFile(join(root, 'src/a.ts'), 'two');
  expect(changedBetween(before, await hashesOf(root))).toEqual(['src/a.ts']);
});

test('in a new clone the commit before the last is what was green', async () => {
  const root = await plant({ '.gitignore': 'node_modules\n', 'src/a.ts': 'one', 'src/b.ts': 'ünï', 'with space.txt': '' });
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], { cwd: root });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'one');
  expect(await readLanded(root)).toEqual({});
  await writeFile(join(root, 'src/a.ts'), 'two');
  await git('commit', '--quiet', '-a', '-m', 'two');
  expect(changedBetween(await readLanded(root), await hashesOf(root))).toEqual(['src/a.ts']);
});

test.each([
  ['a view of a flow', ['src/flows/title/TitleView.tsx'], ['tests/flows/!(title)/**/*']],
  ['two flows', ['src/flows/title/calls.ts', 'machines/path-models/flows/page/paths.ts'], ['tests/flows/!(title|page)/**/*']],
  ['what several flows share', ['src/flows/title/TitleView.tsx', 'src/views/Markup.tsx'], []],
  ['the registry', ['machines/flows/registry.ts'], []],
  ['what a flow is registered with', ['machines/flows/title.ts'], []],
])('the tests that a change of %s leaves out', (_, changed, left) => {
  expect(otherFlows(changed)).toEqual(left);
});

const plans = 'tests/paths/approved.test.ts';

test('machines are explored again when one may do something else, not when a screen is drawn otherwise', async () => {
  const after = (path: string) => readingTests(process.cwd(), [path]);
  expect(await after('machines/buying/payment.ts')).toContain(plans);
  expect(await after('tests/approved/payment.txt')).toContain(plans);
  expect(await after('src/flows/library/index.ts')).toContain(plans);
  const drawn = await after('src/flows/library/OwnedCard.tsx');
  expect(drawn).not.toContain(plans);
  expect(drawn).toContain('tests/trace/replayed.test.tsx');
});
