import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, type ProcessResult } from '../../tools/process/run.ts';
import { writeTraceFolder, recordGoodTrace } from './support/replaying.ts';
import { projectRoot } from './support/tree.ts';

const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command as npm runs it for an operator in the folder of the record. */
const runReplay = (folder: string, args: string[], env: Record<string, string | undefined> = {}): Promise<ProcessResult> =>
  run(process.execPath, [join(projectRoot, 'tools/replay/replay.ts'), ...args], {
    cwd: projectRoot,
    env: { INIT_CWD: folder, ...env },
  });

const runOnTerminal = (folder: string, args: string[], env: Record<string, string | undefined>): Promise<ProcessResult> => {
  const command = [process.execPath, join(projectRoot, 'tools/replay/replay.ts'), ...args].map(shellQuote).join(' ');
  const terminal = { INIT_CWD: folder, TERM: 'xterm-256color', FORCE_COLOR: undefined, CI: undefined, ...env };
  return run('script', ['-qec', `stty cols 100; ${command}`, '/dev/null'], { cwd: projectRoot, env: terminal });
};

const escapeSequence = '\u001B[';

test('a pipe gets plain text and the exit code of the outcome', async () => {
  const trace = await recordGoodTrace();
  const identicalReplay = await runReplay(await writeTraceFolder(trace), ['visit.json']);
  expect([identicalReplay.code, identicalReplay.output.includes(escapeSequence)]).toEqual([0, false]);
  trace.runs[0]?.steps.at(-1)?.reactions.pop();
  const divergedReplay = await runReplay(await writeTraceFolder(trace), ['visit.json']);
  expect([divergedReplay.code, divergedReplay.output]).toEqual([1, expect.stringContaining('Diverged at step')]);
  const truncatedReplay = await runReplay(await writeTraceFolder('{"format":2'), ['visit.json']);
  expect([truncatedReplay.code, truncatedReplay.output.split('\n')[0]]).toEqual([2, 'The file is truncated.']);
});

test('colours are on for a terminal or when forced, and off on request; lines fit the terminal', async () => {
  const folder = await writeTraceFolder(await recordGoodTrace());
  const coloredReplay = await runReplay(folder, ['visit.json'], { NO_COLOR: undefined, FORCE_COLOR: '1' });
  expect(coloredReplay.output).toContain(escapeSequence);
  const terminal = await runOnTerminal(folder, ['visit.json', '--full'], { NO_COLOR: undefined });
  expect([terminal.code, terminal.output]).toEqual([0, expect.stringContaining(`${escapeSequence}36mroot/screen/flow`)]);
  const plainReplay = await runOnTerminal(folder, ['visit.json', '--full'], { NO_COLOR: '1' });
  expect([plainReplay.code, plainReplay.output.includes(escapeSequence)]).toEqual([0, false]);
  const sawLines = plainReplay.output.split(/\r?\n/).filter((line) => /^ +saw {7}|^ {24}\S/.test(line));
  expect(sawLines.length).toBeGreaterThan(5);
  expect(sawLines.filter((line) => line.length > 100)).toEqual([]);
});

test('a closed pipe ends the command without an error', async () => {
  const folder = await writeTraceFolder(await recordGoodTrace());
  const command = `${shellQuote(process.execPath)} tools/replay/replay.ts visit.json | head -1`;
  const { code, output } = await run('bash', ['-o', 'pipefail', '-c', command], { cwd: projectRoot, env: { INIT_CWD: folder } });
  expect([code, output]).toEqual([0, expect.stringMatching(/^Who {9}.+\n$/)]);
});
