import { chmod, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Step, Trace } from '../../machines/trace/format.ts';
import { replayCommand } from '../../tools/replay/command.ts';
import { plainColors } from '../../tools/replay/text.ts';
import { packTrace } from '../trace/recorded.ts';
import { writeTraceFolder, recordGoodTrace, createFolder, runReplay } from './support/replaying.ts';
import { projectRoot } from './support/tree.ts';

const readReason = async (content: Trace | string, args: readonly string[] = []): Promise<string> => {
  const { code, out, err } = await runReplay(content, args);
  expect([code, out]).toEqual([2, '']);
  const [reason = '', advice = '', ...otherLines] = err.split('\n');
  expect([advice.length > 20, otherLines]).toEqual([true, []]);
  return reason;
};

/** The index of the step `pay.pressed`, which no earlier step causes. */
const findPressIndex = (steps: readonly Step[]): number =>
  steps.findIndex(({ input }) => input.kind === 'event' && input.event.type === 'pay.pressed');

const traceWithStep = async (change: (step: Step, steps: Step[]) => void): Promise<Trace> => {
  const trace = await recordGoodTrace();
  const steps = trace.runs[0]?.steps ?? [];
  const step = steps[findPressIndex(steps)];
  if (step) change(step, steps);
  return trace;
};

test('a file other than a record is refused with the reason', async () => {
  expect(await readReason('')).toBe('The file is empty.');
  expect(await readReason('hello')).toBe('The file is not valid JSON.');
  expect(await readReason('{"format": 2,\n runs: []}')).toBe('The file is not valid JSON at line 2 column 2.');
  expect(await readReason('PK\u0003\u0004\0\0')).toBe('The file is not a text file.');
  for (const json of ['null', '[]', '7', '{"name": "colophon"}'])
    expect(await readReason(json)).toBe('The file is JSON, but not a record of a visit.');
});

test('a file that is truncated at any position is refused as truncated', async () => {
  const text = JSON.stringify(await recordGoodTrace());
  for (let length = 1; length < text.length; length += 97) {
    expect(await readReason(text.slice(0, length))).toBe('The file is truncated.');
  }
});

test('a record of another format, or of other machines, is refused', async () => {
  const trace = await recordGoodTrace();
  expect(await readReason({ ...trace, format: 1 as 2 })).toBe(
    'The record is of format 1; this version reads formats 2, 3, 4 and 5.',
  );
  const { build } = trace;
  const machines = { ...trace.machines, checkout: '0', tracks: '0', cart: '0' };
  expect(await readReason({ ...trace, build: 'old', machines })).toBe(
    `The record is of another build, old; this is ${build}. Different: cart, checkout, tracks.`,
  );
});

test('a record of another build is replayed with --anyway, or if its machines are the same', async () => {
  const trace = await recordGoodTrace();
  const { code, out } = await runReplay({ ...trace, machines: { ...trace.machines, checkout: '0' } }, ['--anyway', '--full']);
  expect([code, /^Build.*$/m.exec(out)?.[0]]).toEqual([0, `Build   ${trace.build}; other machines here: checkout`]);
  expect(await runReplay({ ...trace, build: '9.9.9+0' })).toMatchObject({ code: 0 });
});

