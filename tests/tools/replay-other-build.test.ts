import { expect, test } from 'vitest';
import { run } from '../../tools/process/run.ts';
import { breakSales, replayInCopy, copyShop, listTraces } from './support/shop-copy.ts';

/** Commits the machines in a folder; returns the commit's short id. */
const commitMachines = async (root: string): Promise<string> => {
  const authorOptions = ['-c', 'user.name=Colophon', '-c', 'user.email=colophon@shop.example'];
  const git = async (...args: string[]): Promise<string> => {
    const { code, output } = await run('git', [...authorOptions, ...args], { cwd: root });
    expect({ code, output }).toMatchObject({ code: 0 });
    return output.trim();
  };
  await git('init', '-q');
  await git('add', 'machines');
  await git('commit', '-q', '-m', 'change the machines');
  return git('rev-parse', '--short=10', 'HEAD');
};

test('a record from before a change of a machine is refused, naming the machine; a forced replay diverges, and makes no test', async () => {
  const root = await copyShop();
  await breakSales(root);
  const refusedReplay = await replayInCopy(root);
  expect(refusedReplay).toMatchObject({
    code: 2,
    output: expect.stringMatching(/another build.* Different: buying\/purchase\/purchase\.$/m),
  });
  expect(refusedReplay.output).toContain('Replay it with the version that the shop ran, or add --anyway');
  const { code, output } = await replayInCopy(root, '--anyway', '--to-test', 'a-purchase');
  expect(code).toBe(1);
  expect(output).toMatch(/^Diverged at step \d+ \(run 1, 0:02\.300\): a machine reacted differently\.$/m);
  expect(output).toMatch(/^Saw last +“Not for sale right now”/m);
  expect(output).toContain('The machines are others than those that were recorded: buying/purchase/purchase.\n');
  expect(output).toContain('No test was written');
  expect(await listTraces(root)).toEqual([]);
});

test('the commit that has a record’s machines is found in the history', async () => {
  const root = await copyShop();
  const oldCommit = await commitMachines(root);
  await breakSales(root);
  const newCommit = await commitMachines(root);
  expect(newCommit).not.toBe(oldCommit);
  const { code, output } = await replayInCopy(root);
  expect(code).toBe(2);
  expect(output).toMatch(
    new RegExp(`^Its machines are those of commit ${oldCommit} of \\d{4}-\\d\\d-\\d\\d: replay it there`, 'm'),
  );
});
