import { expect, test } from 'vitest';
import { run } from '../../tools/process/run.ts';
import { closeSales, replayThere, shopElsewhere, tracesIn } from './support/shop-elsewhere.ts';

/** Commits all that stands in a folder; gives the commit's id in short. */
const commit = async (root: string): Promise<string> => {
  const who = ['-c', 'user.name=Colophon', '-c', 'user.email=colophon@shop.example'];
  const git = async (...args: string[]): Promise<string> => {
    const { code, output } = await run('git', [...who, ...args], { cwd: root });
    expect({ code, output }).toMatchObject({ code: 0 });
    return output.trim();
  };
  await git('init', '-q');
  await git('add', 'machines');
  await git('commit', '-q', '-m', 'change the machines');
  return git('rev-parse', '--short=10', 'HEAD');
};

test('a record of before a machine was changed is refused, with the machine; replayed anyway it diverges, and makes no test', async () => {
  const root = await shopElsewhere();
  await closeSales(root);
  const refused = await replayThere(root);
  expect(refused).toMatchObject({
    code: 2,
    output: expect.stringMatching(/another build.* Different: buying\/purchase\/purchase\.$/m),
  });
  expect(refused.output).toContain('Replay it with the version that the shop ran, or add --anyway');
  const { code, output } = await replayThere(root, '--anyway', '--to-test', 'a-purchase');
  expect(code).toBe(1);
  expect(output).toMatch(/^Diverged at step \d+ \(run 1, 0:02\.300\): a machine settled otherwise\.$/m);
  expect(output).toMatch(/^Saw last +“Not for sale at the moment”/m);
  expect(output).toContain('The machines are others than those that were recorded: buying/purchase/purchase.\n');
  expect(output).toContain('No test was written');
  expect(await tracesIn(root)).toEqual([]);
});

test('the commit whose machines a record is of is found in the history', async () => {
  const root = await shopElsewhere();
  const then = await commit(root);
  await closeSales(root);
  const now = await commit(root);
  expect(now).not.toBe(then);
  const { code, output } = await replayThere(root);
  expect(code).toBe(2);
  expect(output).toMatch(new RegExp(`^Its machines are those of commit ${then} of \\d{4}-\\d\\d-\\d\\d: replay it there`, 'm'));
});