test('a file that was edited by hand is refused with the position of the edit', async () => {
  const stepIndex = findPressIndex((await recordGoodTrace()).runs[0]?.steps ?? []);
  const handEditMessage = 'The file was changed by hand';
  const eventForMissingActor = await traceWithStep(
    (step) => (step.input = { kind: 'event', to: 'root/nobody', event: { type: 'pay.pressed' } }),
  );
  expect(await readReason(eventForMissingActor)).toBe(
    `${handEditMessage}: run 1 has an event for an actor that does not exist: root/nobody was never created.`,
  );
  const answerForMissingActor = await traceWithStep((_, steps) => {
    const answer = steps.find(({ input }) => input.kind === 'settled');
    if (answer) answer.input = { ...answer.input, to: 'root/nobody' } as Step['input'];
  });
  expect(await readReason(answerForMissingActor)).toContain('root/nobody was never created');
  expect(await readReason(await traceWithStep((step) => (step.at = 1e300)))).toContain(`runs.0.steps.${stepIndex}.at`);
  expect(await readReason(await traceWithStep((step) => (step.at = -1)))).toContain(`runs.0.steps.${stepIndex}.at`);
  expect(await readReason(await traceWithStep((step) => (step.at = 3)))).toBe(
    `${handEditMessage}. Step ${stepIndex + 1} of run 1 comes before the one above it.`,
  );
  expect(await readReason(await traceWithStep((step) => (step.input = { kind: 'start' })))).toBe(
    `${handEditMessage}. Run 1 does not begin with exactly one start: see its step ${stepIndex + 1}.`,
  );
  expect(await readReason(await traceWithStep((_, steps) => void steps.shift()))).toContain(
    'does not begin with exactly one start',
  );
  expect(await readReason(await traceWithStep((step) => (step.input = { kind: 'magic' } as never)))).toContain(
    `runs.0.steps.${stepIndex}.input.kind`,
  );
  expect(await readReason({ ...(await recordGoodTrace()), runs: [] })).toContain('runs: ');
  const lateTrace = await recordGoodTrace();
  expect(await readReason({ ...lateTrace, runs: lateTrace.runs.map((run) => ({ ...run, startedAt: 9e15 })) })).toContain(
    'runs.0.startedAt',
  );
});

/** A trace of two page loads; the second starts `gapMs` milliseconds after the end of the first. */
const traceWithTwoLoads = async (gapMs: number): Promise<Trace> => {
  const trace = await recordGoodTrace();
  const [run] = trace.runs;
  if (!run) throw new Error('The trace has no run.');
  const end = run.startedAt + (run.steps.at(-1)?.at ?? 0);
  return { ...trace, runs: [run, { ...run, startedAt: end + gapMs }] };
};

test('runs that are out of order, or overlap, are refused with their numbers', async () => {
  for (const gapMs of [0, 1, 60_000]) expect(await runReplay(await traceWithTwoLoads(gapMs))).toMatchObject({ code: 0 });
  const trace = await traceWithTwoLoads(60_000);
  const swappedTrace = { ...trace, runs: trace.runs.toReversed() };
  const message = /^The file was changed by hand\. Run 2 begins (\S+) before the end of the run above it\.$/;
  expect(await readReason(swappedTrace)).toMatch(message);
  expect(await readReason(packTrace(swappedTrace))).toMatch(message);
  expect(message.exec(await readReason(await traceWithTwoLoads(-1)))?.[1]).toBe('0:00.001');
  const [first, second] = trace.runs;
  if (!first || !second) throw new Error('The trace has fewer than two runs.');
  const third = { ...second, startedAt: first.startedAt };
  expect(await readReason({ ...trace, runs: [first, second, third] })).toContain('Run 3 begins');
});

test('a file with dangling references, or with references that expand beyond the limit, is refused', async () => {
  const file = packTrace(await recordGoodTrace());
  const damageMessage = 'The file was changed by hand or is damaged.';
  expect((await runReplay(file)).code).toBe(0);
  expect(await readReason(file.replace(/"\$at":\d+/, '"$at":99999'))).toBe(`${damageMessage} The table has no value 99999.`);
  expect(await readReason(file.replace(/"runs":\[.*/s, '"runs":[{"steps":[[0]]}]}'))).toContain(damageMessage);
  const doublingEntries = Array.from(
    { length: 60 },
    (_, id) => `"${id}":${id === 0 ? '"x"' : `[{"$at":${id - 1}},{"$at":${id - 1}}]`}`,
  );
  expect(await readReason(`{"format":3,"table":{${doublingEntries.join(',')}},"runs":[]}`)).toBe(
    `${damageMessage} The values exceed 40000000 characters.`,
  );
});

test('a checkpoint that the machines cannot continue from is refused', async () => {
  const trace = await recordGoodTrace();
  const from = { snapshot: { value: 'nowhere', status: 'active', context: {}, children: {} }, timers: [] };
  const runs = trace.runs.map((run) => ({ ...run, from }));
  expect(await readReason({ ...trace, runs })).toContain('the machines cannot process it');
});

test('hostile keys and depths are refused', async () => {
  const text = JSON.stringify(await recordGoodTrace());
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    const hostileJson = text.replace('"reactions":[{', `"reactions":[{"${key}":{"polluted":true},`);
    expect(await readReason(hostileJson)).toBe(
      `The file was not written by the shop. It has a key “${key}”, at runs.0.steps.1.reactions.0.`,
    );
  }
  expect({}).not.toHaveProperty('polluted');
  const deepJson = text.replace('"input":', `"deep":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)},"input":`);
  expect(await readReason(deepJson)).toContain('nested more than 64 levels deep, at runs.0.deep.');
});

