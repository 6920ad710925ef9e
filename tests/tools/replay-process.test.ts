import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, type Finished } from '../../tools/process/run.ts';
import { folderWith, goodTrace } from './support/replaying.ts';
import { project } from './support/tree.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command as somebody calls it, in the folder of the record. */
const called = (folder: string, args: string[], env: Record<string, string | undefined> = {}): Promise<Finished> =>
  run(process.execPath, [join(project, 'tools/replay/replay.ts'), ...args], { cwd: project, env: { INIT_CWD: folder, ...env } });

const onTerminal = (folder: string, args: string[], env: Record<string, string | undefined>): Promise<Finished> => {
  const command = [process.execPath, join(project, 'tools/replay/replay.ts'), ...args].map(quoted).join(' ');
  const terminal = { INIT_CWD: folder, TERM: 'xterm-256color', FORCE_COLOR: undefined, CI: undefined, ...env };
  return run('script', ['-qec', `stty cols 100; ${command}`, '/dev/null'], { cwd: project, env: terminal });
};

const escape = '\u001B[';

test('a pipe gets plain text and the exit code of the outcome', async () => {
  const trace = await goodTrace();
  const good = await called(await folderWith(trace), ['visit.json']);
  expect([good.code, good.output.includes(escape)]).toEqual([0, false]);
  trace.runs[0]?.steps.at(-1)?.reactions.pop();
  const diverged = await called(await folderWith(trace), ['visit.json']);
  expect([diverged.code, diverged.output]).toEqual([1, expect.stringContaining('Diverged at step')]);
  const cut = await called(await folderWith('{"format":2'), ['visit.json']);
  expect([cut.code, cut.output.split('\n')[0]]).toEqual([2, 'The file ends in the middle: it is not all there.']);
});

test('colours come on a terminal or when they are forced, and go when they are not wanted', async () => {
  const folder = await folderWith(await goodTrace());
  const forced = await called(folder, ['visit.json'], { NO_COLOR: undefined, FORCE_COLOR: '1' });
  expect(forced.output).toContain(escape);
  const terminal = await onTerminal(folder, ['visit.json', '--full'], { NO_COLOR: undefined });
  expect([terminal.code, terminal.output]).toEqual([0, expect.stringContaining(`${escape}36mroot/screen/flow`)]);
  const unwanted = await onTerminal(folder, ['visit.json', '--full'], { NO_COLOR: '1' });
  expect([unwanted.code, unwanted.output.includes(escape)]).toEqual([0, false]);
  const told = unwanted.output.split(/\r?\n/).filter((line) => /^ +saw {7}|^ {24}\S/.test(line));
  expect(told.length).toBeGreaterThan(5);
  expect(told.filter((line) => line.length > 100)).toEqual([]);
});

test('a reader that stops reading ends the command without a complaint', async () => {
  const folder = await folderWith(await goodTrace());
  const command = `${quoted(process.execPath)} tools/replay/replay.ts visit.json | head -1`;
  const { code, output } = await run('bash', ['-o', 'pipefail', '-c', command], { cwd: project, env: { INIT_CWD: folder } });
  expect([code, output]).toEqual([0, expect.stringMatching(/^Who {9}.+\n$/)]);
});
