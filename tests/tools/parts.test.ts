import { expect, test } from 'vitest';
import { bin, run } from '../../tools/process/run.ts';
import { hasFirefox, ofPart, parts, partSays, partToRun, serverTurn, slowFilesLeftOut } from '../../tools/test/parts.ts';
import { plant, project } from './support/tree.ts';

const all = Array.from({ length: parts }, (_, at) => at + 1);
const items = Array.from({ length: 100 }, (_, at) => at);

test('everything is in one part, and the parts are about as large', () => {
  const shared = all.map((part) => ofPart(items, part));
  expect(shared.flat().toSorted((a, b) => a - b)).toEqual(items);
  const sizes = shared.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(3);
  expect(ofPart(items, null)).toEqual(items);
});

test('the stories in Firefox are in one part', () => {
  expect(all.filter((part) => hasFirefox(part))).toHaveLength(1);
  expect(hasFirefox(null)).toBe(true);
});

test('each commit runs the part after its parent’s', async () => {
  const root = await plant({ 'a.txt': '' });
  const git = (...args: string[]) => run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  expect(await partToRun(root, [])).toBe(1);
  await git('init', '-q');
  const turns: unknown[] = [];
  for (let commit = 0; commit < parts; commit += 1) {
    await git('commit', '-q', '--allow-empty', '-m', 'a commit');
    turns.push(await partToRun(root, []));
  }
  expect(new Set(turns)).toEqual(new Set(all));
  expect(await partToRun(root, [])).toBe(turns.at(-1));
});

test('all of it, or a certain part, can be asked for', async () => {
  expect(await partToRun(project, ['--all'])).toBeNull();
  expect(await partToRun(project, ['--part', '2'])).toBe(2);
  expect(partSays(2)).toContain('--all');
  await expect(partToRun(project, ['--part', String(parts + 1)])).rejects.toThrow(/not a whole number from 1 to/);
  await expect(partToRun(project, ['--most'])).rejects.toThrow(/most/);
});

test('each slow test file is left out by all parts but one', async () => {
  const left = await Promise.all(all.map((part) => slowFilesLeftOut(project, part)));
  const counts = Map.groupBy(left.flat(), (file) => file);
  expect(counts.size).toBeGreaterThan(10);
  for (const [file, times] of counts) expect(times, file).toHaveLength(parts - 1);
  expect(await slowFilesLeftOut(project, null)).toEqual([]);
});

test('half of the server’s test files run in a part, each on one database; four parts run all of them on both', async () => {
  const filesIn = async (env: Record<string, string>): Promise<string[]> => {
    const args = ['list', '--project', 'server', '--project', 'server-postgres', '--filesOnly', '--json'];
    // Whoever runs this test may have a turn of their own.
    const { code, output } = await run(bin(project, 'vitest'), args, { cwd: project, env: { SERVER_TURN: undefined, ...env } });
    expect(code, output).toBe(0);
    const listed = JSON.parse(output.slice(output.indexOf('['))) as { file: string; projectName: string }[];
    return listed.map(({ file, projectName }) => `${file} on ${projectName}`);
  };
  const [all = [], ...turns] = await Promise.all([null, 1, 2, 3, 4].map((part) => filesIn(serverTurn(part))));
  const names = (runs: string[]) => new Set(runs.map((each) => each.split(' on ')[0]));
  for (const runs of turns) {
    expect(names(runs).size).toBe(runs.length);
    expect(Math.abs(runs.length - names(all).size / 2)).toBeLessThanOrEqual(1);
  }
  const [first = [], second = []] = turns;
  expect(names([...first, ...second])).toEqual(names(all));
  expect(new Set(turns.flat())).toEqual(new Set(all));
});