test('names that every object inherits are ordinary names', async () => {
  const trace = await traceWithStep((step) => {
    step.input = { kind: 'event', to: 'root', event: { type: 'toString' } };
    step.reactions = [{ actor: 'root', on: 'toString', changed: { valueOf: 1 } }];
  });
  const { code, out } = await runReplay(trace);
  expect([code, out.includes('native code')]).toEqual([1, false]);
  expect(out).toContain('  event     toString, taken by root\n');
  expect(out).toContain('  context.valueOf\n    expected  1\n    got       unchanged\n');
});

test('a forged record with too many steps or runs is refused', async () => {
  const trace = await recordGoodTrace();
  const [run] = trace.runs;
  if (!run) throw new Error('The trace has no run.');
  const sentStep = { at: 0, input: { kind: 'emitted', to: 'root', from: 'root', event: { type: 'x' } }, reactions: [] } as Step;
  const [start] = run.steps;
  const longRun = { ...run, steps: [...(start ? [start] : []), ...Array.from({ length: 50_000 }, () => sentStep)] };
  expect(await readReason({ ...trace, runs: [longRun] })).toContain('More than 40000 steps');
  const shortRun = { ...run, steps: run.steps.slice(0, 1) };
  expect(await readReason({ ...trace, runs: Array.from({ length: 2_000 }, () => shortRun) })).toContain('runs: ');
});

test('a file of 50 MB is refused by its size alone, without being read', async () => {
  const folder = await writeTraceFolder('');
  await truncate(join(folder, 'visit.json'), 50_000_000);
  await chmod(join(folder, 'visit.json'), 0o000);
  const { code, err } = await replayCommand(['visit.json'], { root: projectRoot, folder, colors: plainColors });
  expect([code, err.split('\n')[0]]).toEqual([2, 'The file is too large: 47.7 MB; a record has at most 8.0 MB.']);
});

test('a path that is missing or not a file is refused, with --json as JSON', async () => {
  const folder = await createFolder();
  const context = { root: projectRoot, folder, colors: plainColors };
  expect(await replayCommand(['.'], context)).toMatchObject({ code: 2, err: expect.stringMatching(/^The path is not a file\./) });
  expect(await replayCommand(['gone.json'], context)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^The file does not exist\./),
  });
  await writeFile(join(folder, 'visit.json'), '{');
  const { code, out, err } = await replayCommand(['visit.json', '--json'], context);
  expect([code, err]).toEqual([2, '']);
  expect(JSON.parse(out)).toEqual({
    refused: 'The file is truncated.',
    advice: expect.stringContaining('send the file'),
  });
});

test('an invalid command line prints the usage', async () => {
  const context = { root: projectRoot, folder: projectRoot, colors: plainColors };
  for (const args of [[], ['a', 'b'], ['--loud', 'a'], ['a', '--to-test', '../escape'], ['a', '--force']]) {
    const { code, err } = await replayCommand(args, context);
    expect([code, err.includes('npm run replay -- FILE')]).toEqual([2, true]);
  }
  expect(await replayCommand(['--help'], context)).toMatchObject({ code: 0, out: expect.stringContaining('--to-test NAME') });
});
