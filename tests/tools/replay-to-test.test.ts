import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format } from '../../tools/check/lint.ts';
import { bin, run, type Finished } from '../../tools/process/run.ts';
import { goodTrace } from './support/replaying.ts';
import { plant, project } from './support/tree.ts';

const copied = ['machines', 'tools/replay', 'tools/build', 'tools/check', 'tests/machines'];

/** A copy of what the command needs, with a record of this build in it. */
const shopElsewhere = async (): Promise<string> => {
  const root = await plant({ 'visit.json': JSON.stringify(await goodTrace()) });
  for (const folder of copied) await cp(join(project, folder), join(root, folder), { recursive: true });
  return root;
};

const called = (root: string, ...args: string[]): Promise<Finished> =>
  run(process.execPath, [join(root, 'tools/replay/replay.ts'), 'visit.json', ...args], { cwd: root, env: { INIT_CWD: root } });

const tested = (root: string): Promise<Finished> =>
  run(bin(root, 'vitest'), ['run', '--root', root, 'tests/traces'], { cwd: root });

/** Changes the source of a machine. */
const change = async (root: string, machine: string, from: string, to: string): Promise<void> => {
  const path = join(root, 'machines', `${machine}.ts`);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
};

const tracesIn = async (root: string): Promise<string[]> => {
  const names = await readdir(join(root, 'tests/traces')).catch((): string[] => []);
  return names.toSorted();
};

test('a record becomes a test that holds until a machine behaves otherwise, and is not replaced unasked', async () => {
  const root = await shopElsewhere();
  const made = await called(root, '--to-test', 'a-purchase');
  expect(made).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Written: tests\/traces\/a-purchase\.json, .*\.test\.ts$/m),
  });
  expect(await tracesIn(root)).toEqual(['a-purchase.json', 'a-purchase.test.ts']);
  expect(await format(root, ['tests/traces'])).toMatchObject({ failed: 0 });
  expect(JSON.parse(await readFile(join(root, 'tests/traces/a-purchase.json'), 'utf8'))).toEqual(
    JSON.parse(await readFile(join(root, 'visit.json'), 'utf8')),
  );
  expect(await tested(root)).toMatchObject({ code: 0, output: expect.stringContaining('1 passed') });

  const again = await called(root, '--to-test', 'a-purchase');
  expect(again).toMatchObject({ code: 2, output: expect.stringContaining('tests/traces/a-purchase.json is there already.') });
  expect(await called(root, '--to-test', 'a-purchase', '--force')).toMatchObject({ code: 0 });

  await change(root, 'checkout', "target: 'ready'", "target: 'notForSale'");
  expect(await tested(root)).toMatchObject({ code: 1, output: expect.stringContaining('"notForSale"') });
});

test('a record of before a machine was changed is of another build; replayed anyway it diverges, and makes no test', async () => {
  const root = await shopElsewhere();
  await change(root, 'checkout', "target: 'ready'", "target: 'notForSale'");
  expect(await called(root)).toMatchObject({ code: 2, output: expect.stringMatching(/another build.* Different: checkout\.$/m) });
  const { code, output } = await called(root, '--anyway', '--to-test', 'a-purchase');
  expect(code).toBe(1);
  expect(output).toMatch(/^Diverged at step \d+ \(run 1, 0:02\.300\): a machine settled otherwise\.$/m);
  expect(output).toContain('  state\n    expected  "ready"\n    got       "notForSale"\n');
  expect(output).toContain('The machines are others than those that were recorded: checkout.\n');
  expect(output).toContain('No test was written');
  expect(await tracesIn(root)).toEqual([]);
});
